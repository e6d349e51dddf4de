import Decode
import Frames
import Media
import Sound

/// Moves sound from a clip to an output, and tells the clock which moment is heard: everything that the sound thread does, without the
/// thread. One thread at a time.
package final class SoundPump {
  package private(set) var output: any AudioOutput
  /// Told what is written; nil: not wanted.
  package var levels: SoundLevels?
  private let turn: MediaTime?
  private let clock: SoundClock
  private let places: @Sendable (MediaTime) -> MediaTime
  private var line: SoundLine
  /// Keeps the pitch at other rates than 1, and tells which place each of the output's sample frames has; nil: it was given nothing.
  private var tempo: TempoLine?
  /// Sound is heard so much later than the clip has it.
  private var delay = MediaTime.zero
  /// Samples that the output had no room for, and how many of them it has taken since.
  private var pending: [Float] = []
  private var taken = 0
  /// Sample frames that the output was given.
  private var written = 0
  /// The output was given all that is loaded.
  package private(set) var isStarving = false
  /// Stretches heard since the last `takeHeard`.
  private var heard: [HeardSound] = []

  /// What is written stays of use where playing goes on so near to where it stood.
  private static let nearness = MediaTime(seconds: 0.04)

  /// - Parameters:
  ///   - places: the offset of the timeline at a place to the clip's times there.
  ///   - turn: how long the clip is where it loops; nil: it does not loop.
  package init(
    _ source: any SoundSource, output: any AudioOutput, clock: SoundClock, turn: MediaTime?,
    offset places: @escaping @Sendable (MediaTime) -> MediaTime
  ) {
    line = SoundLine(source, turn: turn)
    (self.output, self.clock, self.places, self.turn) = (output, clock, places, turn)
  }

  /// Whether another track can go on at the moment that is heard now.
  package func readiness(of source: any SoundSource, now: MonotonicTime) -> SoundReadiness {
    let place = clock.isRunning ? clock.position(at: now) : tempo?.place ?? .zero
    return source.readiness(at: max(place - places(place) - delay, .zero))
  }

  /// Another track, from the moment on that is heard now.
  package func change(to source: any SoundSource, now: MonotonicTime) throws(Failure) {
    line = SoundLine(source, turn: turn)
    try goOn(now)
  }

  /// Another output of the same format.
  package func change(to output: any AudioOutput, now: MonotonicTime) throws(Failure) {
    collect()
    self.output.pause()
    self.output = output
    try goOn(now)
  }

  /// Sound is heard so much later than the clip has it, or earlier.
  package func delay(by delay: MediaTime, now: MonotonicTime) throws(Failure) {
    guard delay != self.delay else { return }
    self.delay = delay
    try goOn(now)
  }

  private func goOn(_ now: MonotonicTime) throws(Failure) {
    guard let tempo else { return }
    let isRunning = clock.isRunning
    try begin(at: isRunning ? clock.position(at: now) : tempo.place, rate: tempo.rate)
    try fill()
    if isRunning { output.play() }
  }

  /// Carries out an order, tells the clock what is heard, and fills the output.
  ///
  /// Throws what decoding fails with; the output is paused then.
  package func step(now: MonotonicTime) throws(Failure) {
    do throws(Failure) {
      if let order = clock.takeOrder() { try carryOut(order) }
      collect()
      tellClock(now)
      try fill()
    } catch {
      output.pause()
      clock.limit(nil, at: now)
      throw error
    }
    clock.limit(isStarving ? tempo.map { $0.place(of: Double(written)) } : nil, at: now)
  }

  /// Fills the output with what is heard first, before playing is asked for.
  package func prepare(at place: MediaTime) throws(Failure) {
    try begin(at: place, rate: 1)
    try fill()
  }

  /// Sound that was heard since the last call, oldest first.
  package func takeHeard() -> [HeardSound] {
    defer { heard.removeAll(keepingCapacity: true) }
    return heard
  }

  private func carryOut(_ order: SoundClock.Order) throws(Failure) {
    switch order {
    case .pause: output.pause()
    case .rate(let rate): tempo?.setRate(rate)
    case .play(let place, let rate):
      if !holds(place, rate: rate) { try begin(at: place, rate: rate) }
      try fill()
      output.play()
    }
  }

  /// Whether the output stands near to a place.
  private func holds(_ place: MediaTime, rate: Double) -> Bool {
    guard let tempo, tempo.rate == rate, isNear(places(place) + delay, line.offset) else { return false }
    let next = output.position.map { tempo.place(of: $0.sampleFrame) } ?? tempo.place
    return isNear(next, place)
  }

  private func isNear(_ a: MediaTime, _ b: MediaTime) -> Bool {
    abs((a - b).nanoseconds) <= Self.nearness.nanoseconds
  }

  private func begin(at place: MediaTime, rate: Double) throws(Failure) {
    collect()
    output.clear()
    (taken, written) = (0, 0)
    levels?.clear()
    pending.removeAll(keepingCapacity: true)
    tempo = TempoLine(output.format, at: place, rate: rate)
    try line.move(to: place, offset: places(place) + delay)
  }

  private func tellClock(_ now: MonotonicTime) {
    guard let tempo, let position = output.position else { return clock.heardNothing(at: now) }
    clock.heard(tempo.place(of: position.sampleFrame), at: position.instant)
  }

  private func collect() {
    let played = output.takePlayed()
    guard let tempo else { return }
    for sound in played {
      heard.append(
        HeardSound(
          instant: sound.instant, place: tempo.place(of: Double(sound.first)) - delay,
          rate: tempo.rate(at: Int(sound.first)),
          length: output.format.duration(of: sound.count), gap: output.format.duration(of: sound.missing)))
    }
    if let last = played.last { self.tempo?.forget(before: Int(last.first)) }
  }

  private func fill() throws(Failure) {
    guard tempo != nil else { return }
    let channels = output.format.channelCount
    while true {
      if taken == pending.count {
        (pending, taken) = (try tempo?.next { () throws(Failure) in try line.next() } ?? [], 0)
        isStarving = pending.isEmpty
        if isStarving { return }
      }
      let count = pending.withUnsafeBufferPointer { output.write(UnsafeBufferPointer(rebasing: $0[taken...])) }
      if let levels, let tempo {
        levels.note(pending[Range(from: taken, to: taken + count * channels)], output.format) { [start = written] in
          tempo.place(of: Double(start + $0)) - delay
        }
      }
      (taken, written) = (taken + count * channels, written + count)
      guard taken == pending.count else { return }
    }
  }
}

/// A stretch of sound on the timeline as it was heard.
public struct HeardSound: Sendable, Hashable {
  /// When it began.
  public var instant: MonotonicTime
  public var place: MediaTime
  /// Media seconds per second.
  public var rate: Double
  /// How long it was heard, and the silence behind it that stands for sound which came too late: in time, not media time.
  public var length: MediaTime
  public var gap: MediaTime

  public init(instant: MonotonicTime, place: MediaTime, rate: Double = 1, length: MediaTime, gap: MediaTime = .zero) {
    (self.instant, self.place, self.rate) = (instant, place, rate)
    (self.length, self.gap) = (length, gap)
  }

  /// Where it ends on the timeline.
  public var end: MediaTime { place + MediaTime(seconds: length.seconds * rate) }
}
