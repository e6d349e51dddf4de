import Frames
import Testing

import Streaming

/// Invariants of every presentation, damaged manifests included.
struct ManifestCheck {
  private let presentation: Presentation
  private let isRemote: Bool

  init(_ presentation: Presentation, isRemote: Bool) {
    self.presentation = presentation
    self.isRemote = isRemote
  }

  /// Records an issue with `comment` for the first thing of each timeline that does not hold.
  func check(_ comment: String) {
    #expect(presentation.notes.count <= ManifestLimits.noteCount)
    for (place, period) in presentation.periods.enumerated() {
      if place > 0 { #expect(presentation.periods[place - 1].start <= period.start, "\(comment)") }
      #expect(period.duration.map { $0 >= .zero } ?? true, "\(comment)")
      for rendition in period.adaptationSets.flatMap(\.renditions) {
        for source in [rendition.source] + rendition.mirrors { check(source, comment) }
      }
    }
  }

  private func check(_ source: SegmentSource, _ comment: String) {
    switch source {
    case .insideVideo: break
    case .playlist(let address, let loaded):
      check(address, comment)
      if let timeline = loaded?.timeline { check(timeline, comment) }
    case .index(let file): check(file.address, comment)
    case .timeline(let timeline): check(timeline, comment)
    }
  }

  private func check(_ address: StreamAddress, _ comment: String) {
    let isWeb = address.text.hasPrefix("http://") || address.text.hasPrefix("https://")
    let isClean = address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !address.text.contains("#")
    #expect(isClean && (isWeb || !isRemote && address.path != nil), "\(comment): \(address.text)")
    #expect(address.text.utf8.count <= ManifestLimits.addressLength + 64, "\(comment)")
  }

  /// Each segment begins where the one before ends or later within it, numbers grow, and looking up finds them.
  private func check(_ timeline: SegmentTimeline, _ comment: String) {
    let count = timeline.count ?? 1_000
    var last: Segment?
    for place in Set(Array(0..<min(count, 300)) + [count / 2, count - 1]).sorted() where place >= 0 && place < count {
      guard let segment = timeline[place] else {
        #expect(timeline.count == nil, "\(comment): segment \(place) is missing")
        return
      }
      if let last, last.start > segment.start || last.number >= segment.number {
        Issue.record("\(comment): segment \(place) goes back")
        return
      }
      guard segment.duration >= 0, timeline.index(ofNumber: segment.number) == place else {
        Issue.record("\(comment): segment \(place) is not found by its number")
        return
      }
      let start = timeline.start(of: segment) + MediaTime(nanoseconds: 1)
      // Nanoseconds reach 292 years. Where a tick is hardly longer, the next segment may begin at the same one.
      if segment.duration > 0, timeline.timescale < 100_000_000, start.nanoseconds < .max / 2,
        let found = timeline.index(at: start), abs(found - place) > 1
      {
        Issue.record("\(comment): segment \(place) is not found by its time")
      }
      if place < 3 { check(segment.address, comment) }
      last = segment
    }
    #expect(timeline[count == timeline.count ? count : .max] == nil, "\(comment)")
  }
}
