/// A table of numbers below a chart, with the same text as in the terminal's tables.
struct Table {
  let head: [String]
  let rows: [[String]]
  /// Columns that hold text; the others are aligned at their right.
  var texts: Set<Int>
  /// Columns of text in which each key of a metric has its label before it.
  var metrics: Set<Int>

  /// The rows of a document's table.
  init(_ table: Document.Table, metrics: Set<Int> = []) {
    head = table.columns.map(\.title)
    rows = table.allRows.map(\.cells)
    texts = Set(table.columns.indices.filter { table.columns[$0].alignment == .left }).subtracting(metrics)
    self.metrics = metrics
  }

  init(head: [String], rows: [[String]], texts: Set<Int> = [0], metrics: Set<Int> = []) {
    (self.head, self.rows, self.texts, self.metrics) = (head, rows, texts, metrics)
  }

  private var aligned: Set<Int> { texts.union(metrics) }

  func markup(caption: String) -> Markup {
    let header = head.enumerated().map { index, cell in
      Markup.element("th", ["scope": "col", "class": aligned.contains(index) ? nil : "n"], cell)
    }
    let body = rows.map { row in
      Markup.element(
        "tr", [:],
        row.enumerated().map { index, cell -> Markup in
          let content = metrics.contains(index) ? Markup.labelled(cell) : Markup(text: cell)
          return index == 0
            ? .element("th", ["scope": "row"], [content])
            : .element("td", ["class": aligned.contains(index) ? nil : "n"], [content])
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
