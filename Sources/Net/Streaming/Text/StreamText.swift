import Frames
import Media

/// A segment of subtitles: a WebVTT file of its own.
package struct TextPiece: Sendable {
  package var bytes: [UInt8]
  /// On the stream's axis.
  package var start: MediaTime
  /// What is added to a cue's time to get its place on the axis.
  package var shift: MediaTime
}

/// One track of a stream's subtitles: its segments around the picture, each once. One thread reads it; another loads it, until the last
/// reference is gone.
///
/// The picture plays on where text cannot be had: a segment that the server lacks is left out, and after an outage loading continues.
package final class StreamText: Sendable {
  private let store: TextStore
  private let runs: RunOffsets
  private let release: @Sendable () -> Void

  /// The video tells of a run's time stamps; text waits so long for it, in milliseconds.
  private static let clockMilliseconds = 10_000.0

  init(_ store: TextStore, _ runs: RunOffsets, release: @escaping @Sendable () -> Void) {
    (self.store, self.runs, self.release) = (store, runs, release)
  }

  deinit { release() }

  /// The next segment near the picture that was not given before; waits for it. Nil once it is over.
  ///
  /// Throws why the track cannot be had.
  package func next() throws(Failure) -> TextPiece? {
    while let (segment, end) = try store.next() {
      guard !segment.bytes.hasHeader else {
        throw Failure(
          .unsupported, "cannot show the subtitles of '\(store.path)'", cause: "they lie in fragmented MP4",
          remedy: "choose others: only WebVTT text is read")
      }
      guard let offset = offset(of: segment, end: end) else { continue }
      let bytes = segment.bytes.withMedia { Array($0) }
      let shift = TextClock(bytes).shift(start: segment.start, end: end, offset: offset)
      return TextPiece(bytes: bytes, start: segment.start, shift: shift)
    }
    return nil
  }

  /// By which the media's time stamps are ahead of the axis; nil where that is not known and the picture is past the segment.
  private func offset(of segment: MediaSegment, end: MediaTime) -> MediaTime? {
    switch segment.clock {
    case .behind(let offset): return offset
    case .run(let number):
      if let known = runs.offset(of: number) { return MediaTime(nanoseconds: known) }
      guard end > store.playhead else { return nil }
      let found = runs.offset(
        of: number, beginningAt: segment.start, until: .now.advanced(byMilliseconds: Self.clockMilliseconds),
        unless: store.ending)
      guard !store.ending.shouldStop else { return nil }
      return MediaTime(nanoseconds: found ?? 0)
    }
  }
}
