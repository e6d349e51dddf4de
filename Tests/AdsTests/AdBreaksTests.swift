import Ads
import Frames
import Support
import Testing

/// When breaks are due, and what is told while an ad plays.
@Suite struct AdBreaksTests {
  private static func vmap(_ breaks: String) -> [UInt8] {
    Array(#"<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">\#(breaks)</vmap:VMAP>"#.utf8)
  }

  private static func pause(_ place: String, _ id: String, _ more: String = "") -> String {
    """
    <vmap:AdBreak timeOffset="\(place)" breakId="\(id)" \(more)><vmap:AdSource><vmap:AdTagURI templateType="vast3">
    <![CDATA[http://ads/\(id)]]></vmap:AdTagURI></vmap:AdSource><vmap:TrackingEvents>
    <vmap:Tracking event="breakStart">http://b/\(id)</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak>
    """
  }

  private static func breaks(_ rows: [(String, String)], seconds: Double? = 100) throws -> AdBreaks {
    let schedule = try AdSchedule(vmap(rows.map { pause($0.0, $0.1) }.joined()), "list")
    return AdBreaks(schedule, duration: seconds.map { MediaTime(seconds: $0) })
  }

  private static func second(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds) }

  @Test func schedulesAreRead() throws {
    let inside =
      "<vmap:AdSource><vmap:VASTAdData>\(AdStage.vast(AdStage.ad("a")).dropFirst(30))</vmap:VASTAdData></vmap:AdSource>"
    let schedule = try AdSchedule(
      Self.vmap(
        Self.pause("start", "a") + Self.pause("00:00:30.5", "b") + Self.pause("25%", "c") + Self.pause("end", "d")
          + Self.pause("#2", "e") + Self.pause("00:00:10", "f", #"breakType="nonlinear""#)
          + #"<vmap:AdBreak timeOffset="start">\#(inside)</vmap:AdBreak>"#), "list")
    try #require(
      schedule.breaks.map(\.id) == ["a", "b", "c", "d", nil] && schedule.notes.count == 2, "\(schedule.notes)")
    #expect(schedule.breaks[0].source == .tag("http://ads/a"))
    #expect(schedule.breaks[1].place == .place(.time(Self.second(30.5))))
    #expect(schedule.breaks[0].requests == [.init(event: .breakStart, url: "http://b/a")])
    guard case .response(let response) = schedule.breaks[4].source else { return #expect(Bool(false)) }
    #expect(response.ads.map(\.id) == ["a"])
    // VAST alone is a break before the clip.
    let alone = try AdSchedule(Array(AdStage.vast(AdStage.ad("a")).utf8), "list")
    #expect(alone.breaks.map(\.place) == [.start])
    let failure = #expect(throws: Failure.self) { try AdSchedule(Array("<html/>".utf8), "list") }
    #expect(failure?.description.contains("'list'") == true && failure?.kind == .media, "\(failure as Any)")
  }

  @Test func breaksAreDueOnceAndInOrder() throws {
    var breaks = try Self.breaks([("00:00:30", "b"), ("start", "a"), ("end", "e"), ("50%", "c"), ("00:05:00", "late")])
    #expect(breaks.places == [0, 30, 50].map(Self.second) && breaks.notes.count == 1)
    #expect(breaks.next(after: .zero)?.pause.id == "a")
    #expect(breaks.due(at: .zero)?.id == "a" && breaks.due(at: .zero) == nil)
    #expect(breaks.next(after: .zero)?.place == Self.second(30) && breaks.due(at: Self.second(29.99)) == nil)
    #expect(breaks.due(at: Self.second(30))?.id == "b" && breaks.due(at: Self.second(30.1)) == nil)
    // Back: none is played again.
    #expect(breaks.due(at: .zero) == nil && breaks.due(at: Self.second(60))?.id == "c")
    #expect(breaks.next(after: Self.second(60)).map { $0.place == nil } == true)
    #expect(breaks.dueAtEnd()?.id == "e" && breaks.dueAtEnd() == nil && breaks.next(after: .zero) == nil)
  }

  /// A seek over several plays the last one; two at one place are both played.
  @Test func seeksPlayTheLastBreak() throws {
    var breaks = try Self.breaks([("00:00:10", "a"), ("00:00:20", "b"), ("00:00:20", "b2"), ("00:00:40", "c")])
    #expect(breaks.due(at: Self.second(25))?.id == "b" && breaks.due(at: Self.second(25))?.id == "b2")
    #expect(breaks.due(at: Self.second(25)) == nil && breaks.due(at: Self.second(12)) == nil)
    #expect(breaks.due(at: Self.second(99))?.id == "c")
  }

  @Test func eventsAreToldOnce() throws {
    let stage = AdStage()
    stage.files["http://ads/v"] = AdStage.vast(AdStage.ad("a"))
    let ad = try #require(stage.pod("http://ads/v").ads.first)
    var progress = AdProgress(ad, duration: Self.second(20))
    func paths(_ urls: [AdURL]) -> [String] { urls.map { String($0.text.dropFirst("http://a/".count)) } }
    #expect(paths(progress.played(to: .zero)) == ["i", "start"] && progress.played(to: .zero).isEmpty)
    #expect(paths(progress.played(to: Self.second(1.99))).isEmpty)
    #expect(Set(paths(progress.played(to: Self.second(2)))) == ["2s", "10p"])
    #expect(progress.secondsToSkip(at: Self.second(2)) == 3 && progress.secondsToSkip(at: Self.second(9)) == 0)
    #expect(paths(progress.played(to: Self.second(11))) == ["mid"] && progress.played(to: Self.second(3)).isEmpty)
    #expect(paths(progress.end()) == ["end"] && progress.end().isEmpty && progress.happened(.pause).isEmpty)
    // An end that comes at once tells all.
    var short = AdProgress(ad, duration: nil)
    #expect(Set(paths(short.end())) == ["i", "start", "2s", "10p", "mid", "end"])
  }

  @Test func macrosAreFilled() {
    var macros = AdMacros(time: 1_800_000_000_250_000_000, random: 4_000_000_123)
    (macros.errorCode, macros.contentPlace) = (.noPlayableFile, Self.second(3725.25))
    let filled = macros.filled(
      "http://h/[ERRORCODE]?c=[CACHEBUSTING]&t=[TIMESTAMP]&p=[CONTENTPLAYHEAD]&a=[ADPLAYHEAD]&x=[DEVICEUA]")
    #expect(
      filled == "http://h/403?c=00000123&t=2027-01-15T08:00:00.250Z&p=01:02:05.250&a=-1&x=-1", "\(filled)")
    for text in ["", "[", "]", "[]", "a[b]c", "[A", "[[ERRORCODE]]"] {
      #expect(macros.filled(text) == (text == "[[ERRORCODE]]" ? "[403]" : text))
    }
  }
}
