import Adaptation
import FoundationEssentials
import Frames
import Verdict

/// A session's row in the table of `abr`.
struct AbrRow: Sendable {
  let controller: String
  let network: String
  let summary: SessionSummary
  /// Its name in the matrix; nil without one.
  private(set) var cell: String?

  init(_ session: SimulatedSession) {
    (controller, network, summary) = (session.controller, session.network, session.summary)
  }

  /// The same session as a cell of a matrix.
  func of(cell name: String) -> AbrRow {
    var row = self
    row.cell = name
    return row
  }
}

/// The answer of `abr`: a row for each controller and network, then the mean of each controller over several networks; of a matrix a row
/// for each cell.
struct AbrTable {
  private static let titles = [
    "Mbit/s", "startup s", "stalls", "stalled s", "stalled %", "up", "down", "wasted MB", Metric.qoeLinear.name,
  ]
  private static let longestName = 32

  private let rows: [AbrRow]
  /// Titles of the columns of names, which are aligned left.
  private let names: [String]

  init(_ rows: [AbrRow]) {
    self.rows = rows
    names = rows.contains { $0.cell != nil } ? ["cell"] : ["network", "controller"]
  }

  /// With a newline at its end.
  var text: String {
    let cells = rows.map { row in
      (row.cell.map { [$0] } ?? [short(row.network), row.controller]) + numbers([row.summary])
    }
    let lines = [names + Self.titles] + cells + (names.count > 1 ? means : [])
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    let table = lines.map { line in
      let parts = line.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column < names.count ? cell + padding : padding + cell
      }
      return parts.joined(separator: "  ") + "\n"
    }
    return table.joined() + failures
  }

  private var means: [[String]] {
    var controllers: [String] = []
    for row in rows where !controllers.contains(row.controller) { controllers.append(row.controller) }
    guard rows.count > controllers.count else { return [] }
    return controllers.map { name in
      let summaries = rows.filter { $0.controller == name }.map(\.summary)
      return ["mean of \(summaries.count)", name] + numbers(summaries)
    }
  }

  /// What the network did not deliver to the end.
  private var failures: String {
    let failed = rows.filter(\.summary.failed)
    guard let first = failed.first else { return "" }
    let others = failed.count > 1 ? ", and so did \(failed.count - 1) more" : ""
    return
      "\n\(first.controller) over \(short(first.network)) ended early: the network delivers nothing more\(others)\n"
  }

  private func short(_ name: String) -> String {
    let name = printable(name)
    return name.count <= Self.longestName ? name : name.prefix(Self.longestName - 1) + "…"
  }

  /// Means of these sessions, a column each.
  private func numbers(_ summaries: [SessionSummary]) -> [String] {
    func mean(_ digits: Int, _ value: (SessionSummary) -> Double?) -> String {
      let values = summaries.compactMap(value)
      guard !values.isEmpty else { return "–" }
      return formatted("%.\(digits)f", values.reduce(0, +) / Double(values.count))
    }
    let counts = summaries.count > 1 ? 1 : 0
    return [
      mean(3) { $0.meanBitrate / 1e6 }, mean(2) { $0.startupSeconds }, mean(counts) { Double($0.rebuffers) },
      mean(2) { $0.rebufferSeconds }, mean(2) { $0.rebufferRatio * 100 }, mean(counts) { Double($0.switchesUp) },
      mean(counts) { Double($0.switchesDown) }, mean(2) { Double($0.bytesWasted) / 1e6 }, mean(1) { $0.qoeLin },
    ]
  }
}
