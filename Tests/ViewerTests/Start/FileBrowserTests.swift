import Bench360Player
import Frames
import Overlay
import Support
import Testing
import Viewer
import Window

/// The file browser: order, moves between folders, and its layout.
@Suite struct FileBrowserTests {
  private static let entries = [
    FolderEntry(name: "clip10.mp4", bytes: 3_000_000, modified: 300),
    FolderEntry(name: "Clip2.MKV", bytes: 9_000_000_000, modified: 100),
    FolderEntry(name: "notes.txt", bytes: 10, modified: 900), FolderEntry(name: ".hidden.mp4"),
    FolderEntry(name: "zoo", isFolder: true), FolderEntry(name: "lake.webm", bytes: 500, modified: 200),
    FolderEntry(name: "Alps", isFolder: true), FolderEntry(name: ".cache", isFolder: true),
  ]

  private static func browser(_ folder: String = "/home/me/clips") -> FileBrowser {
    var browser = FileBrowser(folder)
    browser.show(entries)
    return browser
  }

  @Test func listsFoldersThenClipsInNaturalOrder() {
    #expect(Self.browser().rows.map(\.name) == ["..", "Alps", "zoo", "Clip2.MKV", "clip10.mp4", "lake.webm"])
    #expect(Self.browser("/").rows.first?.name == "Alps", "the root has no parent")
  }

  @Test func sortsBySizeAndDate() {
    var browser = Self.browser()
    _ = browser.click(.row(4))
    let chosen = browser.rows[browser.selected].name
    _ = browser.click(.order(.size))
    #expect(browser.rows.map(\.name) == ["..", "Alps", "zoo", "Clip2.MKV", "clip10.mp4", "lake.webm"])
    #expect(browser.rows[browser.selected].name == chosen, "the selection stays on its file")
    _ = browser.click(.order(.size))
    #expect(browser.rows.suffix(3).map(\.name) == ["lake.webm", "clip10.mp4", "Clip2.MKV"])
    _ = browser.press(.tab, [])
    #expect(browser.order == .date && browser.rows.suffix(3).map(\.name) == ["clip10.mp4", "lake.webm", "Clip2.MKV"])
    // The order is kept in other folders.
    var other = FileBrowser("/other", like: browser)
    other.show(Self.entries)
    #expect(other.rows.suffix(3).map(\.name) == ["clip10.mp4", "lake.webm", "Clip2.MKV"])
  }

  @Test func keysMoveBetweenFoldersAndOpen() {
    var browser = Self.browser()
    #expect(browser.press(.enter, []) == .list("/home/me"))
    #expect(browser.press(.backspace, []) == .list("/home/me"))
    browser.type("z")
    #expect(browser.press(.enter, []) == .list("/home/me/clips/zoo"))
    browser.type("c")
    #expect(browser.press(.enter, []) == .open("/home/me/clips/Clip2.MKV"))
    browser.type("c")
    #expect(browser.press(.keypadEnter, []) == .open("/home/me/clips/clip10.mp4"))
    _ = browser.press(.end, [])
    #expect(browser.press(.enter, []) == .open("/home/me/clips/lake.webm"))
    #expect(browser.press(.escape, []) == .back)
    #expect(browser.click(.back) == .back)
    // In the parent folder the one that the user came from is selected.
    var parent = FileBrowser("/home/me")
    parent.show(
      [FolderEntry(name: "a", isFolder: true), FolderEntry(name: "clips", isFolder: true)], selecting: browser.name)
    #expect(parent.rows[parent.selected].name == "clips")
    var root = FileBrowser("/")
    root.show([])
    #expect(root.press(.enter, []) == nil)
    #expect(root.press(.backspace, []) == nil)
    #expect(root.rows.isEmpty)
  }

  @Test func unreadableFoldersCanBeLeft() {
    var browser = FileBrowser("/root/private")
    browser.fail("cannot list '/root/private': permission denied")
    #expect(browser.press(.enter, []) == .list("/root"))
  }

  @Test(arguments: ["320x180", "640x360", "1280x720", "3840x2160"], [1.0, 2])
  func rowsFitTheWindowAndAreReachable(text: String, scale: Double) throws {
    let size = try #require(PictureSize(text))
    var browser = FileBrowser("/a/very/long/path/that/does/not/fit/into/a/narrow/window/at/all")
    browser.show((0..<40).map { FolderEntry(name: "clip \($0) with a long name.mp4", bytes: 1 << 30, modified: 1e9) })
    let first = browser.canvas(size, scale: scale, measure: ControlStage.measure)
    browser.fit(first.layout.rowCount)
    var seen: Set<Int> = []
    for _ in 0..<60 {
      let (canvas, layout) = browser.canvas(size, scale: scale, measure: ControlStage.measure)
      let window = Canvas.Box(left: 0, top: 0, width: Double(size.width), height: Double(size.height))
      for (part, box) in layout.boxes {
        #expect(box.lies(in: window), "\(part)")
        #expect(layout.part(at: box.center.x, box.center.y) == part)
        if case .row(let row) = part { seen.insert(row) }
      }
      for case .text(let text, let style, let place, _, .left) in canvas.items {
        #expect(place.x + Double(ControlStage.measure(text, style).width) <= window.right + 1, "\(text)")
      }
      _ = browser.press(.down, [])
    }
    #expect(seen.count == 41)
    #expect(!browser.visibleFiles.isEmpty && browser.visibleFiles.count <= first.layout.rowCount)
  }

  @Test func sizesHaveUnits() {
    func text(_ bytes: Int64) -> String { FolderEntry(name: "a", bytes: bytes).sizeText() }
    #expect(text(0) == "0 B" && text(999) == "999 B" && text(1500) == "1.5 kB" && text(2_340_000_000) == "2.3 GB")
    #expect(text(123_400_000) == "123 MB" && text(999_600) == "1.0 MB" && text(-1) == "0 B")
    #expect(FolderEntry(name: "a", isFolder: true).sizeText().isEmpty && FolderEntry(name: "a").dateText().isEmpty)
    #expect(FolderEntry(name: "a", modified: 86_400 * 365).dateText().hasPrefix("197"))
  }

  /// The indicator is shown and moves before 300 ms have passed.
  @Test func waitingIsShownSoon() {
    let start = MonotonicTime(nanoseconds: 5_000_000_000)
    let waiting = Waiting(since: start)
    #expect(!waiting.isShown(at: start.advanced(byMilliseconds: 100)), "short work shows none")
    #expect(waiting.isShown(at: start.advanced(byMilliseconds: 300 - 1000 * Waiting.step)))
    #expect(waiting.spin(at: start.advanced(byMilliseconds: 500)) == 0.5)
    var (one, other) = (Canvas(), Canvas())
    let box = Canvas.Box(left: 0, top: 0, width: 20, height: 20)
    one.spinner(in: box, turn: waiting.spin(at: start.advanced(byMilliseconds: 250)), .white)
    other.spinner(in: box, turn: waiting.spin(at: start.advanced(byMilliseconds: 400)), .white)
    #expect(one != other && one.items.count == 8)
  }

  @Test func waitingSaysWhatFor() {
    let stage = OpeningStage()
    #expect(Words.english[Phrase(stage.wait(for: "/clips/a.m3u8"))] == "Checking what the file refers to")
    stage.note(.reading)
    #expect(Words.english[Phrase(stage.wait(for: "/clips/a.mp4"))] == "Reading the file's header")
    #expect(Words.english[Phrase(stage.wait(for: "https://me:secret@example.org/a.mp4"))] == "Waiting for example.org")
    stage.note(ended: .open)
    #expect(Words.english[Phrase(stage.wait(for: "/clips/a.mp4"))] == "Looking for its streams")
    stage.note(ended: .probe)
    #expect(Words.english[Phrase(stage.wait(for: "/clips/a.mp4"))] == "Starting the graphics device")
  }
}
