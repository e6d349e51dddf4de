import Frames

/// One file of which an index tells where its segments lie (`SegmentBase`).
public struct IndexedFile: Sendable {
  public let address: StreamAddress
  /// Where the index lies.
  public let indexRange: ByteRange
  public let initialization: InitializationSection?
  /// On the presentation's axis.
  let origin: MediaTime
  let periodDuration: MediaTime?
  let period: Int64
  /// The media's time stamp at the period's start, in ticks of `timescale`.
  let mediaOffset: Int64
  let timescale: Int64

  /// The segments of the file, from the bytes of `indexRange`.
  ///
  /// Throws for bytes without a `sidx` box of ISO/IEC 14496-12 §8.16.3, for an index of indexes, and for one that
  /// leads outside what can be counted. Segments outside the period are left out.
  public func timeline(index bytes: [UInt8]) throws(Failure) -> SegmentTimeline {
    do {
      let index = try SegmentIndexBox(bytes)
      return try timeline(index)
    } catch {
      throw error.failure("segment index of", address)
    }
  }

  private func timeline(_ index: SegmentIndexBox) throws(ManifestFlaw) -> SegmentTimeline {
    let scaled = Int128(mediaOffset) * Int128(index.timescale) / Int128(timescale)
    let end = periodDuration.map { TickArithmetic.ticks(covering: $0, timescale: index.timescale) }
    guard let offset = Int64(exactly: scaled), var start = index.earliest.subtracting(offset),
      let anchor = indexRange.offset.adding(index.size), var place = anchor.adding(index.firstOffset)
    else { throw ManifestFlaw("its numbers are too great") }
    var segments: [Segment] = []
    segments.reserveCapacity(index.references.count)
    for (number, reference) in index.references.enumerated() {
      guard let next = start.adding(reference.duration), let range = ByteRange(offset: place, length: reference.size)
      else { throw ManifestFlaw("segment \(number + 1) is empty, or ends beyond what can be counted") }
      if next > 0, end.map({ start < $0 }) ?? true {
        var segment = Segment(
          number: Int64(number) + 1, address: address, range: range, start: start, duration: reference.duration,
          discontinuity: period)
        segment.initialization = initialization
        segments.append(segment)
      }
      start = next
      place = range.end
    }
    return SegmentTimeline(listed: segments, timescale: index.timescale, origin: origin, mediaOffset: offset)
  }
}
