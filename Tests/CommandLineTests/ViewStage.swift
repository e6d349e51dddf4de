import Foundation
import Frames
import Support
import Testing

// A viewer on a display of its own, and its simulated input.
extension ViewCommandTests.ViewTests {
  /// Keys by their codes on X's keyboards of the US layout.
  enum XKey: Int {
    case space = 65, period = 60, comma = 59, end = 115, home = 110, n = 57, digit5 = 14, c = 54, t = 28, w = 25,
      tab = 23,
      enter = 36, v = 55, p = 33, o = 32, q = 24, escape = 9, down = 116, left = 113
  }

  /// A viewer at work.
  final class Stage {
    private static let size = ViewCommandTests.ViewTests.size
    let display: VirtualDisplay
    let running: RunningProgram
    private var title: String
    /// Milliseconds, as the server counts.
    private var time = 1000

    init(
      _ files: [String], in folder: String, _ options: [String] = [], projection: String? = "flat",
      environment: [String: String] = [:]
    ) throws {
      display = try VirtualDisplay(size: PictureSize(width: 800, height: 600))
      running = try RunningProgram(
        ["view"] + files + ["--size", "640x360", "--validate"] + (projection.map { ["--projection", $0] } ?? [])
          + options, in: folder,
        environment: ["DISPLAY": display.name, "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder]
          .merging(environment) { $1 })
      title = files.first.map { "\($0) — bench360" } ?? "bench360"
    }

    /// Looks until subtitles are there, or gone: they are pure green, which the clip is nowhere.
    func hasSubtitles(_ isWanted: Bool) throws -> Bool {
      try Patience.until {
        let green = try display.count({ $0 == 0 && $1 == 255 && $2 == 0 }, size: Self.size)
        return (green > 30) == isWanted
      }
    }

    /// Looks until the window shows something: the display is black before. From then on the window takes keys.
    func hasPicture() throws -> Bool {
      try Patience.until { try display.count({ $0 | $1 | $2 > 0 }, size: Self.size) > 0 }
    }

    func shows(_ file: String) { title = "\(file) — bench360" }

    /// Waits for the window: it may show something before it has its title.
    func act(_ words: String) throws {
      _ = Patience.until { display.hasWindow(title) }
      try display.act(words, on: title)
    }

    func press(_ key: XKey, isControl: Bool = false, isShift: Bool = false) throws {
      _ = Patience.until { display.hasWindow(title) }
      try send(key, isControl: isControl, isShift: isShift)
    }

    private func send(_ key: XKey, isControl: Bool, isShift: Bool = false) throws {
      // A key that comes down again at the same time is taken for an echo.
      time += 100
      try display.act("keydown \(key.rawValue) \(time) \((isControl ? 4 : 0) + (isShift ? 1 : 0))", on: title)
      // What it did may have given the window another name.
      try? display.act("keyup \(key.rawValue) \(time + 50)", on: title)
    }

    /// Repeats `keys` until the window has that title: another screen may take a moment to come and to be filled.
    func reaches(_ title: String, by keys: XKey..., isControl: Bool = false) throws -> Bool {
      Patience.until(every: 200) {
        if (try? display.act("pointer 300 60", on: title)) != nil {
          self.title = title
          return true
        }
        for key in keys { try? send(key, isControl: isControl) }
        return false
      }
    }

    func button(_ isPressed: Bool) throws {
      time += 500
      try act("\(isPressed ? "buttondown" : "buttonup") 1 \(time)")
    }

    func click(_ x: Int, _ y: Int) throws {
      try act("pointer \(x) \(y)")
      try button(true)
      try button(false)
    }

    /// The number that the window shows; nil where it shows none.
    func number() throws -> Int? { try display.frameNumber(size: Self.size) }

    /// Looks until it shows what is wanted, for as long as a loaded machine may need; what it showed last.
    func number(is isWanted: (Int) -> Bool) throws -> Int? {
      var last: Int?
      _ = try Patience.until {
        last = try number() ?? last
        return last.map(isWanted) ?? false
      }
      return last
    }

    /// Asked to close, it ends by itself.
    func close() throws -> CommandOutput {
      try act("close")
      return try running.wait()
    }
  }

  /// A folder with a clip of 4 s and one of 1 s.
  static func withClips(_ body: (String) throws -> Void) throws {
    try TestFolders.withTemporary { folder in
      for (name, seconds) in [("one.mp4", "4"), ("two.mp4", "1")] {
        try Program.generate(
          name, in: folder, ["--projection", "flat", "--size", "320x180", "--duration", seconds])
      }
      try body(folder)
    }
  }
}
