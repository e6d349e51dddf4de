import Foundation
import Frames
import Media
import Support
import Testing
import Viewer

/// The tables of texts: complete, alike in their values, and translated. That each has all keys the compiler checks.
@Suite struct WordTableTests {
  static let others = Words.allCases.filter { $0 != .english }

  /// Texts that are the same in English, as a translator chose them.
  private static let alike: [Words: Set<Word>] = [
    .czech: [.auto, .monoSound, .stereoSound],
    .german: [.position, .playlist, .auto, .badgeLive, .live, .liveStream, .monoSound, .stereoSound, .name],
    .spanish: [.audio, .auto, .monoSound],
    .french: [.position, .volume, .audio, .projection, .auto, .monoSound, .date],
  ]

  @Test(arguments: Words.allCases)
  func noTextIsMissing(words: Words) {
    for word in Word.allCases {
      let text = words[word]
      #expect(!text.isEmpty && text == text.trimmingCharacters(in: .whitespacesAndNewlines), "\(word)")
      #expect(!text.contains("\n") && !text.contains("  ") && text == printable(text), "\(word): \(text)")
    }
    for phrase in Samples.phrases {
      #expect(!words[phrase].contains("\n") && !words[phrase].contains("  "), "\(phrase): \(words[phrase])")
    }
  }

  @Test(arguments: others)
  func textsAreTranslated(words: Words) {
    let left = Set(Word.allCases.filter { words[$0] == Words.english[$0] })
    #expect(left == Self.alike[words] ?? [])
    let phrases = Samples.phrases.filter { Samples.isTranslated($0) && words[$0] == Words.english[$0] }
    #expect(phrases.count <= 6, "\(phrases.map { words[$0] })")
  }

  /// Each phrase shows all of its values, in each language and in all forms of the plural.
  @Test(arguments: Words.allCases)
  func phrasesShowTheirValues(words: Words) {
    for phrase in Samples.phrases {
      for value in Samples.values(of: phrase) {
        let number = Int(value).map { words.count($0) } ?? value
        #expect(words[phrase].contains(number) || words[phrase].contains(value), "\(phrase): \(words[phrase])")
      }
    }
  }

  /// A phrase that the samples lack is not looked at.
  @Test func samplesAreAllPhrases() throws {
    let file = TestFolders.repository + "/Sources/Player/Viewer/Words/Phrase.swift"
    let cases = try String(contentsOfFile: file, encoding: .utf8).matches(of: /case (\w+)\(/).map { String($0.1) }
    #expect(cases.count > 60 && Set(cases) == Set(Samples.phrases.compactMap { Samples.name(of: $0) }))
  }

  @Test(arguments: others)
  func languagesHaveNames(words: Words) throws {
    #expect(words.names.count == Words(rawValue: "cs")?.names.count)
    for (code, name) in words.names {
      #expect(Language.known(code)?.code == code && !name.isEmpty && !name.contains("  "), "\(code) \(name)")
    }
    for language in Words.allCases { #expect(words.names[language.rawValue] != nil) }
    let brazil = try #require(Language("pt-BR"))
    #expect(words.name(of: brazil) == (words.names["pt"] ?? "") + " (BR)")
    #expect(words.name(of: Language("sw")) == "Swahili" && words.name(of: nil) == words[.unknownLanguage])
  }

  /// English names of tracks are those of the command line.
  @Test func englishNamesAreThoseOfTheTracks() {
    for layout in [SoundLayout.mono, .stereo, .surround51, .ambisonic, .ambisonicAndStereo, nil] {
      let track = AudioTrack(
        streamIndex: 3, codec: "aac", language: Language("de"), title: "Hörfilm", channels: 6, layout: layout,
        isDescriptive: true, isForced: true)
      let shown = Words.english.name(of: track)
      #expect(layout == .ambisonic ? shown.contains("ambisonic") : shown == track.name)
    }
    for file in [nil, "/a/clip.en.srt"] {
      for language in [nil, Language("en"), Language("zh-Hant")] {
        let track = SubtitleTrack(
          streamIndex: 2, file: file, codec: "srt", language: language, title: "Signs", isForced: true)
        #expect(Words.english.name(of: track) == track.name)
      }
    }
    let bare = AudioTrack(streamIndex: 0, codec: "aac", channels: 0, layout: nil)
    #expect(Words.english.name(of: bare) == bare.name)
    #expect(
      Words.german.name(of: AudioTrack(streamIndex: 1, codec: "aac", language: Language("en")))
        == "Englisch, stereo (Spur 1)")
  }

  @Test func numbersAndDatesHaveTheirForm() {
    #expect(Words.english.tenths(12.34) == "12.3" && Words.english.count(123_456) == "123456")
    #expect(Words.german.tenths(12.34) == "12,3" && Words.japanese.count(123_456) == "123,456")
    #expect(Words.french.tenths(-0.26) == "-0,3" && Words.english.tenths(-0.01) == "0.0")
    #expect(
      Words.english.delay(-0.3) == "-0.3 s" && Words.czech.delay(0.3) == "0,3 s" && Words.czech.delay(0.04) == "0 s")
    #expect(Words.english.rate(0.25) == "0.25×" && Words.spanish.rate(0.25) == "0,25×" && Words.spanish.rate(2) == "2×")
    #expect(Words.english.percent(0.5) == "50%" && Words.chinese.percent(0.5) == "50%")
    #expect(Words.german.percent(0.5) == "50\u{A0}%" && Words.czech.percent(0.5) == "50\u{A0}%")
    #expect(
      Words.english.bytes(1500) == "1.5 kB" && Words.german.bytes(1500) == "1,5 kB" && Words.german.bytes(3) == "3 B")
    for words in [Words.czech, .german, .spanish, .french] {
      #expect(words.count(9999) == "9999" && words.count(1_234_567).filter(\.isNumber) == "1234567")
      #expect(words.count(12345).count == 6, "a mark between thousands")
    }
    #expect(Words.german.count(-12345) == "-" + Words.german.count(12345))
    func date(_ words: Words) -> String { words.date(year: "2026", month: "11", day: "24") }
    #expect(date(.english) == "2026-11-24" && date(.german) == "24.11.2026" && date(.french) == "24/11/2026")
    #expect(date(.spanish) == "24/11/2026" && date(.czech).filter(\.isNumber) == "24112026")
    #expect(date(.japanese) == "2026/11/24" && date(.chinese).hasPrefix("2026"))
  }

  @Test(arguments: [
    ("LANG=cs_CZ.UTF-8", Words.czech), ("LANG=de", .german), ("LANG=C", .english), ("LANG=POSIX", .english),
    ("", .english),
    ("LANG=pl_PL.UTF-8", .english), ("LANG=zh_TW.UTF-8", .chinese),
    ("LANG=de_AT@euro LC_MESSAGES=fr_FR.UTF-8", .french),
    ("LANG=de LC_MESSAGES=fr LC_ALL=ja_JP.UTF-8", .japanese), ("LANG=de LC_ALL=", .german),
    ("LANG=de LANGUAGE=es:fr", .spanish), ("LANG=de LANGUAGE=pl:fr:es", .french),
    ("LANG=de LANGUAGE=en_GB:fr", .english),
    ("LANG=C LANGUAGE=fr", .english), ("LANGUAGE=fr", .english), ("LANG=C.UTF-8 LANGUAGE=fr", .english),
    ("LANG=de LANGUAGE=pl", .english), ("LANG=de LANGUAGE=", .german), ("LANG=de LC_TIME=fr", .german),
  ])
  func theEnvironmentChooses(text: String, words: Words) {
    let pairs = text.split(separator: " ").map {
      $0.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    }
    let environment = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    #expect(Words(Language.messages(environment)) == words)
  }

  @Test func theSettingChooses() throws {
    #expect(try ViewerSettings("language ja", file: "s").language == .japanese)
    #expect(try ViewerSettings("language auto", file: "s").language == nil)
    #expect(throws: Failure.self) { try ViewerSettings("language nl", file: "s") }
  }

  /// Lines break beside ideographs, not before a full stop, and never within a word of letters.
  @Test func linesBreakWhereLanguagesAllowIt() {
    #expect(LineBreaks.pieces(of: "one two-three").map { $0.space + $0.text } == ["one", " two-three"])
    #expect(LineBreaks.pieces(of: "動画を開く。Tab で").map { $0.space + $0.text } == ["動", "画", "を", "開", "く。", "Tab", " で"])
    #expect(LineBreaks.pieces(of: "「画」キー").map(\.text) == ["「画」", "キー"])
    #expect(LineBreaks.letters(in: "ab画") == 4 && LineBreaks.pieces(of: "").isEmpty)
  }
}
