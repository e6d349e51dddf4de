import Desktop
import Foundation
import Frames
import Glibc
import Support
import Synchronization
import Testing

/// A player on a bus of its own; its clients are other projects' programs.
@Suite(.tier(.test), .enabled(if: TestBus.isAvailable, "dbus-daemon, gdbus or playerctl is not installed"))
struct BusTests {
  private static let name = "org.mpris.MediaPlayer2.bench360"

  /// A player that is controlled.
  private final class Player {
    let bus: TestBus
    let controls: MediaControls
    private let count = Wakes()
    var state = PlayerState()

    /// How often it was woken.
    final class Wakes: Sendable {
      let value = Atomic<Int>(0)
    }

    init(on bus: TestBus) throws {
      self.bus = bus
      controls = MediaControls(address: bus.address) { [count] in count.value.add(1, ordering: .relaxed) }
      state.track = .init(
        number: 1, title: "Ein „Clip“ 🌍", url: "file:///a/clip.mp4", length: MediaTime(seconds: 10), canSeek: true)
      (state.status, state.place, state.canGoNext) = (.playing, MediaTime(seconds: 4), true)
      (state.canGoPrevious, state.volume) = (true, 0.75)
      controls.tell(state)
      #expect(try Patience.until { try bus.names().contains(BusTests.name) })
    }

    deinit { controls.stop() }

    var wakes: Int { count.value.load(ordering: .relaxed) }
  }

  @Test func playerctlControlsThePlayer() throws {
    let player = try Player(on: try TestBus())
    let bus = player.bus
    #expect(try bus.playerctl("status") == "Playing")
    #expect(try bus.playerctl("metadata", "title") == "Ein „Clip“ 🌍")
    #expect(try bus.playerctl("metadata", "mpris:length") == "10000000")
    #expect(try bus.playerctl("metadata", "xesam:url") == "file:///a/clip.mp4")
    #expect(try bus.position() == 4_000_000 && bus.playerctl("volume") == "0.750000")
    #expect(try bus.playerctl("loop") == "None" && bus.playerctl("shuffle") == "Off")
    for arguments in [
      ["play"], ["pause"], ["play-pause"], ["stop"], ["next"], ["previous"], ["volume", "0.5"], ["loop", "Track"],
      ["loop", "Playlist"], ["shuffle", "On"], ["open", "file:///a/b%20c.mp4"], ["position", "7"], ["position", "3+"],
    ] {
      let result = try bus.client("playerctl", ["-p", "bench360"] + arguments)
      #expect(result.status == 0, "\(arguments): \(result.errors)")
    }
    #expect(
      player.controls.takeRequests() == [
        .play, .pause, .playOrPause, .stop, .next, .previous, .setVolume(0.5), .setLoop(.track),
        .setLoop(.playlist), .setShuffle(true), .open("/a/b c.mp4"),
        .go(to: MediaTime(seconds: 7)), .move(by: MediaTime(seconds: 3)),
      ])
    #expect(player.wakes == 13)
    player.state.status = .paused
    (player.state.loop, player.state.isShuffled) = (.playlist, true)
    player.controls.tell(player.state)
    #expect(try bus.playerctl("status") == "Paused")
    #expect(try bus.playerctl("loop") == "Playlist" && bus.playerctl("shuffle") == "On")
    player.controls.stop()
    #expect(try !bus.names().contains(Self.name))
  }

  /// What a client sees that listens, and one that asks what the player can do.
  @Test func changesAreTold() throws {
    let player = try Player(on: try TestBus())
    let monitor = try Monitor(player.bus)
    // The monitor listens once it sees something.
    var volume = 0.0
    #expect(
      Patience.until {
        volume = volume == 0 ? 0.5 : 0
        player.state.volume = volume
        player.controls.tell(player.state)
        return monitor.text.contains("'Volume'")
      })
    player.state.status = .paused
    player.controls.tell(player.state)
    #expect(Patience.until { monitor.text.contains("'PlaybackStatus': <'Paused'>") }, "\(monitor.text)")
    player.state.place = MediaTime(seconds: 2)
    player.controls.tell(player.state, jump: true)
    #expect(Patience.until { monitor.text.contains("Player.Seeked (int64 2000000,)") }, "\(monitor.text)")
    player.state.track = nil
    player.state.isFullscreen = true
    player.controls.tell(player.state)
    #expect(Patience.until { monitor.text.contains("TrackList/NoTrack") })
    #expect(monitor.text.contains("'CanSeek': <false>"), "\(monitor.text)")
    #expect(Patience.until { monitor.text.contains("('org.mpris.MediaPlayer2', {'Fullscreen': <true>}") })
    // The place moves by itself.
    #expect(!monitor.text.contains("'Position'"))
    let description = try player.bus.client(
      "gdbus", ["introspect", "--session", "--dest", Self.name, "--object-path", "/", "--recurse"])
    for text in [
      "SetPosition(in  o TrackId", "readwrite d Rate", "Seeked(x Position)", "interface org.freedesktop.DBus.Peer",
    ] {
      #expect(description.text.contains(text), "\(description.text)")
    }
  }

  @Test func aSecondPlayerHasANameOfItsOwn() throws {
    let bus = try TestBus()
    let first = try Player(on: bus)
    let second = MediaControls(address: bus.address) {}
    defer { second.stop() }
    let instance = "\(Self.name).instance\(getpid())"
    #expect(try Patience.until { try bus.names().contains(instance) })
    #expect(try bus.call("org.mpris.MediaPlayer2.Player.Play", player: instance).status == 0)
    #expect(second.takeRequests() == [.play] && first.controls.takeRequests() == [])
  }

  @Test func whatIsRefusedGetsAnError() throws {
    let player = try Player(on: try TestBus())
    let bus = player.bus
    for (method, arguments, error) in [
      ("Player.Fly", [], "UnknownMethod"), ("Nothing.Play", [], "UnknownInterface"),
      ("Player.Seek", [], "InvalidArgs"),
      ("Player.OpenUri", ["file://elsewhere/a"], "InvalidArgs"),
      ("Player.OpenUri", [String(repeating: "a", count: 100_000)], "InvalidArgs"),
    ] {
      let answer = try bus.call("org.mpris.MediaPlayer2.\(method)", arguments)
      #expect(answer.status != 0 && answer.errors.contains("DBus.Error.\(error)"), "\(method): \(answer.errors)")
      #expect(answer.errors.utf8.count < 1000)
    }
    for (arguments, error) in [
      (["org.mpris.MediaPlayer2.Player", "Position", "<int64 1>"], "PropertyReadOnly"),
      (["org.mpris.MediaPlayer2.Player", "Rate", "<'fast'>"], "InvalidArgs"),
      (["org.mpris.MediaPlayer2.Player", "Rate", "<[<<{'a': <1>}>>]>"], "InvalidArgs"),
      (["org.mpris.MediaPlayer2.Player", "Nothing", "<1>"], "UnknownProperty"),
    ] {
      let answer = try bus.call("org.freedesktop.DBus.Properties.Set", arguments)
      #expect(answer.status != 0 && answer.errors.contains("DBus.Error.\(error)"), "\(arguments): \(answer.errors)")
    }
    #expect(player.controls.takeRequests() == [])
  }

  /// A player that does not take its requests keeps a bounded number of them.
  @Test func aFloodIsRefused() throws {
    let player = try Player(on: try TestBus())
    let script = """
      for number in $(seq 80); do
        dbus-send --session --print-reply --dest=\(Self.name) /org/mpris/MediaPlayer2 org.mpris.MediaPlayer2.Player.Next
      done 2>&1 | grep -c LimitsExceeded
      """
    #expect(try player.bus.client("sh", ["-c", script]).text == "16\n")
    #expect(player.controls.takeRequests().count == 64)
    #expect(try player.bus.call("org.mpris.MediaPlayer2.Player.Next").status == 0)
  }

  /// A message that is larger than any that MPRIS has ends the connection, and the player comes back; so it does where the bus begins anew.
  @Test func thePlayerComesBack() throws {
    let player = try Player(on: try TestBus())
    let bus = player.bus
    let long = String(repeating: "a", count: 100_000)
    _ = try bus.call("org.mpris.MediaPlayer2.Player.OpenUri", Array(repeating: long, count: 12))
    #expect(try Patience.until { try bus.playerctl("status") == "Playing" })
    try bus.restart()
    #expect(try Patience.until { try bus.playerctl("status") == "Playing" })
    player.state.status = .stopped
    player.controls.tell(player.state)
    #expect(try bus.playerctl("status") == "Stopped")
  }

  /// A bus that takes nothing any more holds up neither the player nor its end.
  @Test func aFrozenBusHoldsNothingUp() throws {
    let player = try Player(on: try TestBus())
    player.bus.freeze()
    defer { player.bus.thaw() }
    for number in 0..<20_000 {
      player.state.volume = Double(number % 100) / 100
      player.controls.tell(player.state, jump: true)
    }
    #expect(player.controls.stop(withinSeconds: Patience.seconds))
  }

  /// `gdbus monitor`, and what it has printed so far.
  private final class Monitor {
    private let process = Process()
    private let output = Pipe()
    private let printed = Printed()

    final class Printed: Sendable {
      let bytes = Mutex<[UInt8]>([])
    }

    init(_ bus: TestBus) throws {
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["--default-signal=TERM", "gdbus", "monitor", "--session", "--dest", BusTests.name]
      process.environment = ProcessInfo.processInfo.environment
        .merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
      process.standardOutput = output
      try process.run()
      let (handle, printed) = (output.fileHandleForReading, printed)
      Thread.detachNewThread {
        while true {
          let data = handle.availableData
          guard !data.isEmpty else { return }
          printed.bytes.withLock { $0 += data }
        }
      }
    }

    deinit {
      process.terminate()
      process.waitUntilExit()
    }

    var text: String { printed.bytes.withLock { String(decoding: $0, as: UTF8.self) } }
  }
}
