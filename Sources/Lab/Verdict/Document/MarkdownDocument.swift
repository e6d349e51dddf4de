extension Document {
  /// Markdown as GitHub reads it: the answer first; rows of less weight are folded.
  var markdown: String {
    var blocks = [["### bench360: \(Markdown.escaped(title))"], ["**\(Markdown.escaped(answer))**"]]
    blocks.append(facts.map { "- \($0.label): \(Markdown.escaped($0.text))" } + (defect.map { ["- \($0)"] } ?? []))
    if let overview {
      blocks.append(Markdown.table([overview], titled: nil, \.rows))
      blocks.append(overview.notes.map { Markdown.escaped($0.text) })
    }
    if let sectionColumn {
      blocks.append(Markdown.table(sections, titled: sectionColumn, \.rows))
    } else {
      blocks += sections.flatMap { section -> [[String]] in
        let lines = section.facts.map(\.text) + (section.answer.map { [$0] } ?? [])
        return [
          ["#### \(Markdown.escaped(section.heading))"], lines.map { "- \(Markdown.escaped($0))" },
          Markdown.table([section], titled: nil, \.rows),
        ]
      }
    }
    let reasons = sections.flatMap(\.table.rows).compactMap(\.remark)
    blocks.append(reasons.map { "- **\($0.state)** \(Markdown.escaped("\($0.name): \($0.text)"))" })
    blocks.append(remarks.map(Markdown.escaped))
    let others = Markdown.table(sections, titled: sectionColumn, \.others)
    if !others.isEmpty, let title = sections.first?.table.othersTitle {
      blocks += [["<details><summary>\(title)</summary>"], others, ["</details>"]]
    }
    let notes = sections.flatMap { section in
      section.notes.filter { !$0.parts.isEmpty }.map { note in
        "- \(Markdown.escaped(section.name)), \(note.longLabel ?? note.label): \(Markdown.escaped(note.text))"
      }
    }
    blocks.append(notes + warnings.map(Markdown.note))
    return blocks.filter { !$0.isEmpty }.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }
}

/// Pieces of Markdown as GitHub reads it.
enum Markdown {
  /// The rows of all sections in one table; no line if there are none.
  ///
  /// - Parameter title: of a first column with the name of each row's section; nil: no such column.
  static func table(
    _ sections: [Document.Section], titled title: String?, _ rows: (Document.Table) -> [Document.Row]
  ) -> [String] {
    let lines = sections.flatMap { section in
      rows(section.table).map { row in line((title == nil ? [] : [section.name]) + row.cells) }
    }
    guard let columns = sections.first?.table.columns, !lines.isEmpty else { return [] }
    let rule = (title == nil ? [] : ["---"]) + columns.map { $0.alignment == .left ? "---" : "---:" }
    return [line((title.map { [$0] } ?? []) + columns.map(\.title)), "|\(rule.joined(separator: "|"))|"] + lines
  }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.map(escaped).joined(separator: " | ") + " |"
  }

  static func note(_ warning: Record.Warning) -> String {
    let remedy = warning.remedy.map { " — \(escaped($0))" } ?? ""
    return "- warning `\(escaped(warning.code))`: \(escaped(warning.text))\(remedy)"
  }

  /// Escaped text: no markup, no cell of its own, one line.
  static func escaped(_ text: String) -> String {
    var result = ""
    // Scalar by scalar: with an accent on it a bar still ends the cell.
    for scalar in ReportText.printable(text).unicodeScalars {
      switch scalar {
      case "|", "`", "*", "[", "]", "\\": result += "\\\(scalar)"
      case "<": result += "&lt;"
      case "&": result += "&amp;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
