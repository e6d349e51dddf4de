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
    private var session: RenderSession?
    private let display: VirtualDisplay

    init() throws { display = try WindowTests.display.get() }

    /// Watches until `isEnough`; presses a key of X's keyboard once `presses` says so.
    func watch(
      _ live: LiveChoice, faults: [FaultRule] = [], key: Int? = nil,
      when presses: @escaping (LiveUser) -> Bool = { _ in false }, until isEnough: @escaping (LiveUser) -> Bool
    ) throws -> Bool {
      var options = OriginOptions()
      options.live = LiveOptions()
      options.faults = faults
      let origin = try Origin.start(try SharedLadders.flat().folder, options: options)
      defer { try? origin.stop() }
      var (key, isDone) = (key, false)
      let keys = try KeyBindings("g live", file: "keys")
      let isShown = try watched.watch(
        [origin.url + "hls-fmp4/main.m3u8"],
        { [unowned self] options in
          options.files.streaming = ControllerChoice("lowest").map { StreamOptions(controller: $0) }
          options.files.streaming?.live = live
          options.keys = keys
          let watch = options.watch
          options.watch = { session, path, pace in
            self.session = session
            return watch?(session, path, pace)
              ?? Viewer.Watcher(onFrame: { _ in }, onTick: { _ in }, onEnd: { _, _, _ in })
          }
        },
        until: { [unowned self] _ in
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
}
