import Decode
import Foundation
import Frames
import Media
import Support
import Testing

/// What files say, beside what FFmpeg's own tool reads from them.
@Suite struct SubtitleReaderTests {
  static let srt = """
    1
    00:00:00,500 --> 00:00:02,000
    First, <i>in italics</i>

    2
    00:00:01,500 --> 00:00:02,500
    <font color="#ff0000">overlapping</font>
    two lines

    3
    02:59:59,000 --> 03:00:01,250
    after three hours


    """

  private static let expected = [
    PlainSubtitle(start: 500, end: 2000, text: "First, in italics"),
    PlainSubtitle(start: 1500, end: 2500, text: "overlapping\ntwo lines"),
    PlainSubtitle(start: 10_799_000, end: 10_801_250, text: "after three hours"),
  ]

  private static func utf16(_ text: String, isBig: Bool) -> [UInt8] {
    let units = Array(("\u{FEFF}" + text).utf16)
    return units.flatMap { (unit: UInt16) -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isBig ? [high, low] : [low, high]
    }
  }

  /// Ways to write the same file.
  private static let spellings: [String: [UInt8]] = [
    "plain": Array(srt.utf8),
    "mark": [0xEF, 0xBB, 0xBF] + Array(srt.utf8),
    "crlf": Array(srt.replacing("\n", with: "\r\n").utf8),
    "mark-crlf": [0xEF, 0xBB, 0xBF] + Array(srt.replacing("\n", with: "\r\n").utf8),
    "numberless": Array(srt.replacing(#/(?m)^[0-9]\n/#, with: "").utf8),
    "no-end": Array(srt.trimmingCharacters(in: .newlines).utf8),
    "utf16-little": utf16(srt, isBig: false),
    "utf16-big": utf16(srt, isBig: true),
    "utf16-crlf": utf16(srt.replacing("\n", with: "\r\n"), isBig: false),
  ]

  @Test(arguments: spellings.keys.sorted())
  func subRipIsRead(spelling: String) throws {
    try withSubtitleFile(try #require(Self.spellings[spelling]), "a.srt") { (file) throws in
      #expect(try subtitles(file: file) == Self.expected)
      // FFmpeg wants a number at the start, to tell what it is.
      if spelling != "numberless" { #expect(try PlainSubtitle.judged(file) == Self.expected) }
    }
  }

  @Test func commandsAndColoursAreKept() throws {
    try withSubtitleFile(Array(Self.srt.utf8), "a.srt") { (file) throws in
      let reader = try SubtitleReader(SideSubtitles.track(named: file), of: nil)
      #expect(!reader.script.isStyled && reader.script.header.contains("[V4+ Styles]") && reader.note == nil)
      let texts = [try reader.next(), try reader.next()].compactMap { $0.map { String($0.text) } }
      #expect(texts.first == "First, {\\i1}in italics{\\i0}")
      #expect(texts.last?.contains("\\c&HFF&") == true, "\(texts)")
    }
  }

  @Test func webVTTIsRead() throws {
    let text = """
      WEBVTT - a title

      STYLE
      ::cue { color: red }

      NOTE
      never read

      REGION
      id:fred

      intro
      00:01.000 --> 00:02.500 line:0 position:20% align:start
      <v Fred>Hi, <b>I</b> am Fred &amp; so on

      00:00:02.000 --> 00:00:03.000
      second
      line

      99:99.000 --> 99:99.500
      no such time

      00:05.000 --> 00:04.000
      backwards

      00:03:00.000 --> 01:00:00.000
      long

      """
    for text in [text, text.replacing("\n", with: "\r\n"), "\u{FEFF}" + text, text.replacing("\n", with: "\r")] {
      try withSubtitleFile(Array(text.utf8), "a.vtt") { (file) throws in
        #expect(
          try subtitles(file: file) == [
            PlainSubtitle(start: 1000, end: 2500, text: "Hi, I am Fred & so on"),
            PlainSubtitle(start: 2000, end: 3000, text: "second\nline"),
            PlainSubtitle(start: 180_000, end: 3_600_000, text: "long"),
          ])
      }
    }
  }

  @Test func oldEncodingsAreGuessedAndSaid() throws {
    let bytes =
      Array("1\n00:00:01,000 --> 00:00:02,000\nZ".utf8) + [0xFC, 0x72, 0x69, 0x63, 0x68, 0x20, 0x80, 0x39, 0x0A]
    try withSubtitleFile(bytes, "a.srt") { (file) throws in
      let reader = try SubtitleReader(SideSubtitles.track(named: file), of: nil)
      #expect(try reader.next()?.text == "Zürich €9")
      #expect(reader.note == "'\(file)' is not UTF-8: it is read as Windows-1252")
    }
  }

  /// The first bytes tell the format; the file's name does not.
  @Test func contentGoesBeforeTheName() throws {
    try withSubtitleFile(Array(Self.srt.utf8), "a.vtt") { (file) throws in
      #expect(try subtitles(file: file) == Self.expected)
    }
    try withSubtitleFile(Array(Self.srt.utf8), "a.txt") { (file) throws in
      #expect(try subtitles(file: file) == Self.expected)
    }
  }

  @Test(arguments: [
    ("empty.srt", "", "the file is empty"), ("prose.txt", "Once upon a time", "neither SRT, WebVTT nor ASS"),
    ("prose.vtt", "Once upon a time", "first line is not 'WEBVTT'"),
    ("clip.mp4", "\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom", "neither SRT, WebVTT nor ASS"),
    ("list.srt", "#EXTM3U\n#EXTINF:1\n/etc/passwd\n", ""),
  ])
  func whatIsNoneIsRefused(name: String, text: String, cause: String) throws {
    try withSubtitleFile(Array(text.utf8), name) { (file) throws in
      guard !cause.isEmpty else { return #expect(try subtitles(file: file).isEmpty) }
      let failure = #expect(throws: Failure.self) { try subtitles(file: file) }
      #expect(failure?.cause.contains(cause) == true && failure?.attempt.contains(file) == true, "\(failure as Any)")
    }
    let missing = #expect(throws: Failure.self) { try subtitles(file: "nowhere/\(name).srt") }
    #expect(missing?.kind == .input && missing?.cause == "no such file or directory")
  }

  @Test func readingCanBeStopped() throws {
    try withSubtitleFile(Array(Self.srt.utf8), "a.srt") { (file) throws in
      let interruption = Interruption()
      let reader = try SubtitleReader(SideSubtitles.track(named: file), of: nil, interruption: interruption)
      interruption.request()
      let failure = #expect(throws: Failure.self) { try reader.next() }
      #expect(failure?.kind == .cancelled)
    }
  }
}
