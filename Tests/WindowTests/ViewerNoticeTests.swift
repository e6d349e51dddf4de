import Foundation
import Frames
import GPU
import Overlay
import Support
import Testing
import Viewer

extension WindowTests {
  /// A clip that is drawn in another projection than its own, because the user chose that before, says so in the window.
  @Test func aRememberedProjectionIsSaid() throws {
    let user = try User(of: try SharedClips.many("mp4"))
    try user.awaits("Equirectangular, 360° as you chose before, instead of Flat — p changes it")
    #expect(try user.watches { $0.presented > 3 } && user.chosen.entries.isEmpty && !user.hasSeenNotice)
    #expect(try user.watches(pressing: .p) { $0.chosen.entries.first?.projection == .equirectangular })
    #expect(!user.hasSeenNotice, "a choice of this session")
    #expect(try user.watches(until: \.hasSeenNotice))
    // The key leads back to the clip's own projection: there is nothing to say the next time.
    #expect(try user.watches(pressing: .p) { $0.chosen.entries.first?.projection == .flat })
    try user.awaits("Flat as you chose before, instead of Flat — p changes it")
    #expect(try user.watches { $0.presented > 3 } && !user.hasSeenNotice)
  }

  @Test func noticesAreInTheLanguageOfTheSettings() throws {
    let user = try User(of: try SharedClips.many("mp4"), .german)
    #expect(try user.watches(pressing: .p) { $0.chosen.entries.first?.projection == .equirectangular })
    try user.awaits(
      Words.german[.chosenBefore("Equirektangular, 360°", insteadOf: Words.german[.flat], key: "p")])
    #expect(try user.watches(until: \.hasSeenNotice))
  }

  /// A user who opens one clip again and again, and looks for one notice in its window.
  private final class User {
    /// What earlier sessions remember.
    private(set) var chosen = RememberedGeometries()
    /// Of the last session: frames on screen, and whether the notice was there.
    private(set) var presented = 0
    private(set) var hasSeenNotice = false
    private let clip: String
    private let language: Words
    private var notice: NoticePicture?
    private let display: VirtualDisplay
    private static let size = PictureSize(width: 640, height: 360)

    /// Keys by their codes on X's keyboards.
    enum XKey: Int { case p = 33 }

    init(of clip: String, _ language: Words = .english) throws {
      (self.clip, self.language, display) = (clip, language, try WindowTests.display.get())
    }

    /// The notice that is looked for from now on.
    func awaits(_ text: String) throws { notice = try NoticePicture(text, in: Self.size) }

    /// Opens the clip, presses a key once frames are shown, and closes the window when `isEnough`; false where that takes a minute.
    func watches(pressing key: XKey? = nil, until isEnough: @escaping (User) -> Bool) throws -> Bool {
      (presented, hasSeenNotice) = (0, false)
      let end = MonotonicTime.now.advanced(byMilliseconds: 60_000)
      var options = Viewer.Options()
      options.session.targetSize = Self.size
      options.settings.repeats = .one
      options.settings.language = language
      options.files.geometries = chosen
      options.files.rememberGeometries = { [unowned self] in chosen = $0 }
      options.watch = { [unowned self] _, _, _ in
        Viewer.Watcher(
          onFrame: { _ in }, onTick: { [unowned self] in presented += $0.frame == nil ? 0 : 1 }, onEnd: { _, _, _ in })
      }
      var keyToPress = key
      var (isDone, failure): (Bool, (any Error)?) = (false, nil)
      options.shouldQuit = { [unowned self] in
        do {
          hasSeenNotice = try hasSeenNotice || notice?.isShown(on: display) == true
          if presented > 3, let key = keyToPress {
            keyToPress = nil
            try press(key)
          }
        } catch {
          failure = error
        }
        isDone = isEnough(self)
        return isDone || failure != nil || MonotonicTime.now > end
      }
      _ = try Viewer(files: [clip], options: options).run()
      if let failure { throw failure }
      return isDone
    }

    private func press(_ key: XKey) throws {
      let title = URL(filePath: clip).lastPathComponent + " — bench360"
      try display.act("keydown \(key.rawValue) 1000 0", on: title)
      try display.act("keyup \(key.rawValue) 1050 0", on: title)
    }
  }
}

/// The letters of a notice, where a window of that size has them at the display's corner.
private struct NoticePicture {
  private let coverage: Coverage
  private let left: Int
  private let top: Int

  init(_ text: String, in size: PictureSize) throws {
    let texts = TextCache(renderer: try TextRenderer())
    var hud = HUD()
    hud.say(text, at: .now)
    let items = hud.canvas(HUDRoom(size)) { texts.measure($0, $1) }.items
    let letters = try #require(
      items.compactMap { item -> (picture: TextPicture, place: Canvas.Point)? in
        guard case .text(let text, let style, let place, _, let alignment) = item else { return nil }
        return texts.picture(text, style, alignment: alignment).map { ($0, place) }
      }.first)
    coverage = letters.picture.coverage
    left = Int((letters.place.x - Double(letters.picture.width) / 2).rounded()) + letters.picture.left
    top = Int(letters.place.y.rounded()) + letters.picture.top
  }

  /// Whether letters are bright there, and the space between them dark.
  func isShown(on display: VirtualDisplay) throws -> Bool {
    let pixels = try display.pixels(
      left: left, top: top, size: PictureSize(width: coverage.width, height: coverage.height))
    return coverage.bytes.enumerated().allSatisfy { place, ink in
      switch ink {
      case 0: pixels[place * 4 + 1] < 64
      case 255: pixels[place * 4 + 1] > 240
      default: true
      }
    }
  }
}
