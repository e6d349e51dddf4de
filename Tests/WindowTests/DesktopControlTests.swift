import Desktop
import Foundation
import Frames
import Support
import Synchronization
import Testing
import Viewer

extension WindowTests {
  /// A window whose desktop is a bus of the test's, with `playerctl` and `gdbus` as its clients.
  @Suite(.enabled(if: TestBus.isAvailable, "dbus-daemon, gdbus or playerctl is not installed"))
  struct DesktopControlTests {
    /// What a client's thread does while the window runs, and how far it has come.
    private final class Client: Sendable {
      private let state = Mutex(State())

      struct State {
        var step = "begins"
        var isDone = false
      }

      /// - Parameter body: its steps; each ends with a name.
      func start(_ body: @escaping @Sendable (Client) throws -> Void) {
        Thread.detachNewThread { [self] in
          do {
            try body(self)
          } catch {
            state.withLock { $0.step += ": \(error)" }
          }
          state.withLock { $0.isDone = true }
        }
      }

      /// Looks until it is so; throws where it never is.
      func awaits(_ step: String, _ isThere: () throws -> Bool) throws {
        state.withLock { $0.step = step }
        guard try Patience.until(isThere) else { throw TestBus.Missing(description: "it never was so") }
      }

      var isDone: Bool { state.withLock { $0.isDone } }
      var step: String { state.withLock { $0.step } }
    }

    @Test func aDesktopControlsTheViewer() throws {
      let bus = try TestBus()
      let first = try SharedClips.many("mp4")
      let second = try SharedClips.synthetic("second.mp4") { $0 = SharedClips.manySpecification }
      let third = try SharedClips.synthetic("the third.mp4") { $0 = SharedClips.manySpecification }
      let client = Client()
      let watched = WatchedViewer()
      client.start { client in
        try client.awaits("plays") { try bus.playerctl("status") == "Playing" }
        try client.awaits("title") { try bus.playerctl("metadata", "title") == "many.mp4" }
        try client.awaits("URI") { try bus.playerctl("metadata", "xesam:url") == "file://" + first }
        _ = try bus.playerctl("pause")
        try client.awaits("pauses") { try bus.playerctl("status") == "Paused" }
        _ = try bus.playerctl("position", "1")
        try client.awaits("seeks") { abs((try bus.position() ?? 0) - 1_000_000) < 100_000 }
        _ = try bus.playerctl("volume", "0.5")
        try client.awaits("volume") { try bus.playerctl("volume") == "0.500000" }
        try client.awaits("loops") { try bus.playerctl("loop") == "Track" }
        _ = try bus.playerctl("loop", "Playlist")
        try client.awaits("loops the list") { try bus.playerctl("loop") == "Playlist" }
        _ = try bus.playerctl("shuffle", "On")
        try client.awaits("shuffles") { try bus.playerctl("shuffle") == "On" }
        _ = try bus.playerctl("shuffle", "Off")
        try client.awaits("plays in order") { try bus.playerctl("shuffle") == "Off" }
        let speed = try bus.call(
          "org.freedesktop.DBus.Properties.Set", ["org.mpris.MediaPlayer2.Player", "Rate", "<0.5>"])
        guard speed.status == 0 else { throw TestBus.Missing(description: speed.errors) }
        _ = try bus.playerctl("play")
        try client.awaits("plays on") { try bus.playerctl("status") == "Playing" }
        _ = try bus.playerctl("stop")
        try client.awaits("stops") { try bus.playerctl("status") == "Stopped" }
        try client.awaits("at its start") { try bus.position() == 0 }
        _ = try bus.playerctl("next")
        try client.awaits("next") { try bus.playerctl("metadata", "title") == "second.mp4" }
        _ = try bus.playerctl("open", "file://" + third.replacing(" ", with: "%20"))
        try client.awaits("opens") { try bus.playerctl("metadata", "title") == "the third.mp4" }
        _ = try bus.call("org.mpris.MediaPlayer2.Quit")
        try client.awaits("quits") { try bus.names().allSatisfy { !$0.contains("bench360") } }
      }
      let isShown = try watched.watch(
        [first, second], loops: true, { $0.sessionBus = bus.address },
        until: { _ in client.isDone && client.step != "quits" })
      #expect(isShown && Patience.until { client.isDone })
      #expect(client.step == "quits" && watched.watched == [first, second, third] && watched.messages == [])
    }

    /// A bus that stands still: the picture goes on, and the window closes.
    @Test func aFrozenBusHoldsUpNoPicture() throws {
      let bus = try TestBus()
      let client = Client()
      let watched = WatchedViewer()
      client.start { client in try client.awaits("plays") { try bus.playerctl("status") == "Playing" } }
      let clip = try SharedClips.many("mp4")
      var frames: Int?
      let isShown = try watched.watch(
        [clip], loops: true, { $0.sessionBus = bus.address },
        until: { watched in
          guard client.isDone else { return false }
          if frames == nil { bus.freeze() }
          let first = frames ?? watched.presented[clip] ?? 0
          frames = first
          return watched.presented[clip] ?? 0 > first + 100
        })
      bus.thaw()
      #expect(isShown && client.step == "plays" && frames != nil)
      #expect(watched.presented[clip] ?? 0 > (frames ?? 0) + 100)
    }
  }
}
