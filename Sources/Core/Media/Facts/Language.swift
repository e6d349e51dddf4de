/// A language as files, locales and people name it: `en`, `eng`, `en-GB`, `en_GB.UTF-8`, `English`.
///
/// Codes of ISO 639-2 become those of ISO 639-1 where there is one, so that `ger`, `deu` and `de` are equal. What follows a
/// BCP 47 tag's first part, a script or a region, is kept.
public struct Language: Sendable, Hashable, CustomStringConvertible {
  /// ISO 639-1, else 639-2 or 639-3; small letters.
  public let code: String
  /// `BR` of `pt-BR`, `Hant` of `zh-Hant`; empty where nothing follows.
  public let region: String

  /// Nil for names of no language, such as `C`, `und` and `mul`.
  public init?(_ text: String) {
    let tag = text.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
    let parts = tag.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let first = parts.first?.lowercased(), tag.utf8.count <= 35 else { return nil }
    if let row = Self.rows.first(where: { $0.codes.contains(first) || $0.name.lowercased() == first }) {
      code = row.codes[0]
    } else {
      guard (2...3).contains(first.utf8.count), first.utf8.allSatisfy({ (0x61...0x7A).contains($0) }),
        !["und", "mul", "zxx", "mis"].contains(first)
      else { return nil }
      code = first
    }
    region = parts.count > 1 ? parts[1] : ""
    guard region.utf8.allSatisfy({ $0 == 0x2D || Self.isAlphanumeric($0) }), parts.count == 1 || !region.isEmpty else {
      return nil
    }
  }

  /// A language of the table, by one of its codes: any three letters of a file's name are not one.
  package static func known(_ text: String) -> Language? {
    guard let first = text.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).first,
      rows.contains(where: { $0.codes.contains(String(first)) })
    else { return nil }
    return Language(text)
  }

  /// The language of the user's messages, as POSIX looks for it; nil where none is set.
  ///
  /// - Parameter environment: of the process.
  public static func locale(_ environment: [String: String]) -> Language? {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    return set.flatMap { Language($0) }
  }

  /// The languages that the user wants messages in, the best first, as gettext looks for them: the list of `LANGUAGE`, else `locale`.
  /// Empty where the locale is `C` or not set: `LANGUAGE` does not count then.
  ///
  /// - Parameter environment: of the process.
  public static func messages(_ environment: [String: String]) -> [Language] {
    guard let locale = locale(environment) else { return [] }
    let listed = (environment["LANGUAGE"] ?? "").split(separator: ":")
    return listed.isEmpty ? [locale] : listed.compactMap { Language(String($0)) }
  }

  /// In English, such as `Portuguese (BR)`; the code where the table lacks it.
  public var name: String {
    (Self.rows.first { $0.codes[0] == code }?.name ?? code) + (region.isEmpty ? "" : " (\(region))")
  }

  /// The tag.
  public var description: String { region.isEmpty ? code : "\(code)-\(region)" }

  /// How well this language matches `wanted`: 2 equal, 1 the same language of another region, 0 another language.
  public func fit(_ wanted: Language) -> Int {
    guard code == wanted.code else { return 0 }
    return region.lowercased() == wanted.region.lowercased() ? 2 : 1
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private struct Row: Sendable {
    /// ISO 639-1 first, then those of 639-2, for terms and, where it differs, for books.
    var codes: [String]
    var name: String
  }

  private static let rows: [Row] = table.split(separator: "\n").compactMap { line in
    let words = line.split(separator: " ").map(String.init)
    guard let name = words.last else { return nil }
    return Row(codes: words.dropLast(), name: name)
  }

  private static let table = """
    af afr Afrikaans
    ar ara Arabic
    az aze Azerbaijani
    be bel Belarusian
    bg bul Bulgarian
    bn ben Bengali
    bs bos Bosnian
    ca cat Catalan
    cs ces cze Czech
    cy cym wel Welsh
    da dan Danish
    de deu ger German
    el ell gre Greek
    en eng English
    es spa Spanish
    et est Estonian
    eu eus baq Basque
    fa fas per Persian
    fi fin Finnish
    fil Filipino
    fr fra fre French
    ga gle Irish
    gl glg Galician
    gu guj Gujarati
    he heb Hebrew
    hi hin Hindi
    hr hrv Croatian
    hu hun Hungarian
    hy hye arm Armenian
    id ind Indonesian
    is isl ice Icelandic
    it ita Italian
    ja jpn Japanese
    ka kat geo Georgian
    kk kaz Kazakh
    km khm Khmer
    kn kan Kannada
    ko kor Korean
    lt lit Lithuanian
    lv lav Latvian
    mk mkd mac Macedonian
    ml mal Malayalam
    mn mon Mongolian
    mr mar Marathi
    ms msa may Malay
    my mya bur Burmese
    nb nob Bokmål
    ne nep Nepali
    nl nld dut Dutch
    nn nno Nynorsk
    no nor Norwegian
    pa pan Punjabi
    pl pol Polish
    pt por Portuguese
    ro ron rum Romanian
    ru rus Russian
    si sin Sinhala
    sk slk slo Slovak
    sl slv Slovenian
    sq sqi alb Albanian
    sr srp Serbian
    sv swe Swedish
    sw swa Swahili
    ta tam Tamil
    te tel Telugu
    th tha Thai
    tr tur Turkish
    uk ukr Ukrainian
    ur urd Urdu
    uz uzb Uzbek
    vi vie Vietnamese
    zh zho chi Chinese
    """
}

extension Language: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let language = Language(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no language")
    }
    self = language
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
