import Adaptation
import Encode
import Foundation
import Frames
import Origin
import Session
import Streaming
import Support
import Testing
import Viewer

extension WindowTests {
  /// A live stream in a window, and what its refreshes told.
  private final class LiveUser {
    let watched = WatchedViewer()
    private(set) var latencies: [Double] = []
    private(set) var edge: LiveEdge?
    /// The latency after each jump.
    private(set) var landings: [Double] = []
    private var wasSeeking = false
    /// The states that followed each other, with the refresh at which each began.
    var changes: [String] {
      watched.states.enumerated().filter { $0.offset == 0 || watched.states[$0.offset - 1] != $0.element }
        .map { "\($0.offset) \($0.element)" }
    }
    /// The window has slid past all that is loaded.
    private(set) var isOutside = false
    /// The origin's log, at each refresh and at the end.
    private(set) var requests: [OriginRequest] = []
    /// The machine has slept for so long, in seconds.
    var slept = 0.0
    private var session: RenderSession?
    private let display: VirtualDisplay

    init() throws { display = try WindowTests.display.get() }

    /// Watches until `isEnough`; presses a key of X's keyboard once `presses` says so.
    ///
    /// - Parameters:
    ///   - window: of the stream, in seconds.
    ///   - ahead: what is loaded ahead at most, in seconds; nil: as usual.
    func watch(
      _ live: LiveChoice, window: Double = 30, ahead: Double? = nil, faults: [FaultRule] = [], key: Int? = nil,
      when presses: @escaping (LiveUser) -> Bool = { _ in false }, until isEnough: @escaping (LiveUser) -> Bool
    ) throws -> Bool {
      var options = OriginOptions()
      options.live = LiveOptions()
      options.live?.windowSeconds = window
      options.faults = faults
      let origin = try Origin.start(try SharedLadders.flat().folder, options: options)
      defer {
        try? origin.stop()
        requests = origin.log
      }
      var (key, isDone) = (key, false)
      let keys = try KeyBindings("g live", file: "keys")
      let isShown = try watched.watch(
        [origin.url + "hls-fmp4/main.m3u8"],
        { [unowned self] options in
          options.files.streaming = ControllerChoice("lowest").map { StreamOptions(controller: $0) }
          options.files.streaming?.live = live
          if let ahead { options.files.streaming?.load = LoadPolicy(minimum: ahead, maximum: ahead) }
          let boot = options.machine.boot
          options.machine.boot = { [unowned self] in boot() + Int64(slept * 1e9) }
          options.keys = keys
          let watch = options.watch
          options.watch = { session, path, pace in
            self.session = session
            return watch?(session, path, pace)
              ?? Viewer.Watcher(onFrame: { _ in }, onTick: { _ in }, onEnd: { _, _, _ in })
          }
        },
        until: { [unowned self] _ in
          requests = origin.log
          look()
          if let pressed = key, presses(self) {
            key = nil
            try? display.act("keydown \(pressed) 1000 0", on: "main.m3u8 — bench360")
            try? display.act("keyup \(pressed) 1050 0", on: "main.m3u8 — bench360")
          }
          isDone = isEnough(self)
          return isDone || !watched.messages.isEmpty
        })
      session = nil
      return isShown && isDone
    }

    private func look() {
      let isSeeking = watched.states.last == "seeking"
      if wasSeeking, !isSeeking, let stream = session?.stream {
        landings += stream.latency(at: stream.store.playhead).map { [$0] } ?? []
      }
      wasSeeking = isSeeking
      isOutside = session?.stream.map { stream in (stream.liveEdge?.start ?? .zero) > stream.loadedEnd } ?? false
      guard let stream = session?.stream, watched.states.last == "playing", let edge = stream.liveEdge else { return }
      self.edge = edge
      if let latency = stream.latency(at: stream.store.playhead) { latencies.append(latency) }
    }
  }

  /// The first segment comes half a second late, and so do all pictures; the rate makes up for that.
  @Test func aLiveStreamComesToItsLatency() throws {
    var live = LiveChoice()
    live.latency = 3
    let late = try FaultFile.rules(
      Data(
        """
        {"schema": "bench360-faults/1", "faults": [
          {"kind": "stall", "path": "**/video-0/*.m4s", "nth_in_all": 1, "seconds": 0.5}
        ]}
        """.utf8))
    let user = try LiveUser()
    let comes = try user.watch(
      live, faults: late,
      until: { user in
        let last = user.latencies.suffix(20)
        return last.count == 20 && last.allSatisfy { abs($0 - 3) < 0.1 }
      })
    #expect(comes, "\(user.latencies.suffix(5)) \(user.watched.messages)")
    #expect(user.edge?.target == MediaTime(seconds: 3))
    #expect(user.latencies.first ?? 0 > 3.3, "\(user.latencies.prefix(3))")
  }

  /// Playing begins at a date, far behind the edge, and is not hurried there; a key leads to the edge.
  @Test func aKeyGoesLive() throws {
    var live = LiveChoice()
    live.startDate = WallTime(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9) - 20_000_000_000)
    let user = try LiveUser()
    var before: [Double] = []
    // `g` on X's keyboards.
    let comes = try user.watch(
      live, key: 42,
      when: { user in
        before = user.latencies
        return user.latencies.count > 30
      }, until: { $0.latencies.count > before.count + 30 && ($0.latencies.last ?? 99) < 8 && $0.edge?.target != nil })
    #expect(comes, "\(user.latencies.suffix(5)) \(user.watched.messages)")
    #expect(before.allSatisfy { $0 > 19 }, "\(before.suffix(5))")
  }

  /// The machine sleeps while the picture is live: connections of before are not used again, and the picture is live again.
  @Test func aSleepEndsWithTheLivePicture() throws {
    let user = try LiveUser()
    var live = LiveChoice()
    live.latency = 3
    var before = 0
    var old: Set<Int> = []
    let comes = try user.watch(
      live,
      until: { user in
        if user.slept == 0, user.latencies.count > 30 {
          (before, old) = (user.watched.states.count, Set(user.requests.map(\.connection)))
          user.slept = 120
        }
        let since = user.watched.states.dropFirst(before)
        return before > 0 && since.contains("seeking") && since.suffix(30).count == 30
          && since.suffix(30).allSatisfy { $0 == "playing" }
          && user.requests.contains { !old.contains($0.connection) }
      })
    #expect(comes, "\(user.watched.states.suffix(5)) \(user.watched.messages)")
    #expect(user.watched.states.prefix(before).allSatisfy { $0 != "seeking" }, "no jump before the sleep")
    #expect(abs((user.latencies.last ?? 99) - 3) < 1.5, "\(user.latencies.suffix(3))")
    // One that was made while the machine fell asleep is on a connection of before.
    let renewed = user.requests.filter { !old.contains($0.connection) }.map(\.time).min() ?? .infinity
    let again = user.requests.filter { $0.time > renewed && old.contains($0.connection) }
    #expect(!old.isEmpty && again.isEmpty, "\(old) \(again)")
  }

  /// The window slides past a paused picture: once the user plays on and all that is loaded was shown, it goes on at the window's start, or
  /// at the edge.
  @Test func aPictureThatFellOutOfTheWindowGoesOnAtItsStart() throws { try fallsOutOfTheWindow(.windowStart) }

  @Test(.tier(.full)) func aPictureThatFellOutOfTheWindowGoesOnAtTheEdge() throws { try fallsOutOfTheWindow(.edge) }

  private func fallsOutOfTheWindow(_ fallback: LiveChoice.Fallback) throws {
    var live = LiveChoice()
    (live.fallback, live.latency) = (fallback, 3)
    let user = try LiveUser()
    let display = try WindowTests.display.get()
    var resumed = 0
    // The space bar of X's keyboards.
    let comes = try user.watch(
      live, window: 10, ahead: 2, key: 65, when: { $0.latencies.count > 20 },
      until: { user in
        let states = user.watched.states
        if resumed == 0, user.isOutside, states.last == "paused" {
          resumed = states.count
          try? display.act("keydown 65 60000 0", on: "main.m3u8 — bench360")
          try? display.act("keyup 65 60050 0", on: "main.m3u8 — bench360")
        }
        let since = states.dropFirst(resumed)
        return !user.landings.isEmpty && since.count > 30 && since.suffix(30).allSatisfy { $0 == "playing" }
      })
    #expect(
      comes && user.watched.messages == [],
      "\(user.changes) \(user.watched.messages) outside: \(user.isOutside)")
    // Ten seconds less a segment behind the edge, or three.
    let landing = try #require(user.landings.first)
    #expect(
      fallback == .edge ? landing < 6 : (7..<20).contains(landing),
      "\(user.landings) \(user.latencies.suffix(30)) \(user.changes)")
  }
}
