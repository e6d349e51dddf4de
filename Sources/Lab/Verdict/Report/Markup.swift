/// A fragment of a page. Text is always escaped, so that no text of a record can become markup.
///
/// A string literal, interpolated or not, is text. The output is both HTML and well-formed XML.
struct Markup: Sendable, ExpressibleByStringInterpolation {
  private(set) var source: String

  /// Void elements, which close themselves.
  private static let voids: Set<String> = ["meta", "br", "img", "path", "line", "rect", "circle"]
  /// Each begins a line of the file, for readability.
  private static let blocks: Set<String> = [
    "html", "head", "body", "header", "main", "footer", "nav", "article", "section", "aside", "figure", "table", "tr",
    "p", "h1", "h2", "h3", "h4", "li", "svg", "details", "style", "meta", "title",
  ]

  init(text: String) { source = Self.escaped(text) }
  init(stringLiteral value: String) { self.init(text: value) }
  private init(source: String) { self.source = source }

  /// Names are literals of the program; attributes with a nil value are left out.
  static func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:], _ children: [Markup] = []
  ) -> Markup {
    let name = "\(name)"
    var source = "<\(name)"
    for (key, value) in attributes {
      guard let value else { continue }
      source += " \(key)=\"\(escaped(value))\""
    }
    if voids.contains(name) {
      source += "/>"
    } else {
      source += ">"
      for child in children { source += child.source }
      source += "</\(name)>"
    }
    return Markup(source: blocks.contains(name) ? source + "\n" : source)
  }

  /// `element` for those whose content is text only.
  static func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:], _ text: String
  ) -> Markup {
    element(name, attributes, [Markup(text: text)])
  }

  /// The style sheet, unescaped: a literal of the program without text from records.
  static func style(_ sheet: StyleSheet) -> Markup {
    Markup(source: "<style>\(sheet.text)</style>\n")
  }

  static func joined(_ parts: [Markup]) -> Markup {
    Markup(source: parts.reduce(into: "") { $0 += $1.source })
  }

  /// Text as it stands in an element or between double quotes.
  ///
  /// Characters that XML 1.0 forbids even when escaped, and bidirectional controls (Unicode Standard Annex 9), with
  /// which a label could reverse other text, become `?`.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result += " "
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{FFFE}", "\u{FFFF}": result += "?"
      default:
        if scalar.properties.generalCategory == .control { result += "?" } else { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}

extension Markup {
  static func heading(_ level: Int, id: String? = nil, _ text: String) -> Markup {
    switch level {
    case ...1: element("h1", ["id": id], text)
    case 2: element("h2", ["id": id], text)
    case 3: element("h3", ["id": id], text)
    default: element("h4", ["id": id], text)
    }
  }

  /// Terms with their values, in the order given; a value of nil is not known.
  static func terms(class name: String, _ rows: [(term: String, value: String?)]) -> Markup {
    labelledTerms(class: name, rows.map { (term: Markup(text: $0.term), value: $0.value) })
  }

  static func labelledTerms(class name: String, _ rows: [(term: Markup, value: String?)]) -> Markup {
    element(
      "dl", ["class": name],
      rows.map { row in
        element(
          "div", [:],
          [element("dt", [:], [row.term]), element("dd", [:], row.value ?? ReportText.unknown)])
      })
  }
}
