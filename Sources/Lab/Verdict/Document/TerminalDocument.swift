extension Document {
  /// Lines of at most 100 columns, the answer last.
  ///
  /// - Parameters:
  ///   - listsUnchanged: whether unchanged rows among the others are printed, and remarks about unchanged rows. Without it a line gives
  ///     their number.
  ///   - isASCII: whether the terminal supports ASCII only, for sparklines.
  func terminal(_ style: TerminalStyle, listsUnchanged: Bool = false, isASCII: Bool = false) -> String {
    let widths = TableWidths(sections.map(\.table))
    var blocks = [facts.flatMap { style.wrapped($0, indent: "", labelWidth: 9) }]
    blocks += sections.map { $0.terminal(style, widths, listsUnchanged: listsUnchanged, isASCII: isASCII) }
    blocks.append(overview?.terminal(style) ?? [])
    blocks.append(remarks.flatMap { style.wrapped($0, first: "") })
    blocks.append(style.warnings(warnings))
    blocks.append(defect.map { [style.styled($0, .yellow)] } ?? [])
    blocks.append(style.wrapped(answer, first: "", color: TerminalStyle.Color(tone)))
    return blocks.filter { !$0.isEmpty }.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

}

extension Document.Section {
  /// Its lines, where it is by itself.
  func terminal(_ style: TerminalStyle) -> [String] {
    terminal(style, TableWidths([table]), listsUnchanged: true, isASCII: false)
  }

  fileprivate func terminal(
    _ style: TerminalStyle, _ widths: TableWidths, listsUnchanged: Bool, isASCII: Bool
  ) -> [String] {
    var lines = [style.styled(ReportText.cut(ReportText.printable(heading), to: TerminalStyle.width), .bold)]
    lines += facts.flatMap { style.wrapped($0, indent: "  ", labelWidth: 0) }
    if let sparkline {
      let text = "  " + Sparkline.text(sparkline.values, isASCII: isASCII) + "  "
      // Between the facts: where it was measured, the values, their noise.
      lines.insert(text + ReportText.printable(sparkline.range), at: min(2, lines.count))
    }
    lines += table.terminal(style, widths, listsUnchanged: listsUnchanged)
    lines += notes.flatMap { style.wrapped($0, indent: "  ", labelWidth: $0.label.isEmpty ? 0 : 10) }
    return lines + (answer.map { style.wrapped($0, first: "  ") } ?? [])
  }
}

extension Document.Table {
  fileprivate func terminal(_ style: TerminalStyle, _ widths: TableWidths, listsUnchanged: Bool) -> [String] {
    guard !allRows.isEmpty else { return [] }
    var lines = [widths.line(columns.map(\.title), columns)]
    for (index, row) in rows.enumerated() {
      let line = widths.line(row.cells, columns)
      lines.append(row.tone == .neutral ? line : style.styled(line, row.tone == .bad ? .red : .bold))
      // Once for those in a row that share it.
      let isShared = index + 1 < rows.count && rows[index + 1].remark?.text == row.remark?.text
      guard let remark = row.remark, !isShared, !row.isUnchanged || listsUnchanged else { continue }
      lines += style.wrapped(remark.text, first: "    ")
    }
    let listed = listsUnchanged ? others : others.filter { !$0.isUnchanged }
    if !listed.isEmpty { lines.append("  " + othersTitle) }
    lines += listed.map { widths.line($0.cells, columns) }
    let count = others.count - listed.count
    return lines + (count == 0 ? [] : ["  " + folded(count)])
  }
}

/// The widths of the columns that the tables of a document share: as wide as the cells, within the columns' bounds and 100 columns in all.
private struct TableWidths {
  private var widths: [Int] = []

  init(_ tables: [Document.Table]) {
    guard let columns = tables.first?.columns, let last = columns.indices.last else { return }
    let rows = tables.flatMap { [$0.columns.map(\.title)] + $0.allRows.map(\.cells) }
    widths = columns.indices.map { column in
      let longest = rows.map { ReportText.printable($0[column]).count }.max() ?? 0
      return min(max(longest, columns[column].width.lowerBound), columns[column].width.upperBound)
    }
    // The first column has the rest of the line: its cells are cut before others are.
    let others = 2 + widths[Range(from: 1, to: last)].reduce(0) { $0 + 1 + $1 } + 2 + widths[last]
    widths[0] = max(1, min(widths[0], TerminalStyle.width - others))
  }

  func line(_ cells: [String], _ columns: [Document.Column]) -> String {
    var line = "  "
    for (index, column) in columns.enumerated() {
      let cell = ReportText.cut(ReportText.printable(cells[index]), to: widths[index])
      let padding = String(repeating: " ", count: widths[index] - cell.count)
      line += index == 0 ? "" : index == columns.count - 1 ? "  " : " "
      line += column.alignment == .left ? cell + padding : padding + cell
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension TerminalStyle {
  /// - Parameter labelWidth: columns for the label; 0: no label.
  fileprivate func wrapped(_ fact: Document.Fact, indent: String, labelWidth: Int) -> [String] {
    let padding = String(repeating: " ", count: max(0, labelWidth - fact.label.count))
    return wrapped(words: fact.parts, separator: fact.separator, first: indent + fact.label + padding)
  }
}

extension TerminalStyle.Color {
  fileprivate init(_ tone: Document.Tone) {
    self =
      switch tone {
      case .neutral: .bold
      case .good: .green
      case .bad: .red
      case .undecided: .yellow
      }
  }
}
