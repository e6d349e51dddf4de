import Ads
import Foundation
import Frames
import Media
import Support
import Testing

/// Breaks of a clip that plays: what is shown when, and whom it is told to. Ads are opened as their URLs.
@Suite(.tier(.test)) struct AdPlaybackTests {
  private static func second(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds) }

  /// A server that is told, and a schedule whose ads tell it.
  private final class Stage {
    let server: ScriptedServer
    let playback: AdPlayback<String>
    private(set) var failures: [AdFailure] = []

    init(
      _ breaks: [(String, Int)], skips: String? = nil,
      opening: @escaping AdPlayback<String>.Opening = { ad, _ in ad.file.url }
    ) throws {
      let server = try ScriptedServer { _, connection in connection.respond("200 OK", [], body: []) }
      self.server = server
      let text = AdText.vmap(
        breaks.map { place, count in
          (
            place,
            (1...count).map { AdText.ad("http://ads/\($0).mp4", number: $0, skips: skips, told: server.url("/\($0)")) }
          )
        })
      let plan = try AdPlan(try AdSchedule(Array(text.utf8), "list"))
      var note: (AdFailure) -> Void = { _ in }
      playback = AdPlayback(
        plan, AdBreaks(plan.schedule, duration: MediaTime(seconds: 10)), open: opening,
        onTurn: { if case .failed(let failure) = $0 { note(failure) } })
      note = { [unowned self] in failures.append($0) }
    }

    /// What follows, once it is known.
    func next() throws -> String? {
      let found = Patience.value { () -> String?? in
        switch playback.next(at: .now) {
        case .waiting: nil
        case .over: .some(nil)
        case .ad(let ad, let clip):
          {
            playback.begin(ad, duration: MediaTime(seconds: 4))
            return clip
          }()
        }
      }
      return try #require(found)
    }

    func isTold(_ paths: [String]) -> Bool { Patience.until { Set(server.requests.map(\.path)).isSuperset(of: paths) } }
  }

  @Test func aPodIsPlayedInItsPlace() throws {
    let stage = try Stage([("start", 2), ("50%", 1), ("end", 1)])
    let playback = stage.playback
    #expect(playback.begin(before: .zero) && playback.isBreak)
    #expect(try stage.next() == "http://ads/1.mp4" && playback.current?.number == 1)
    playback.played(to: Self.second(2.1))
    playback.end()
    #expect(playback.current == nil && playback.isBreak)
    #expect(try stage.next() == "http://ads/2.mp4" && playback.current?.number == 2)
    playback.end()
    #expect(try stage.next() == nil && !playback.isBreak)
    #expect(!playback.begin(before: Self.second(4.9)))
    playback.loadNext(after: Self.second(4.9))
    #expect(playback.begin(before: Self.second(5)), "loaded ahead, or not")
    #expect(try stage.next() == "http://ads/1.mp4")
    playback.end()
    #expect(try stage.next() == nil && !playback.begin(before: Self.second(9)), "each once")
    #expect(playback.beginAtEnd(Self.second(10)))
    #expect(try stage.next() != nil)
    playback.end()
    #expect(try stage.next() == nil && !playback.beginAtEnd(Self.second(10)) && stage.failures.isEmpty)
    #expect(stage.isTold(["/1/start", "/1/midpoint", "/1/complete", "/2/start", "/2/complete"]))
    #expect(!stage.server.requests.contains { $0.path.contains("error") })
  }

  @Test func anAdIsSkippedOnceItMayBe() throws {
    let stage = try Stage([("start", 2)], skips: "00:00:02")
    #expect(stage.playback.begin(before: .zero))
    #expect(try stage.next() != nil)
    #expect(stage.playback.secondsToSkip(at: Self.second(0.5)) == 1.5)
    #expect(!stage.playback.skip(at: Self.second(1.9)) && stage.playback.current != nil)
    #expect(stage.playback.skip(at: Self.second(2)) && stage.playback.current == nil)
    #expect(!stage.playback.skip(at: Self.second(3)), "none is shown")
    #expect(try stage.next() == "http://ads/2.mp4", "the next one of its pod")
    stage.playback.happened(.pause, at: Self.second(1))
    #expect(stage.isTold(["/1/skip", "/2/pause"]) && !stage.server.requests.contains { $0.path == "/1/complete" })
    let never = try Stage([("start", 1)])
    #expect(never.playback.begin(before: .zero))
    #expect(try never.next() != nil)
    #expect(never.playback.secondsToSkip(at: .zero) == nil && !never.playback.skip(at: Self.second(100)))
  }

  /// What cannot be opened, what stops, and what does not come: the clip goes on, and the server gets the number.
  @Test func failuresAreToldWithTheirNumbers() throws {
    let stage = try Stage([("start", 3)]) { (ad, _) throws(Failure) in
      if ad.id == "1" { throw Failure(.input, "cannot open it", cause: "the server answered 404") }
      return ad.file.url
    }
    #expect(stage.playback.begin(before: .zero))
    #expect(try stage.next() == "http://ads/2.mp4")
    stage.playback.giveUp(Failure(.media, "cannot play it", cause: "it is damaged"))
    #expect(try stage.next() == "http://ads/3.mp4")
    stage.playback.giveUp(nil)
    #expect(try stage.next() == nil)
    #expect(stage.failures.map(\.code) == [.noFile, .cannotPlay, .slow])
    #expect(stage.isTold(["/1/error?c=401", "/2/error?c=405", "/3/error?c=402"]))

    let slow = try Stage([("start", 1)]) { (ad, stop) throws(Failure) in
      _ = Patience.until { stop.isRequested }
      throw Failure(.cancelled, "cannot open it", cause: "it was given up")
    }
    #expect(slow.playback.begin(before: .zero))
    let later = MonotonicTime.now.advanced(byMilliseconds: AdPlan.patience * 1000 + 1)
    guard case .waiting = slow.playback.next(at: .now) else { return #expect(Bool(false)) }
    guard case .over = slow.playback.next(at: later) else { return #expect(Bool(false)) }
    #expect(slow.failures.map(\.code) == [.slow] && !slow.playback.isBreak)
  }
}
