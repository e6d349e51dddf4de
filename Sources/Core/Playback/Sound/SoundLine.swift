import Frames

/// Frames of sound → one line of samples without gaps: silence where the track has none, nothing twice, and turn after turn where
/// the clip loops. Places are on the timeline. One thread at a time.
package struct SoundLine {
  private let source: any SoundSource
  /// The duration of a turn, where the clip loops: as long as the picture's turns are at least.
  private let turn: MediaTime?
  /// The place of the next sample.
  package private(set) var cursor = MediaTime.zero
  /// What is added to the clip's times, and where the turn begins.
  package private(set) var offset = MediaTime.zero
  private var turnStart = MediaTime.zero
  /// The frame that comes next, not yet due.
  private var held: AudioFrame?
  private var hasEnded = false
  /// What follows is not loaded yet: `next` gave none.
  package private(set) var isStarving = false

  /// Silence comes in pieces of at most so long.
  private static let longestSilence = MediaTime(seconds: 0.1)
  /// Stamps are rounded: a smaller difference is none.
  private static let tolerance = MediaTime(nanoseconds: 500_000)

  /// - Parameter turn: how long the clip is where it loops; nil: it does not loop.
  package init(_ source: any SoundSource, turn: MediaTime?) {
    self.source = source
    self.turn = turn.flatMap { $0 > .zero ? max($0, Timeline.shortestTurn) : nil }
  }

  package var format: SoundFormat { source.format }

  /// The next sample is that of a place.
  ///
  /// - Parameter offset: what is added to the clip's times there.
  package mutating func move(to place: MediaTime, offset: MediaTime) throws(Failure) {
    (cursor, self.offset) = (place, offset)
    turnStart = offset
    (held, hasEnded) = (nil, false)
    try source.seek(to: max(place - offset, .zero))
  }

  /// The samples that follow, silence included; none only where `isStarving` then says so.
  package mutating func next() throws(Failure) -> [Float] {
    isStarving = false
    while true {
      // Times are rounded: less than half a sample is none.
      if let turn, format.sampleFrames(in: turnStart + turn - cursor) <= 0 { try wrap(turn) }
      guard let frame = try upcoming() else {
        return isStarving ? [] : silence(until: turn.map { turnStart + $0 })
      }
      let place = frame.presentationTime + offset
      if place - cursor > Self.tolerance { return silence(until: place) }
      held = nil
      let samples = trimmed(frame, at: place)
      guard !samples.isEmpty else { continue }
      cursor = cursor + format.duration(of: samples.count / format.channelCount)
      return samples
    }
  }

  private mutating func upcoming() throws(Failure) -> AudioFrame? {
    if held == nil, !hasEnded {
      held = try source.next()
      isStarving = held == nil && source.isStarving
      hasEnded = held == nil && !isStarving
    }
    return held
  }

  private mutating func wrap(_ turn: MediaTime) throws(Failure) {
    turnStart = turnStart + turn
    offset = offset + turn
    (held, hasEnded) = (nil, false)
    try source.seek(to: max(cursor - offset, .zero))
  }

  private mutating func silence(until place: MediaTime?) -> [Float] {
    let length = min(place.map { $0 - cursor } ?? Self.longestSilence, Self.longestSilence)
    let count = max(1, format.sampleFrames(in: length))
    cursor = cursor + format.duration(of: count)
    return [Float](repeating: 0, count: count * format.channelCount)
  }

  /// Without samples before the cursor, and behind the end of the turn.
  private func trimmed(_ frame: AudioFrame, at place: MediaTime) -> [Float] {
    let early = cursor - place > Self.tolerance ? format.sampleFrames(in: cursor - place) : 0
    var end = frame.sampleFrames
    if let turn, frame.end + offset > turnStart + turn {
      end = min(end, max(0, format.sampleFrames(in: turnStart + turn - place)))
    }
    guard early > 0 || end < frame.sampleFrames else { return frame.samples }
    guard early < end else { return [] }
    return Array(frame.samples[Range(from: early * format.channelCount, to: end * format.channelCount)])
  }
}
