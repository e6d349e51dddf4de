import Media

/// Hands over a segment of sound while it arrives: the movie fragments that have come, each group of them as a segment of its own. A value.
struct ArrivingSound {
  private var bytes: SegmentBytes?
  /// Where the bytes begin that are not handed over yet.
  private var place = 0

  /// The rest of a segment: all of it, once it is whole, else the fragments that are. Nil where nothing is.
  mutating func take(_ segment: MediaSegment, isWhole: Bool) -> MediaSegment? {
    if bytes !== segment.bytes { (bytes, place) = (segment.bytes, 0) }
    if isWhole, place == 0 { return segment }
    var piece = segment
    if isWhole {
      guard let rest = segment.bytes.rest(from: place) else { return nil }
      piece.bytes = rest
    } else {
      guard let (fragments, end) = segment.bytes.fragments(from: place) else { return nil }
      (piece.bytes, place) = (fragments, end)
      // What comes is the rest of this one: another's would not fit.
      segment.bytes.take()
    }
    return piece
  }
}
