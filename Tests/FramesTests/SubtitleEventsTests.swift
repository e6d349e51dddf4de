import Frames
import Support
import Testing

@Suite struct SubtitleEventsTests {
  private func event(_ start: Int64, _ end: Int64, _ text: String = "x") -> SubtitleEvent {
    SubtitleEvent(
      start: MediaTime(nanoseconds: start * 1_000_000), end: MediaTime(nanoseconds: end * 1_000_000),
      line: "0,0,Default,,0,0,0,,\(text)")
  }

  /// The slow twin: asks every event.
  private func twin(_ events: [SubtitleEvent], _ time: MediaTime) -> Set<SubtitleEvent> {
    Set(events.filter { $0.start <= time && time < $0.end })
  }

  @Test func visibleEventsMatchTheTwin() {
    var random = SeededGenerator(for: "visibleEventsMatchTheTwin")
    for _ in 0..<200 {
      let isSparse = Bool.random(using: &random)
      let events = (0..<Int.random(in: 0...60, using: &random)).map { number in
        let start = Int64.random(in: 0...(isSparse ? 10_000 : 200), using: &random)
        return event(start, start + Int64.random(in: 0...(isSparse ? 300 : 60), using: &random), "\(number)")
      }
      let known = SubtitleEvents(events)
      #expect(known.count == events.count)
      for _ in 0..<50 {
        let time = MediaTime(nanoseconds: Int64.random(in: -5_000_000...10_400_000_000, using: &random))
        let found = known.visible(at: time)
        #expect(Set(found) == twin(events, time) && found.count == twin(events, time).count, "seed \(random.seed)")
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.start <= $1.start })
      }
      // At the exact starts and ends of events.
      for time in events.flatMap({ [$0.start, $0.end] }) {
        #expect(Set(known.visible(at: time)) == twin(events, time), "seed \(random.seed)")
      }
    }
  }

  @Test func latestEventsAreShownBeyondTheLimit() {
    let known = SubtitleEvents((0..<500).map { event($0, 1000, "\($0)") })
    let found = known.visible(at: MediaTime(seconds: 0.9))
    #expect(found.count == SubtitleEvents.visibleLimit && found.last?.text == "499")
  }

  @Test func timesAreWholeMilliseconds() {
    let event = SubtitleEvent(
      start: MediaTime(nanoseconds: 1_066_999_999), end: MediaTime(nanoseconds: 2_000_000_001), line: "")
    #expect(event.start.nanoseconds == 1_066_000_000 && event.end.nanoseconds == 2_000_000_000)
  }

  @Test func fieldsOfALine() {
    let one = SubtitleEvent(start: .zero, end: .zero, line: "3,0,Default,,0,0,0,Banner;10,a, {\\i1}b{\\i0},,c")
    #expect(one.text == "a, {\\i1}b{\\i0},,c" && one.effect == "Banner;10")
    #expect(!one.isEmpty)
    for (line, isEmpty) in [
      ("", true), ("0,0,Default,,0,0,0,,", true), ("0,0,Default,", false), ("0,0,Default,x", false),
    ] {
      #expect(SubtitleEvent(start: .zero, end: .zero, line: line).isEmpty == isEmpty, "\(line)")
    }
    for line in ["", "a,b", "1,2,3,4,5,6,7,8"] {
      #expect(SubtitleEvent(start: .zero, end: .zero, line: line).text.isEmpty, "\(line)")
    }
  }
}
