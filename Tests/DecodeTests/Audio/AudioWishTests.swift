import Decode
import Media
import Testing

@Suite struct AudioWishTests {
  private static let tracks: [String: [AudioTrack]] = [
    "none": [],
    "two": [track("en"), track("de", isDefault: true)],
    "unmarked": [track("fr"), track("en")],
    "described": [track("en", isDescriptive: true), track("en"), track("de", isDescriptive: true)],
    "described only": [track("en", isDescriptive: true)],
    "described by default": [track("en"), track("en", isDefault: true, isDescriptive: true)],
    "refused": [track("en", isDefault: true, refusal: "no decoder"), track("de")],
    "all refused": [track("en", refusal: "no decoder")],
    "regions": [track("pt"), track("pt-BR"), track("pt-BR", isOriginal: true), track("pt-PT", isDefault: true)],
    "nameless": [track(nil), track(nil, isDefault: true)],
  ]

  private static func track(
    _ language: String?, isDefault: Bool = false, isOriginal: Bool = false, isDescriptive: Bool = false,
    refusal: String? = nil
  ) -> AudioTrack {
    AudioTrack(
      streamIndex: 1, codec: "aac", language: language.flatMap { Language($0) }, isDefault: isDefault,
      isOriginal: isOriginal, isDescriptive: isDescriptive, refusal: refusal)
  }

  /// What is there, what is wanted, the locale, and which track is taken.
  private static let table: [(there: String, wish: String, locale: String?, taken: Int?)] = [
    ("none", "auto", "en", nil), ("none", "1", nil, nil), ("none", "en", nil, nil),
    ("two", "auto", nil, 1), ("two", "auto", "en", 0), ("two", "auto", "fr", 1), ("two", "off", "en", nil),
    ("two", "en", "de", 0), ("two", "fr", "de", nil), ("two", "1", nil, 0), ("two", "2", "en", 1),
    ("two", "3", nil, nil),
    ("unmarked", "auto", nil, 0), ("unmarked", "auto", "en", 1),
    ("described", "auto", nil, 1), ("described", "auto", "en", 1), ("described", "auto", "de", 1),
    ("described", "de", nil, 2), ("described", "1", nil, 0),
    ("described only", "auto", nil, 0), ("described by default", "auto", nil, 1),
    ("described by default", "auto", "en", 1),
    ("refused", "auto", nil, 1), ("refused", "auto", "en", 1), ("refused", "en", nil, nil), ("refused", "1", nil, nil),
    ("all refused", "auto", "en", nil),
    ("regions", "auto", "pt_BR", 2), ("regions", "pt-PT", nil, 3), ("regions", "auto", "pt", 0),
    ("nameless", "auto", "en", 1), ("nameless", "en", nil, nil),
  ]

  @Test func theTable() throws {
    for row in Self.table {
      let wish = try #require(AudioWish(row.wish))
      let taken = wish.choose(try #require(Self.tracks[row.there]), locale: row.locale.flatMap { Language($0) })
      #expect(taken == row.taken, "\(row)")
    }
  }

  @Test func wishesAreRead() {
    #expect(AudioWish("auto") == .auto && AudioWish("OFF") == .off && AudioWish("none") == .off)
    #expect(AudioWish("2") == .number(2) && AudioWish("de") == Language("de").map { .language($0) })
    for wrong in ["", "0", "-1", "+1", "1.5", "x", "99999999999999999999"] {
      #expect(AudioWish(wrong) == nil, "\(wrong)")
    }
  }
}
