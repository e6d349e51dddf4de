import Bench360Player

/// The languages of the window: a case and a line of `table` each.
///
/// What is written to standard output and error, to records and logs is English.
package enum Words: String, Sendable, Hashable, CaseIterable {
  case english = "en"
  case czech = "cs"
  case german = "de"
  case spanish = "es"
  case french = "fr"
  case japanese = "ja"
  /// In simplified characters.
  case chinese = "zh"

  var table: any WordTable.Type {
    switch self {
    case .english: EnglishWords.self
    case .czech: CzechWords.self
    case .german: GermanWords.self
    case .spanish: SpanishWords.self
    case .french: FrenchWords.self
    case .japanese: JapaneseWords.self
    case .chinese: ChineseWords.self
    }
  }

  /// The first of the languages that has a table; English where none has.
  ///
  /// - Parameter wanted: as `Language.messages` lists them.
  package init(_ wanted: [Language]) {
    self = wanted.lazy.compactMap { Words(rawValue: $0.code) }.first ?? .english
  }

  package subscript(_ word: Word) -> String { table.text(word) }

  package subscript(_ phrase: Phrase) -> String {
    if case .word(let word) = phrase { table.text(word) } else { table.text(phrase) }
  }

  /// `Speed: 2×`.
  package func named(_ word: Word, _ value: String) -> String { self[.named(self[word], value: value)] }

  /// Facts on one line of the statistics.
  func line(_ facts: [Phrase]) -> String { facts.map { self[$0] }.joined(separator: " · ") }

  /// The letters of its table that English lacks: the window needs a font that has them.
  package var letters: [Unicode.Scalar] {
    let texts = Word.allCases.map { self[$0] } + [table.languages]
    return Set(texts.joined().unicodeScalars.filter { !$0.isASCII && !$0.properties.isWhitespace }).sorted()
  }
}

/// The texts of a language, and its forms of numbers and dates.
protocol WordTable {
  static var forms: WordForms { get }
  static func text(_ word: Word) -> String
  static func text(_ phrase: Phrase) -> String
  /// Names of languages, `CODE NAME` each, between commas; others have their English one.
  static var languages: String { get }
}

extension WordTable {
  static func count(_ number: Int) -> String { forms.number("\(number)") }
}
