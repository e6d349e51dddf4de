import Encode
import Foundation
import Frames
import Support
import Testing

extension ViewCommandTests {
  /// The viewer as a person has it: with a window manager, and real events of keys and pointer.
  @Suite(
    .tier(.test),
    .enabled(if: Desktop.isAvailable, "Xvfb, openbox or xdotool is not installed"),
    .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  struct DesktopTests {
    @Test func everyStateLooksAsItDid() throws {
      try TestFolders.withTemporary { folder in
        try Program.generate(
          "one.mp4", in: folder, ["--projection", "flat", "--size", "640x360", "--duration", "4", "--noise", "0"])
        try Data("1\n00:00:00,000 --> 00:00:09,000\nA <i>line</i> of subtitles\n".utf8).write(
          to: URL(filePath: folder + "/one.srt"))
        let desktop = try Desktop([], in: folder)
        #expect(try desktop.difference(from: "start") < 0.01)
        try desktop.act("type", "nothing.mp4")
        try desktop.press("Return")
        #expect(try desktop.difference(from: "error") < 0.01)
        try desktop.press("ctrl+u")
        try desktop.act("type", "one.mp4")
        try desktop.press("Return")
        #expect(try desktop.plays())
        // At half of the clip, paused; the projection's menu is open, so that the bar stays.
        try desktop.press("space", "5", "Tab")
        try desktop.move(300, 100)
        try desktop.press("shift+Tab", "shift+Tab", "shift+Tab", "shift+Tab", "shift+Tab", "shift+Tab", "shift+Tab")
        try desktop.press("Return")
        #expect(try desktop.difference(from: "menu") < 0.01)
        try desktop.press("Escape", "Escape", "h")
        #expect(try desktop.difference(from: "help") < 0.01)
        try desktop.press("Escape")
        try desktop.move(320, 318)
        #expect(try desktop.difference(from: "hover") < 0.01)
        let result = try desktop.close()
        #expect(result.errors == "bench360: cannot open 'nothing.mp4': no such file or directory — check the name\n")
      }
    }

    /// Full screen, then mini player, then both left again: the window has its place and size from before.
    @Test func fullScreenAndMiniPlayerAreRestored() throws {
      try TestFolders.withTemporary { folder in
        try Program.generate("one.mp4", in: folder, ["--projection", "flat", "--size", "640x360", "--duration", "4"])
        let desktop = try Desktop(["one.mp4", "--loop"], in: folder)
        #expect(try desktop.plays())
        let normal = try desktop.geometry()
        try desktop.press("f")
        #expect(try Patience.until(every: 50) { try desktop.geometry().contains("WIDTH=1000\nHEIGHT=700") })
        let full = try desktop.geometry()
        try desktop.press("M")
        #expect(try Patience.until(every: 50) { try desktop.geometry().contains("WIDTH=480\nHEIGHT=270") })
        try desktop.press("M")
        #expect(try Patience.until(every: 50) { try desktop.geometry() == full }, "full screen again")
        try desktop.press("f")
        #expect(try Patience.until(every: 50) { try desktop.geometry() == normal }, "and the window")
        #expect(try desktop.plays())
        #expect(try desktop.close().status == 0)
      }
    }

    /// The window leaves full screen with the display that it filled, and goes on.
    @Test(.enabled(if: Desktop.hasXrandr, "xrandr is not installed"))
    func aDisplayThatIsTakenAwayIsSurvived() throws {
      try TestFolders.withTemporary { folder in
        try Program.generate("one.mp4", in: folder, ["--projection", "flat", "--size", "640x360", "--duration", "4"])
        let desktop = try Desktop(["one.mp4", "--loop", "--fullscreen"], in: folder)
        #expect(try desktop.plays())
        let full = try desktop.geometry()
        for state in ["--off", "--auto"] {
          // It complains that a screen without displays has no size, after the display has gone.
          _ = try CommandOutput.of(
            "xrandr", ["--output", "screen", state], environment: ["DISPLAY": desktop.display.name])
          #expect(try Patience.until(every: 50) { try desktop.geometry() != full }, "it leaves full screen")
        }
        #expect(try desktop.plays())
        try desktop.press("f", "f")
        let result = try desktop.close()
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      }
    }
  }
}

/// A display with a window manager, and one viewer on it.
private final class Desktop {
  static let size = PictureSize(width: 640, height: 360)
  struct Missing: Error {}
  static let hasXrandr = isAvailable && (try? CommandOutput.of("sh", ["-c", "command -v xrandr"]).status) == 0

  static let isAvailable =
    VirtualDisplay.isAvailable
    && (ProcessInfo.processInfo.environment["CI"] == "true"
      || (try? CommandOutput.of("sh", ["-c", "command -v openbox && command -v xdotool"]).status) == 0)

  let display: VirtualDisplay
  private let manager = Process()
  private let viewer: RunningProgram
  private let window: String

  init(_ arguments: [String], in folder: String) throws {
    display = try VirtualDisplay(size: PictureSize(width: 1000, height: 700))
    let environment = ["DISPLAY": display.name, "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder]
    // Without frames around windows it is certain where they are: xdotool counts frames twice.
    try FileManager.default.createDirectory(atPath: folder + "/openbox", withIntermediateDirectories: true)
    try Data(
      """
      <openbox_config xmlns="http://openbox.org/3.4/rc"><applications>
      <application class="*"><decor>no</decor></application>
      </applications></openbox_config>
      """.utf8
    ).write(to: URL(filePath: folder + "/openbox/rc.xml"))
    manager.executableURL = URL(filePath: "/usr/bin/env")
    manager.arguments = ["--default-signal=TERM", "openbox"]
    manager.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    (manager.standardOutput, manager.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try manager.run()
    // A window that comes before its manager gets neither its place nor the keyboard.
    _ = try Self.first {
      try CommandOutput.of("xdotool", ["get_desktop"], environment: environment).status == 0 ? true : nil
    }
    // The pointer is not where the window comes.
    _ = try CommandOutput.of("xdotool", ["mousemove", "990", "690"], environment: environment)
    viewer = try RunningProgram(
      ["view"] + arguments + ["--size", "640x360", "--projection", "flat", "--validate"], in: folder,
      environment: environment)
    window = try Self.first {
      let found = try CommandOutput.of(
        "xdotool", ["search", "--onlyvisible", "--class", "bench360"],
        environment: environment)
      return String(decoding: found.output, as: UTF8.self).split(separator: "\n").last.map(String.init)
    }
    try act("windowactivate", "--sync", window)
  }

  /// Something that takes a while to be there.
  private static func first<Value>(_ look: () throws -> Value?) throws -> Value {
    guard let value = try Patience.value(every: 20, look) else { throw Missing() }
    return value
  }

  @discardableResult
  func act(_ words: String...) throws -> String {
    let result = try CommandOutput.of("xdotool", words, environment: ["DISPLAY": display.name])
    return String(decoding: result.output, as: UTF8.self)
  }

  func press(_ keys: String...) throws { for key in keys { try act("key", key) } }

  /// - Parameter x, y: in the window.
  func move(_ x: Int, _ y: Int) throws { try act("mousemove", "--window", window, "\(x)", "\(y)") }

  /// Where the window is and how large.
  func geometry() throws -> String { try act("getwindowgeometry", "--shell", window) }

  /// The window shows one picture after the other.
  func plays() throws -> Bool {
    for _ in 0..<3 {
      let before = try pixels()
      guard try Patience.until(every: 50, { try pixels() != before }) else { return false }
    }
    return true
  }

  /// The window stands still for a second.
  private func settles() throws -> Bool {
    var (last, since) = (try pixels(), MonotonicTime.now)
    return try Patience.until {
      let now = try pixels()
      if now != last { (last, since) = (now, MonotonicTime.now) }
      return MonotonicTime.now.milliseconds(since: since) > 1000
    }
  }

  private func pixels() throws -> [UInt8] {
    var place = (x: 0, y: 0)
    for line in try geometry().split(separator: "\n") {
      if line.hasPrefix("X=") { place.x = Int(line.dropFirst(2)) ?? 0 }
      if line.hasPrefix("Y=") { place.y = Int(line.dropFirst(2)) ?? 0 }
    }
    return try display.pixels(left: place.x, top: place.y, size: Self.size)
  }

  /// Waits until the window looks as a picture that was looked at; the share of pixels that differ when it does not.
  func difference(from name: String) throws -> Double {
    let file = TestFolders.repository + "/Tests/CommandLineTests/Golden/\(name).png"
    if ProcessInfo.processInfo.environment["BENCH360_REWRITE_GOLDEN"] == "1" {
      _ = try settles()
      try writePNG(rgba: pixels(), size: Self.size, to: file)
    }
    let golden = Array(
      try CommandOutput.of(
        "ffmpeg", ["-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "rgba", "-"]
      ).output)
    var difference = 1.0
    _ = try Patience.until(every: 100) {
      let shown = try pixels()
      guard shown.count == golden.count else { return false }
      // Encoders and fonts differ a little from one machine to the next.
      let differing = zip(shown, golden).count { abs(Int($0) - Int($1)) > 48 }
      difference = Double(differing) / Double(golden.count)
      return difference < 0.01
    }
    return difference
  }

  /// Ends it as a person does.
  func close() throws -> CommandOutput {
    // A window that lost the keyboard for a moment hears it the next time.
    _ = try Patience.until(every: 200) {
      guard viewer.isRunning else { return true }
      try act("windowactivate", window)
      try press("ctrl+q")
      return false
    }
    if viewer.isRunning { viewer.interrupt() }
    defer { manager.terminate() }
    return try viewer.wait()
  }
}
