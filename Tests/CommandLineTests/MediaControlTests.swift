import Encode
import Foundation
import Frames
import Support
import Testing

extension ViewCommandTests {
  /// The viewer on a bus, as a desktop has it; its clients are other projects' programs.
  @Suite(
    .tier(.test),
    .enabled(if: VirtualDisplay.isAvailable, "Xvfb is not installed"),
    .enabled(if: TestBus.isAvailable, "dbus-daemon, gdbus or playerctl is not installed"),
    .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  struct MediaControlTests {
    private static func withClip(_ body: (_ folder: String, _ bus: TestBus) throws -> Void) throws {
      try TestFolders.withTemporary { folder in
        let clip = try SharedClips.synthetic("media-control.mp4") {
          ($0.projection, $0.size, $0.frames, $0.hasAudio) = (.flat, PictureSize(width: 320, height: 180), 120, true)
        }
        try FileManager.default.copyItem(atPath: clip, toPath: folder + "/sound.mp4")
        try body(folder, try TestBus())
      }
    }

    /// Minimised, it pauses, or plays the sound on where the user wants that; restored, it plays again.
    @Test(arguments: [
      ([], "Paused"), (["--when-minimised", "pause"], "Paused"), (["--when-minimised", "audio"], "Playing"),
    ])
    func minimisedItDoesAsTheUserSays(options: [String], status: String) throws {
      try Self.withClip { folder, bus in
        // Options have priority over the file.
        let setting = status == "Paused" && !options.isEmpty ? "when-minimised audio\n" : ""
        try FileManager.default.createDirectory(atPath: folder + "/bench360", withIntermediateDirectories: true)
        try Data(setting.utf8).write(to: URL(filePath: folder + "/bench360/settings"))
        let stage = try ViewTests.Stage(
          ["sound.mp4"], in: folder, ["--loop", "--audio", "null"] + options,
          environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        #expect(try Patience.until(every: 100) { try bus.playerctl("status") == "Playing" })
        try stage.act("state 3")
        #expect(try Patience.until(every: 100) { try bus.playerctl("status") == status })
        // A refresh that carries out a request has seen what the window system said before.
        _ = try bus.playerctl("volume", "0.25")
        #expect(try Patience.until(every: 100) { try bus.playerctl("volume") == "0.250000" })
        #expect(try bus.playerctl("status") == status)
        let place = try bus.position()
        if status == "Playing" { #expect(try Patience.until(every: 100) { try bus.position() != place }) }
        try stage.act("state 1")
        #expect(try Patience.until(every: 100) { try bus.playerctl("status") == "Playing" })
        let result = try stage.close()
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(try bus.names().allSatisfy { !$0.contains("bench360") })
      }
    }

    /// Without media controls the bus does not know the viewer.
    @Test(arguments: [["--no-media-controls"], []]) func theUserMayLeaveTheBusAlone(options: [String]) throws {
      try Self.withClip { folder, bus in
        if options.isEmpty {
          try FileManager.default.createDirectory(atPath: folder + "/bench360", withIntermediateDirectories: true)
          try Data("media-controls no\n".utf8).write(to: URL(filePath: folder + "/bench360/settings"))
        }
        let stage = try ViewTests.Stage(
          ["sound.mp4"], in: folder, ["--audio", "null", "--loop"] + options,
          environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        #expect(try stage.number { $0 > 30 }.map { $0 > 30 } == true)
        #expect(try bus.names().allSatisfy { !$0.contains("bench360") })
        #expect(try stage.close().status == 0)
      }
    }
  }
}
