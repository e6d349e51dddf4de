import Decode
import Foundation
import Frames
import Support
import Testing

/// Files that were made to do harm, and files that just are what they are: an answer, or one sentence.
@Suite(.tier(.test)) struct HostileSubtitleTests {
  /// Reads all of it; what it fails with must name the file.
  private func read(_ file: String, _ context: String) {
    do throws(Failure) {
      let reader = try SubtitleReader(SideSubtitles.track(named: file), of: nil)
      var count = 0
      while let event = try reader.next() {
        #expect(event.end > event.start && !event.isEmpty, "\(context)")
        count += 1
      }
      #expect(count <= SubtitleReader.eventLimit)
    } catch {
      #expect(error.attempt.contains(file) && !error.description.contains("\n"), "\(context): \(error)")
    }
  }

  @Test func noiseHasNoEffect() throws {
    var random = SeededGenerator(for: "noiseHasNoEffect")
    for round in 0..<300 {
      let ending = ["srt", "vtt", "ass", "ssa", "txt"].randomElement(using: &random) ?? "srt"
      try withSubtitleFile(Self.noise(&random), "noise.\(ending)") { read($0, "seed \(random.seed), round \(round)") }
    }
  }

  /// Bytes at random, words of the formats at random, or a sound file with holes in it.
  private static func noise(_ random: inout SeededGenerator) -> [UInt8] {
    let count = Int.random(in: 1...3000, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    case 1:
      let words = [
        "WEBVTT", "\n", "\n\n", "\r\n", "00:00:01,000", " --> ", "00:02.000", "99:59:59.999", "<i>", "</b>", "{\\pos(",
        "[Script Info]", "[Events]", "Format:", "Dialogue: 0,", "<font color=", "\u{FEFF}", "-1", "&amp;", "\0",
        "{\\an8}",
        "<c.red>", "NOTE", "STYLE", "X1:1 X2:9 Y1:", ",", "Style: Default", "[Fonts]", "fontname: ",
        "9999999999:00:00,000",
      ]
      return Array((0..<count / 6 + 1).compactMap { _ in words.randomElement(using: &random) }.joined().utf8)
    default:
      var bytes = Array(SubtitleReaderTests.srt.utf8)
      for _ in 0..<count / 100 + 1 {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) { bytes[place] = UInt8.random(in: 0...255, using: &random) }
        if Bool.random(using: &random), bytes.count > 10 { bytes.removeSubrange(place..<min(place + 5, bytes.count)) }
      }
      return bytes
    }
  }

  @Test func tooManySubtitlesEndInASentence() throws {
    let text = (0..<SubtitleReader.eventLimit + 5).map { "\($0)\n00:00:01,000 --> 00:00:02,000\nline \($0)\n\n" }
      .joined()
    try withSubtitleFile(Array(text.utf8), "many.srt") { (file) throws in
      let reader = try SubtitleReader(SideSubtitles.track(named: file), of: nil)
      var count = 0
      let failure = #expect(throws: Failure.self) { while try reader.next() != nil { count += 1 } }
      #expect(count == SubtitleReader.eventLimit)
      #expect(failure?.attempt.contains(file) == true && failure?.cause.contains("more than 100000 subtitles") == true)
    }
  }

  @Test func whatIsTooLongIsLeftOut() throws {
    let long = String(repeating: "word ", count: 20_000)
    let text = "1\n00:00:01,000 --> 00:00:02,000\n\(long)\n\n2\n00:00:03,000 --> 00:00:04,000\nshort\n"
    try withSubtitleFile(Array(text.utf8), "long.srt") { (file) throws in
      #expect(try subtitles(file: file).map(\.text) == ["short"])
    }
    try withSubtitleFile([UInt8](repeating: 0x61, count: 17 << 20), "huge.srt") { (file) throws in
      let failure = #expect(throws: Failure.self) { try subtitles(file: file) }
      #expect(failure?.cause == "it is longer than 16 MiB")
    }
  }

  @Test func absurdTimesAreTimes() throws {
    let text = """
      1
      99:99:99,999 --> 999:00:00,000
      far

      2
      999999999:00:00,000 --> 999999999:00:01,000
      farther

      3
      00:00:01,000 --> 00:00:02,000
      near


      """
    try withSubtitleFile(Array(text.utf8), "absurd.srt") { (file) throws in
      let found = try subtitles(file: file)
      #expect(found.first == PlainSubtitle(start: 1000, end: 2000, text: "near") && found.count >= 2)
    }
  }

  /// Real files, many of which test how players bear with mistakes.
  @Test(.enabled("BENCH360_MEDIA is not set") { TestFolders.media != nil })
  func realFilesAreReadOrRefused() throws {
    let media = try #require(TestFolders.media)
    let files = FileManager.default.enumerator(atPath: media)?.compactMap { $0 as? String } ?? []
    let texts = files.filter { $0.hasSuffix(".vtt") || $0.hasSuffix(".srt") }
    #expect(texts.count > 10)
    for file in texts { read(media + "/" + file, file) }
  }
}
