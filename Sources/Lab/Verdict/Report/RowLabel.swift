/// The text above a row of a drawing, broken into lines, so that no drawing cuts it off however narrow the page is.
package struct RowLabel {
  package let lines: [String]
  private let aside: String

  /// Letters that fit into the narrowest drawing, that of a telephone.
  static let letters = 44.0
  private static let step = 14.0

  /// - Parameter aside: the text at the right end of the first line.
  package init(_ text: String, aside: String = "") {
    lines = Self.broken(text, width: max(16, Int(Self.letters) - (aside.isEmpty ? 0 : aside.count + 2)))
    self.aside = aside
  }

  /// Pixels that the row is higher than one with a single line.
  var extra: Double { Double(lines.count - 1) * Self.step }

  /// The lines from `y`, the baseline of the first one, downwards.
  func drawing(y: Double, class name: String = "label", asideClass: String? = nil) -> [Markup] {
    lines.enumerated().map { Draw.text($1, x: 0, y: y + Double($0) * Self.step, class: name) }
      + (aside.isEmpty ? [] : [Draw.atEnd(aside, y: y, class: asideClass)])
  }

  /// Breaks at blanks, else behind other marks between words, else anywhere. No letter is lost.
  package static func broken(_ text: String, width: Int) -> [String] {
    var (lines, rest) = ([String](), Substring(text))
    while rest.count > width {
      let part = rest.prefix(width + 1)
      if let blank = part.lastIndex(of: " "), blank > rest.startIndex {
        lines.append(String(rest[..<blank]))
        rest = rest[rest.index(after: blank)...]
        continue
      }
      let full = rest.prefix(width)
      let mark = full.lastIndex { "/-_.,".contains($0) }.map { rest.index(after: $0) } ?? full.endIndex
      lines.append(String(rest[..<mark]))
      rest = rest[mark...]
    }
    return lines + [String(rest)]
  }
}
