/// Tables after RFC 4180: lines end in CR LF, cells are quoted where they have to be.
enum CSV {
  static func text(_ rows: [[String]]) -> String {
    rows.map(line).joined()
  }

  static func line(_ cells: [String]) -> String {
    cells.map(quoted).joined(separator: ",") + "\r\n"
  }

  /// Spreadsheets take a cell that begins with one of these, also behind blanks, for a formula, and run it.
  private static let formulaStarts = "=+-@".utf8

  private static func quoted(_ cell: String) -> String {
    let start = cell.utf8.first { !"\t\r\n ".utf8.contains($0) }
    let isFormula = start.map(formulaStarts.contains) ?? false
    let cell = isFormula && Double(cell) == nil ? "'" + cell : cell
    guard cell.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return cell }
    // Scalar by scalar: with an accent on it a quote still ends the cell.
    let quotes = cell.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
    return "\"" + quotes.joined(separator: "\"\"") + "\""
  }
}
