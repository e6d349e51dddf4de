import Frames
import Overlay
import Support
import Testing

/// Scripts that would fill memory.
@Suite struct SubtitleLimitTests {
  @Test(arguments: [
    (#"{\blur5}a"#, #"{\blur5}a"#), (#"{\blur100}a"#, #"{\blur20}a"#), (#"{\blur(99.5)\be127}"#, #"{\blur(20)\be20}"#),
    (#"{\t(0,9,\blur1e9)}\b1\bord9"#, #"{\t(0,9,\blur20)}\b1\bord9"#), (#"{\blur}\be"#, #"{\blur}\be"#),
    (#"{\blur9.9.9}"#, #"{\blur20}"#), (#"{\blur-5}"#, #"{\blur-5}"#), ("no command", "no command"),
  ])
  func blursAreLimited(line: String, expected: String) {
    #expect(SubtitleLimits.calmed(line) == expected)
  }

  @Test func eventsWithManyPiecesAreNotBlurred() {
    let pieces = String(repeating: #"\Na"#, count: SubtitleLimits.pieces + 1)
    #expect(SubtitleLimits.calmed(#"{\blur3}"# + pieces).hasPrefix(#"{\blur0}"#))
    #expect(SubtitleLimits.calmed(#"{\blur3}"# + pieces.dropLast(6)).hasPrefix(#"{\blur3}"#))
  }

  @Test func eventsAreDrawnWhileTheyFit() {
    #expect(SubtitleLimits.next(8, of: 8, bytes: .max) == 8)
    #expect(SubtitleLimits.next(8, of: 300, bytes: 1000) == 16)
    #expect(SubtitleLimits.next(2, of: 300, bytes: 1000) == 4 && SubtitleLimits.next(40, of: 300, bytes: 1000) == 48)
    #expect(SubtitleLimits.next(8, of: 10, bytes: 1000) == 10)
    #expect(SubtitleLimits.next(8, of: 300, bytes: SubtitleLimits.bytes) == 8)
    #expect(SubtitleLimits.next(8, of: 300, bytes: SubtitleLimits.bytes * 2 / 3) == 12)
    #expect(SubtitleLimits.next(8, of: 300, bytes: .max) == 8 && SubtitleLimits.next(8, of: 300, bytes: 0) == 16)
  }

  /// Three hundred lines, blurred and with thick outlines, over a large target: they took 1.76 GB.
  @Test(.tier(.test)) func blurredLinesStayWithinMemory() throws {
    let script = SubtitleScript(
      header: SubtitleTests.styled.header.replacing("Sans,40", with: "Sans,90"), isStyled: true)
    let text = #"{\blur50\bord20\shad20}a long line of words that fill the width of the picture"#
    let events = (0..<300).map { SubtitleTests.event(#"{\pos(\#($0),\#($0))}"# + text, order: $0) }
    let renderer = try SubtitleRenderer()
    renderer.load(script)
    let picture = renderer.picture(events, at: .zero, size: PictureSize(width: 3840, height: 2160))
    #expect(!picture.isEmpty)
    // libass holds about twice as much beside its cache.
    #expect(renderer.largestPicture < 2 * SubtitleLimits.bytes, "\(renderer.largestPicture >> 20) MiB")
    #expect(renderer.renders < 8)
    // Events known to fit are drawn at once.
    let renders = renderer.renders
    _ = renderer.picture(events, at: .zero, size: PictureSize(width: 3840, height: 2160), bottom: 10)
    #expect(renderer.renders == renders + 1)
  }
}
