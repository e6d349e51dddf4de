import Frames

/// How good the pictures of each segment of each rung are, dB: measured when a ladder was made. A value.
public struct SegmentQualityTable: Sendable, Hashable {
  public typealias Measure = LadderIndex.Quality.Measure

  public let measure: Measure
  /// For each segment of each rung, dB.
  public let decibels: [[Double]]

  /// Values of a segment, dB.
  static let limits = -100.0...100.0

  init(_ measure: Measure, _ decibels: [[Double]]) { (self.measure, self.decibels) = (measure, decibels) }

  /// Number of rungs.
  public var rungs: Int { decibels.first?.count ?? 0 }

  /// These segments, one after the other.
  func taking(_ segments: [Int]) -> SegmentQualityTable {
    SegmentQualityTable(measure, segments.map { decibels[$0] })
  }

  /// Why it does not belong to so many segments and rungs, in words; nil where it does.
  func problem(segments: Int, rungs: Int) -> String? {
    if decibels.count != segments || decibels.contains(where: { $0.count != rungs }) {
      return "its quality is not of \(segments) segments of \(rungs) rungs"
    }
    if decibels.contains(where: { !$0.allSatisfy(Self.limits.contains) }) {
      return "a segment has a quality outside −100…100 dB"
    }
    return nil
  }
}
