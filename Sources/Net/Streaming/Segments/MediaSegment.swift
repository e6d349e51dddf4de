import Frames
import Media

/// A piece of a stream's video, which may still be arriving.
package struct MediaSegment: Sendable {
  /// Its bytes, behind those of its initialisation section.
  package var bytes: SegmentBytes
  /// Segments of the same number have their initialisation section in common, and so their coding.
  package var coding: Int
  /// Where it begins on the stream's axis.
  package var start: MediaTime
  package var clock: SegmentClock
  /// Of samples that are encrypted one by one, 16 bytes (ISO/IEC 23001-7); nil: they are not.
  package var key: [UInt8]?
  /// Of that key, where the stream tells.
  package var keyIdentifier: [UInt8]?

  package init(bytes: SegmentBytes, coding: Int, start: MediaTime, clock: SegmentClock) {
    (self.bytes, self.coding, self.start, self.clock) = (bytes, coding, start, clock)
  }
}

/// How a segment's own time stamps lie on the stream's axis.
package enum SegmentClock: Sendable, Hashable {
  /// So far behind it: the manifest tells.
  case behind(MediaTime)
  /// Only the media tells: in the first segment that is read of all with this number, the first picture lies at the segment's start.
  case run(Int64)
}

/// Segments of a stream, one after the other: what a player loads. One thread takes them.
package protocol SegmentSupply: AnyObject, Sendable {
  /// As the user named the stream.
  var path: String { get }
  /// Known once a segment was taken; nil for a stream without an end.
  var duration: MediaTime? { get }
  /// Nil where the stream does not say that its pictures are synthetic.
  var synthetic: SyntheticTag? { get }
  /// `hls`, `dash`.
  var container: String { get }

  /// Earlier pictures of the first segment are decoded and not shown; nil: all are shown. Known once a segment was taken.
  var shownFrom: MediaTime? { get }

  /// The next segment; waits for it. Nil at the end.
  ///
  /// Throws why it cannot be had, once all those before it were taken, and `.cancelled` once the
  /// interruption asks to stop, or is superseded where the caller lets it.
  func next(unless interruption: Interruption, orSuperseded: Bool) throws(Failure) -> MediaSegment?
  /// Goes on with the segment that holds a place on the axis; false where the stream cannot.
  func seek(to time: MediaTime) -> Bool
}

extension SegmentSupply {
  package var shownFrom: MediaTime? { nil }
}
