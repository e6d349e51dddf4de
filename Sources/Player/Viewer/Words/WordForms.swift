import Frames

/// How a language writes numbers and dates. Clock times, `0:03 / 4:00`, are the same in all.
struct WordForms: Sendable {
  var decimal = "."
  /// Between thousands, from 10,000 on.
  var thousands = ""
  /// With what stands before it.
  var percent = "%"
  var date = Date.yearFirst("-")

  /// The order of a date's parts, and what stands between them.
  enum Date: Sendable {
    case yearFirst(String)
    case dayFirst(String)
  }

  /// The space that breaks no line.
  static let space = "\u{A0}"

  /// - Parameter digits: of a number as Swift writes it.
  func number(_ digits: String) -> String {
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first else { return digits }
    return ([grouped(whole)] + parts.dropFirst().map(String.init)).joined(separator: decimal)
  }

  private func grouped(_ digits: Substring) -> String {
    guard !thousands.isEmpty, digits.count(where: { $0.isNumber }) > 4, digits.allSatisfy({ $0.isNumber || $0 == "-" })
    else {
      return String(digits)
    }
    var (text, rest) = ("", digits)
    while rest.count(where: { $0.isNumber }) > 3 {
      text = thousands + rest.suffix(3) + text
      rest = rest.dropLast(3)
    }
    return rest + text
  }

  func date(year: String, month: String, day: String) -> String {
    switch date {
    case .yearFirst(let mark): [year, month, day].joined(separator: mark)
    case .dayFirst(let mark): [day, month, year].joined(separator: mark)
    }
  }
}

// Numbers in the window.
extension Words {
  private var forms: WordForms { table.forms }

  package func count(_ number: Int) -> String { forms.number("\(number)") }

  /// `16.7`.
  package func tenths(_ value: Double) -> String { forms.number("\((value * 10).rounded() / 10 + 0)") }

  /// `0.3 s`, `0 s`.
  package func delay(_ seconds: Double) -> String {
    let tenths = (seconds * 10).rounded() / 10
    return forms.number(tenths == 0 ? "0" : "\(tenths)") + " s"
  }

  /// `0.25×`, `1×`.
  package func rate(_ rate: Double) -> String {
    forms.number(rate == rate.rounded() ? "\(Int(rate))" : "\(rate)") + "×"
  }

  /// `50%`.
  package func percent(_ share: Double) -> String { "\(Int((share * 100).rounded()))" + forms.percent }

  /// `2.4 Mbit/s`.
  package func megabits(_ rate: Double) -> String { tenths(rate / 1e6) + " Mbit/s" }

  /// `3.1 MB`.
  package func bytes(_ bytes: Int64) -> String {
    let text = byteText(bytes)
    let digits = text.prefix { $0 != " " }
    return forms.number(String(digits)) + text.dropFirst(digits.count)
  }

  /// `2026-11-24`.
  package func date(year: String, month: String, day: String) -> String {
    forms.date(year: year, month: month, day: day)
  }
}
