import Verdict

/// A table of numbers below a chart, with the same text as in the terminal's tables.
struct Table {
  let head: [String]
  let rows: [[String]]
  /// Columns that hold text; the others are aligned at their right.
  var texts: Set<Int> = [0]

  func markup(caption: String) -> Markup {
    let header = head.enumerated().map { index, cell in
      Markup.element("th", ["scope": "col", "class": texts.contains(index) ? nil : "n"], cell)
    }
    let body = rows.map { row in
      Markup.element(
        "tr", [:],
        row.enumerated().map { index, cell in
          index == 0
            ? .element("th", ["scope": "row"], cell)
            : .element("td", ["class": texts.contains(index) ? nil : "n"], cell)
        })
    }
    let table = Markup.element(
      "table", [:], [.element("thead", [:], [.element("tr", [:], header)]), .element("tbody", [:], body)])
    // Focusable, so that keyboard users can scroll it.
    return .element("div", ["class": "scroll", "tabindex": "0", "role": "group", "aria-label": caption], [table])
  }

  /// The table folded behind a summary line.
  func folded(_ caption: String, summary: String = "Numbers") -> Markup {
    .element("details", [:], [.element("summary", [:], summary), markup(caption: caption)])
  }
}
