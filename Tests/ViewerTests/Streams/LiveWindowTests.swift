import Frames
import Streaming
import Testing
import Viewer

/// What the controls say of a live stream, by its window and by the place of its picture.
@Suite struct LiveWindowTests {
  /// 2026-11-25T12:00:00Z, where the axis is 0.
  static let noon = WallTime("2026-11-25T12:00:00Z".utf8)

  static func edge(_ start: Double = 100.4, _ end: Double = 400, zero: WallTime? = noon) -> LiveEdge {
    var edge = LiveEdge(
      start: MediaTime(seconds: start), end: MediaTime(seconds: end), learnt: 10, step: MediaTime(seconds: 2))
    edge.zero = zero
    return edge
  }

  static func window(
    _ edge: LiveEdge = edge(), live: Double = 394, place: Double, now: Double = 10, zone: Int = 0
  ) -> LiveWindow {
    LiveWindow(edge, live: MediaTime(seconds: live), place: MediaTime(seconds: place), now: now, zone: zone)
  }

  @Test func theSliderMovesOnceASecond() {
    let spans = (0...40).map { step in
      let moved = Double(step) / 20
      let window = Self.window(Self.edge(100.4 + moved, 400 + moved), live: 394 + moved, place: 390)
      return [window.start.seconds, window.end.seconds]
    }
    #expect(spans.first == [100, 400])
    #expect(Set(spans.map { $0[0] }) == [100, 101, 102] && Set(spans.map { $0[1] }) == [400, 401, 402])
    // Between two updates the edge goes on for a piece, and no further.
    #expect([10.5, 11.5, 60].map { Self.window(place: 390, now: $0).end.seconds } == [401, 402, 402])
    #expect(Self.window(Self.edge(-3.5, -3.2), place: -3.4).start.seconds == -4)
  }

  @Test func theBadgeTellsWhetherThePictureIsLive() {
    #expect(Self.window(place: 394).badge == .live && Self.window(place: 396).badge == .live)
    #expect(Self.window(place: 391.1).badge == .live, "pieces come in seconds")
    #expect(Self.window(place: 390.9).badge == .behind && Self.window(place: 390.9).behind > 3)
    var ended = Self.edge()
    ended.hasEnded = true
    #expect(Self.window(ended, place: 394).badge == .ended && LiveWindow.Badge.ended.text() == "ENDED")
  }

  @Test func placesHaveTheUsersTimeOfDay() {
    let window = Self.window(place: 394)
    #expect(window.text(of: MediaTime(seconds: 394), showsBehind: false) == "12:06:34")
    #expect(window.text(of: MediaTime(seconds: 394), showsBehind: true) == "Live")
    #expect(window.text(of: MediaTime(seconds: 322), showsBehind: true) == "−1:12")
    #expect(window.hint(at: MediaTime(seconds: 322)) == "12:05:22 · −1:12")
    #expect(window.hint(at: MediaTime(seconds: 394)) == "12:06:34 · Live")
    #expect(Self.window(place: 394, zone: -5 * 3600).text(of: .zero, showsBehind: false) == "07:00:00")
    #expect(Self.window(place: 394, zone: 19_800).text(of: .zero, showsBehind: false) == "17:30:00")
    #expect(window.widestText().count == "−00:00:00".count)
  }

  /// A day that is not the live edge's is named; the time before 1970 too.
  @Test func anotherDayIsNamed() {
    let midnight = WallTime("2027-01-01T00:00:00Z".utf8)
    let window = Self.window(Self.edge(-200, 100, zero: midnight), live: 94, place: 94)
    #expect(window.text(of: MediaTime(seconds: 94), showsBehind: false) == "00:01:34")
    #expect(window.text(of: MediaTime(seconds: -1), showsBehind: false) == "2026-12-31 23:59:59")
    #expect(window.widestText().count == "2026-12-31 23:59:59".count)
    for (text, shown) in [
      ("1969-12-31T23:59:58Z", "1969-12-31 23:59:59"), ("2024-02-28T23:59:59Z", "2024-02-29 00:00:00"),
      ("2100-02-28T23:59:59Z", "2100-03-01 00:00:00"), ("1999-12-31T12:00:00Z", "1999-12-31 12:00:01"),
    ] {
      let window = Self.window(Self.edge(0, 500_000, zero: WallTime(text.utf8)), live: 400_000, place: 1)
      #expect(window.text(of: MediaTime(seconds: 1), showsBehind: false) == shown)
    }
  }

  @Test func withoutATimeOfDayDistancesAreShown() {
    let window = Self.window(Self.edge(zero: nil), place: 394)
    #expect(window.text(of: MediaTime(seconds: 322), showsBehind: false) == "−1:12")
    #expect(window.hint(at: MediaTime(seconds: 394)) == "Live" && window.widestText() == "−00:00:00")
    #expect(Self.window(Self.edge(0, 4000, zero: nil), live: 3994, place: 0).hint(at: .zero) == "−1:06:34")
  }
}
