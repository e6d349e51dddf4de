import Frames

/// What is heard, out of readings of a mixer and its latency.
///
/// Readings come when the caller looks, and the mixer moves in steps: a reading that is the same as the one before tells nothing new, and
/// the position keeps its instant.
package struct HeardPosition: Sendable {
  private let sampleRate: Double
  /// Never moves back.
  package private(set) var position: SoundPosition?
  /// The last reading: the sample heard then, below 0 before the first sample is, and the mixer's lead in seconds.
  private var reading: (heard: Double, latency: Double, instant: MonotonicTime)?
  private var mixed: Double?
  /// Sample frames that are in `played` or were taken.
  private var noted = 0
  private var lastNoted: MonotonicTime?
  private var played: [PlayedSound] = []
  /// The mixer had nothing more to take, after so many sample frames.
  private var emptied: (total: Int, instant: MonotonicTime)?

  private static let playedLimit = 10_000

  package init(sampleRate: Int) {
    self.sampleRate = Double(sampleRate)
  }

  /// - Parameters:
  ///   - mixed: sample frames that the mixer has taken.
  ///   - latency: seconds until the last of them is heard.
  package mutating func read(mixed: Double, latency: Double, now: MonotonicTime) {
    if mixed == self.mixed, latency == reading?.latency { return }
    let heard = mixed - latency * sampleRate
    (self.mixed, reading) = (mixed, (heard, latency, now))
    move(to: heard, now: now)
  }

  /// The mixer takes nothing; what it has taken is still on its way.
  package mutating func stand(at total: Int, now: MonotonicTime) {
    guard let reading else { return }
    let heard = min(Double(total), reading.heard + now.seconds(since: reading.instant) * sampleRate)
    mixed = nil
    move(to: heard, now: now)
    guard let emptied, let position, position.sampleFrame >= Double(emptied.total), noted < emptied.total else {
      return
    }
    note(PlayedSound(instant: instant(of: noted, now: now), first: noted, count: emptied.total - noted))
  }

  /// The mixer has taken all that there was and wanted more.
  package mutating func ranEmpty(total: Int, now: MonotonicTime) {
    guard emptied == nil else { return }
    guard let reading else {
      emptied = (total, now)
      return
    }
    let left = Double(total) - reading.heard - reading.latency * sampleRate
    emptied = (total, min(now, reading.instant.advanced(byMilliseconds: max(0, left) / sampleRate * 1000)))
  }

  /// The mixer is given samples again, or for the first time.
  package mutating func restarts(_ now: MonotonicTime) {
    mixed = nil
    guard let emptied else { return }
    self.emptied = nil
    let missing = max(1, Int((now.seconds(since: emptied.instant) * sampleRate).rounded()))
    let ahead = (reading?.latency ?? 0) - Double(emptied.total - noted) / sampleRate
    note(
      PlayedSound(
        instant: emptied.instant.advanced(byMilliseconds: ahead * 1000), first: noted, count: emptied.total - noted,
        missing: missing))
  }

  package mutating func take() -> [PlayedSound] {
    defer { played = [] }
    return played
  }

  private mutating func move(to heard: Double, now: MonotonicTime) {
    guard heard > 0 || position != nil else { return }
    let moved = SoundPosition(sampleFrame: max(heard, position?.sampleFrame ?? 0), instant: now)
    position = moved
    let period = max(1, Int(sampleRate / 100))
    while moved.sampleFrame - Double(noted) >= Double(period) {
      note(PlayedSound(instant: instant(of: noted, now: now), first: noted, count: period))
    }
  }

  /// By the last reading: the position may have stood since.
  private func instant(of frame: Int, now: MonotonicTime) -> MonotonicTime {
    guard let reading else { return now }
    return reading.instant.advanced(byMilliseconds: (Double(frame) - reading.heard) / sampleRate * 1000)
  }

  private mutating func note(_ sound: PlayedSound) {
    if played.count >= Self.playedLimit { played.removeFirst(Self.playedLimit / 2) }
    // Readings are as exact as the mixer's steps: order is kept all the same.
    var sound = sound
    if let lastNoted { sound.instant = max(sound.instant, lastNoted) }
    lastNoted = sound.instant
    played.append(sound)
    noted += sound.count
  }
}
