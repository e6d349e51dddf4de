import Bench360Player
import Frames
import Testing

/// Subtitles of a stream's segments.
@Suite struct StreamLinesTests {
  private func event(_ start: Double, _ end: Double, _ text: String, number: Int = 0) -> SubtitleEvent {
    SubtitleEvent(
      start: MediaTime(seconds: start), end: MediaTime(seconds: end), line: "\(number),0,Default,,0,0,0,,\(text)")
  }

  /// A cue that is shown over an edge stands in both segments, with another number.
  @Test func aLineOfTwoSegmentsIsOne() throws {
    var lines = StreamLines()
    let shift = MediaTime(seconds: -10)
    try lines.add(event(14, 15, "later"), shift: shift, "a stream")
    try lines.add(event(11, 13, "over the edge", number: 7), shift: shift, "a stream")
    try lines.add(event(1, 3, "over the edge", number: 0), shift: .zero, "a stream")
    try lines.add(event(1, 3, "another"), shift: .zero, "a stream")
    #expect(lines.events.count == 3)
    #expect(lines.events.visible(at: MediaTime(seconds: 2)).map { "\($0.text)" } == ["over the edge", "another"])
    #expect(lines.events.visible(at: MediaTime(seconds: 4.5)).map { "\($0.text)" } == ["later"])
  }

  /// The window of a live stream moves on: what has left it is not kept, and comes again where it does.
  @Test func linesThatHaveLeftTheWindowAreForgotten() throws {
    var lines = StreamLines()
    for second in 0..<10 { try lines.add(event(Double(second), Double(second) + 1, "\(second)"), shift: .zero, "live") }
    lines.forget(before: MediaTime(seconds: 7.5))
    #expect(lines.events.count == 3)
    try lines.add(event(7, 8, "7"), shift: .zero, "live")
    try lines.add(event(2, 3, "2"), shift: .zero, "live")
    #expect(lines.events.count == 4)
  }
}
