import Frames

/// The places from which one rung of a period can be loaded. A value.
struct RungSources {
  private let sources: [SegmentSource]
  /// Of the known ones.
  private var timelines: [Int: SegmentTimeline] = [:]
  private(set) var present = 0
  let protection: Protection?

  /// - Parameter renditions: which hold the same; nil where there are none.
  init?(_ renditions: [Rendition]) {
    guard let first = renditions.first else { return nil }
    sources = renditions.flatMap { [$0.source] + $0.mirrors }
    protection = first.protection
    for (number, source) in sources.enumerated() { timelines[number] = source.timeline }
  }

  var count: Int { sources.count }
  var source: SegmentSource { sources[present] }
  /// Of the present source; nil before it was loaded.
  var timeline: SegmentTimeline? { timelines[present] }

  mutating func learn(_ timeline: SegmentTimeline) { timelines[present] = timeline }
  mutating func use(_ number: Int) { present = number % sources.count }
}
