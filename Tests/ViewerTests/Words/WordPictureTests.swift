import Encode
import Foundation
import Frames
import GPU
import Overlay
import Support
import Testing
import Viewer

/// Texts as this machine's fonts draw them. `BENCH360_LETTERS=FOLDER` writes each part of the window in each language there, to be looked at.
@Suite struct WordPictureTests {
  /// A machine without a font for ideographs shows English: see `Viewer.checkLetters`.
  private static let hasIdeographs: Bool = {
    let texts = (try? TextRenderer()).map { TextCache(renderer: $0) }
    return texts?.hasLetter("画") == true || ProcessInfo.processInfo.environment["CI"] == "true"
  }()

  private static func isDrawn(_ words: Words) -> Bool {
    hasIdeographs || ![.japanese, .chinese].contains(words)
  }

  /// Not the box that stands for a letter that no font has.
  @Test(.enabled(if: hasIdeographs, "no font with ideographs: install fonts-droid-fallback"), arguments: Words.allCases)
  func fontsHaveTheLetters(words: Words) throws {
    let texts = TextCache(renderer: try TextRenderer())
    let letters = Set(Word.allCases.map { words[$0] }.joined().unicodeScalars)
      .union(Samples.phrases.map { words[$0] }.joined().unicodeScalars).union(words.letters)
    let missing = letters.filter { !$0.properties.isWhitespace && !texts.hasLetter($0) }
    #expect(missing.isEmpty, "\(words) lacks \(missing)")
    // No character, and never one; icon fonts have letters in the areas for private use.
    #expect(!texts.hasLetter("\u{10FFFE}"))
  }

  private static let all = Words.allCases.flatMap { words in WordScreen.allCases.map { (words: words, screen: $0) } }

  @Test(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"), arguments: all.sample(oneIn: 5))
  func textsLieInTheWindowAsDrawn(words: Words, screen: WordScreen) throws { try Self.check(words, screen) }

  @Test(.tier(.full), .enabled(if: TestDevice.isAvailable, "no Vulkan device"), arguments: all)
  func allTextsLieInTheWindowAsDrawn(words: Words, screen: WordScreen) throws { try Self.check(words, screen) }

  private static func check(_ words: Words, _ screen: WordScreen) throws {
    guard isDrawn(words) else { return }
    let texts = TextCache(renderer: try TextRenderer())
    for size in [PictureSize(width: 320, height: 180), PictureSize(width: 854, height: 480)] {
      let canvas = screen.canvas(words, size) { texts.measure($0, $1) }
      let problems = WordFitTests.cutOff(canvas, words, size) { texts.measure($0, $1) }
      for problem in problems { Issue.record("\(words) \(screen) \(size): \(problem)") }
      guard let folder = ProcessInfo.processInfo.environment["BENCH360_LETTERS"] else { continue }
      let shown = try GoldenScreen(size)
      try writePNG(
        rgba: try shown.drawn(canvas), size: size, to: "\(folder)/\(screen)-\(words.rawValue)-\(size.width).png")
    }
  }
}
