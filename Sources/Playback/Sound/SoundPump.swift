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
  /// Keeps the pitch at other rates than 1. Where a sample lies on the timeline follows from the rate: the filter's windows are off
  /// that by some milliseconds.
  private var tempo: TempoFilter
  /// Sound is heard so much later than the clip has it.
  private var delay = MediaTime.zero
  /// Samples that the output had no room for, and how many of them it has taken since.
  private var pending: [Float] = []
  private var taken = 0
  /// Sample frames that the output was given.
  private var written = 0
  /// The place of the output's sample frame 0, and media seconds per second from there on; nil: it was given nothing.
  private var anchor: (place: MediaTime, rate: Double)?
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
    tempo = TempoFilter(channels: source.format.channelCount, sampleRate: source.format.sampleRate)
    (self.output, self.clock, self.places, self.turn) = (output, clock, places, turn)
  }

  /// Whether another track can go on at the moment that is heard now.
  package func readiness(of source: any SoundSource, now: MonotonicTime) -> SoundReadiness {
    let place = clock.isRunning ? clock.position(at: now) : anchor?.place ?? .zero
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
    guard let anchor else { return }
    let isRunning = clock.isRunning
    try begin(at: isRunning ? clock.position(at: now) : anchor.place, rate: anchor.rate)
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
    clock.limit(isStarving ? anchor.map { place(of: Double(written), $0) } : nil, at: now)
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
    case .play(let place, let rate):
      if !holds(place, rate: rate) { try begin(at: place, rate: rate) }
      try fill()
      output.play()
    }
  }

  /// Whether the output stands near to a place.
  private func holds(_ place: MediaTime, rate: Double) -> Bool {
    guard let anchor, anchor.rate == rate, isNear(places(place) + delay, line.offset) else { return false }
    let next = output.position.map { self.place(of: $0.sampleFrame, anchor) } ?? anchor.place
    return isNear(next, place)
  }

  private func isNear(_ a: MediaTime, _ b: MediaTime) -> Bool {
    abs((a - b).nanoseconds) <= Self.nearness.nanoseconds
  }

  private func begin(at place: MediaTime, rate: Double) throws(Failure) {
    collect()
    output.clear()
    (anchor, taken, written) = ((place, rate), 0, 0)
    levels?.clear()
    pending.removeAll(keepingCapacity: true)
    tempo = TempoFilter(channels: output.format.channelCount, sampleRate: output.format.sampleRate)
    tempo.rate = rate
    try line.move(to: place, offset: places(place) + delay)
  }

  private func tellClock(_ now: MonotonicTime) {
    guard let anchor, let position = output.position else { return clock.heardNothing(at: now) }
    clock.heard(place(of: position.sampleFrame, anchor), at: position.instant)
  }

  private func collect() {
    let played = output.takePlayed()
    guard let anchor else { return }
    for sound in played {
      heard.append(
        HeardSound(
          instant: sound.instant, place: place(of: Double(sound.first), anchor) - delay, rate: anchor.rate,
          length: output.format.duration(of: sound.count), gap: output.format.duration(of: sound.missing)))
    }
  }

  private func place(of sampleFrame: Double, _ anchor: (place: MediaTime, rate: Double)) -> MediaTime {
    anchor.place + MediaTime(seconds: sampleFrame / Double(output.format.sampleRate) * anchor.rate)
  }

  private func fill() throws(Failure) {
    guard let anchor else { return }
    let channels = output.format.channelCount
    while true {
      if taken == pending.count {
        (pending, taken) = (try nextSamples(), 0)
        isStarving = pending.isEmpty
        if isStarving { return }
      }
      let count = pending.withUnsafeBufferPointer { output.write(UnsafeBufferPointer(rebasing: $0[taken...])) }
      let start = written
      levels?.note(pending[taken..<taken + count * channels], output.format) {
        place(of: Double(start + $0), anchor) - delay
      }
      (taken, written) = (taken + count * channels, written + count)
      guard taken == pending.count else { return }
    }
  }
}

extension SoundPump {
  /// None where the line starves. At other rates than 1 the filter keeps some until it has a window of them.
  private func nextSamples() throws(Failure) -> [Float] {
    guard tempo.rate != 1 else { return try line.next() }
    while true {
      let more = try line.next()
      guard !more.isEmpty else { return [] }
      tempo.append(more)
      let samples = tempo.take()
      if !samples.isEmpty { return samples }
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
