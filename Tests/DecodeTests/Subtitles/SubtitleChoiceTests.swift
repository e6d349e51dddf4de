import Decode
import Foundation
import Media
import Support
import Testing

@Suite struct LanguageTests {
  @Test(arguments: [
    ("en", "en"), ("eng", "en"), ("English", "en"), ("EN", "en"), ("en_GB.UTF-8", "en-GB"), ("en-us", "en-us"),
    ("ger", "de"), ("deu", "de"), ("de_DE@euro", "de-DE"), ("fre", "fr"), ("fra", "fr"), ("chi", "zh"),
    ("zho", "zh"), ("zh-Hant-TW", "zh-Hant-TW"), ("por", "pt"), ("pt-BR", "pt-BR"), ("fil", "fil"), ("tlh", "tlh"),
  ])
  func isRead(text: String, tag: String) throws {
    let language = try #require(Language(text))
    #expect(language.description == tag)
    #expect(try JSONDecoder().decode(Language.self, from: JSONEncoder().encode(language)) == language)
  }

  @Test(arguments: ["", "C", "C.UTF-8", "POSIX", "und", "mul", "x", "1", "e1", "clip", "en-", "en-/etc", "en US"])
  func isNone(text: String) { #expect(Language(text) == nil) }

  @Test func namesAreEnglish() {
    #expect(Language("deu")?.name == "German" && Language("pt_BR")?.name == "Portuguese (BR)")
    #expect(Language("tlh")?.name == "tlh")
  }

  @Test func theLocaleIsWhatPOSIXTakes() {
    #expect(Language.locale(["LANG": "de_DE.UTF-8"])?.description == "de-DE")
    #expect(Language.locale(["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR"])?.description == "fr-FR")
    #expect(Language.locale(["LANG": "de_DE.UTF-8", "LC_ALL": "C"]) == nil)
    #expect(Language.locale(["LANG": "de", "LC_ALL": ""])?.description == "de")
    #expect(Language.locale([:]) == nil)
  }
}

@Suite struct SubtitleWishTests {
  private static let tracks: [String: [SubtitleTrack]] = [
    "none": [],
    "two": [track("en"), track("de")],
    "marked": [track("en"), track("de", isDefault: true), track("fr", isForced: true)],
    "forced": [track("fr"), track("en", isForced: true)],
    "forced first": [track("en", isForced: true), track("en"), track("en", isDefault: true)],
    "pictures": [track("en", isDefault: true, refusal: "pictures"), track("de")],
    "regions": [track("pt"), track("pt-BR"), track("pt-PT")],
    "nameless": [track(nil), track(nil, isDefault: true)],
  ]

  private static func track(
    _ language: String?, isDefault: Bool = false, isForced: Bool = false, refusal: String? = nil
  ) -> SubtitleTrack {
    SubtitleTrack(
      streamIndex: 0, codec: "subrip", language: language.flatMap { Language($0) }, isDefault: isDefault,
      isForced: isForced, refusal: refusal)
  }

  /// What is there, what is wanted, the locale, and which track is taken.
  private static let table: [(there: String, wish: String, locale: String?, taken: Int?)] = [
    ("none", "auto", "en", nil), ("none", "en", nil, nil),
    ("two", "auto", nil, nil), ("two", "auto", "fr", nil), ("two", "auto", "de_AT.UTF-8", 1), ("two", "off", "en", nil),
    ("two", "de", "en", 1), ("two", "ger", nil, 1), ("two", "German", nil, 1), ("two", "fr", "en", nil),
    ("marked", "auto", nil, 1), ("marked", "auto", "en", 0), ("marked", "auto", "fr", 2), ("marked", "off", nil, nil),
    ("forced", "auto", nil, 1), ("forced", "auto", "fr", 0), ("forced", "en", nil, 1),
    ("forced first", "en", nil, 2), ("forced first", "auto", "en", 2), ("forced first", "auto", nil, 2),
    ("pictures", "auto", nil, nil), ("pictures", "auto", "en", nil), ("pictures", "en", nil, nil),
    ("pictures", "de", nil, 1),
    ("regions", "pt", nil, 0), ("regions", "pt-BR", nil, 1), ("regions", "auto", "pt_PT", 2),
    ("regions", "pt-AO", nil, 0),
    ("nameless", "auto", "en", 1), ("nameless", "en", nil, nil),
  ]

  @Test func theTable() throws {
    for row in Self.table {
      let wish = try #require(SubtitleWish(row.wish))
      let taken = wish.choose(try #require(Self.tracks[row.there]), locale: row.locale.flatMap { Language($0) })
      #expect(taken == row.taken, "\(row)")
    }
  }

  @Test func wishesAreRead() {
    #expect(SubtitleWish("auto") == .auto && SubtitleWish("OFF") == .off && SubtitleWish("none") == .off)
    #expect(SubtitleWish("en") == Language("en").map { .language($0) })
    for file in ["x.srt", "X.VTT", "films/x", "http://host/x", "de.ass", "a.ssa"] {
      #expect(SubtitleWish(file) == .file(file), "\(file)")
    }
    for wrong in ["", "loud", "x.mp4", "c"] { #expect(SubtitleWish(wrong) == nil, "\(wrong)") }
  }

  @Test func namesAreForPeople() {
    #expect(SideSubtitles.track(named: "films/clip.en.srt").name == "English (clip.en.srt)")
    #expect(SideSubtitles.track(named: "clip.srt").name == "unknown language (clip.srt)")
    let track = SubtitleTrack(
      streamIndex: 3, codec: "ass", language: Language("ger"), title: "Signs", isForced: true)
    #expect(track.name == "German, forced, \"Signs\" (stream 3)")
  }
}

@Suite struct SideSubtitleTests {
  @Test func filesOfTheClipAreFound() throws {
    try TestFolders.withTemporary { folder in
      let mine = [
        "clip.srt", "clip.en.srt", "clip.deu.VTT", "clip.pt-BR.forced.ass", "clip.fr.sdh.ssa", "clip.mp4.ru.srt",
        "clip.hi.srt",
      ]
      let others = [
        "clip.part2.srt", "clip2.srt", "xclip.srt", "clip.txt", "clip.en.txt", "clip.mp4", "clipsrt", ".srt",
        "clip..srt",
        "clip.en.de.srt", "Clip.en.srt",
      ]
      for name in mine + others {
        try Data("WEBVTT\n\n00:00.000 --> 00:01.000\nx\n".utf8).write(to: URL(filePath: folder + "/" + name))
      }
      // What `bench360 thumbnails` writes is no text to read.
      try Data("WEBVTT\n\nNOTE x\n\n00:00.000 --> 00:01.000\nclip-1.jpg#xywh=0,0,160,80\n".utf8).write(
        to: URL(filePath: folder + "/clip.vtt"))
      let found = SideSubtitles.tracks(beside: folder + "/clip.mp4")
      #expect(found.compactMap(\.file) == mine.sorted().map { folder + "/" + $0 })
      let byName = Dictionary(
        uniqueKeysWithValues: found.map { (String($0.file?.split(separator: "/").last ?? ""), $0) })
      #expect(byName["clip.srt"]?.isDefault == true && byName["clip.srt"]?.language == nil)
      #expect(byName["clip.en.srt"]?.isDefault == false && byName["clip.en.srt"]?.language == Language("en"))
      #expect(byName["clip.deu.VTT"]?.language == Language("de") && byName["clip.deu.VTT"]?.codec == "webvtt")
      #expect(byName["clip.pt-BR.forced.ass"]?.isForced == true)
      #expect(byName["clip.pt-BR.forced.ass"]?.language?.description == "pt-BR")
      #expect(byName["clip.fr.sdh.ssa"]?.title == "SDH" && byName["clip.hi.srt"]?.language == Language("hin"))
      #expect(SideSubtitles.tracks(beside: folder + "/other.mp4").isEmpty)
      #expect(SideSubtitles.tracks(beside: folder + "/nowhere/clip.mp4").isEmpty)
    }
  }

  @Test func nothingLiesBesideAURL() {
    #expect(SideSubtitles.tracks(beside: "http://127.0.0.1:1/clip.mp4").isEmpty)
  }
}
