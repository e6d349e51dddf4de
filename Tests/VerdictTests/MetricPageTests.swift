import Foundation
import Support
import Testing
import Verdict

/// The tables of `Docs/Bench360.docc/Metrics.md` are those of the code. `BENCH360_REWRITE_GOLDEN=1` writes them anew.
struct MetricPageTests {
  private static let path = TestFolders.repository + "/Docs/Bench360.docc/Metrics.md"
  private static let header = "| metric | unit | better | kind | from → to |"

  private static func row(_ metric: Metric) -> String {
    let name = "`\(metric.name)`" + (metric.since > 1 ? " (since `bench360/\(metric.since)`)" : "")
    return "| \(name) | \(metric.unit) | \(metric.polarity.rawValue) | \(metric.kind.rawValue) | \(metric.definition) |"
  }

  /// The page with each row that names a metric as the code has it.
  private static func rewritten(_ lines: [String]) -> [String] {
    lines.map { line in
      guard line.hasPrefix("| `"), let name = line.split(separator: "`").dropFirst().first,
        let metric = Metric.named(String(name))
      else { return line }
      return row(metric)
    }
  }

  /// Rows of the tables that have this header, one table after the other.
  private static func rows(_ lines: [String]) -> [String] {
    lines.indices.filter { lines[$0] == header }.flatMap { lines[($0 + 2)...].prefix { $0.hasPrefix("|") } }
  }

  @Test func thePageHasEveryMetricAsTheCodeHasIt() throws {
    var lines = try String(contentsOfFile: Self.path, encoding: .utf8).components(separatedBy: "\n")
    if ProcessInfo.processInfo.environment["BENCH360_REWRITE_GOLDEN"] == "1" {
      lines = Self.rewritten(lines)
      try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: Self.path))
    }
    let (shown, expected) = (Self.rows(lines), Metric.allCases.map(Self.row))
    #expect(shown.count == Metric.allCases.count)
    for row in expected where !shown.contains(row) { Issue.record("Metrics.md lacks the row \(row)") }
    for row in shown where !expected.contains(row) { Issue.record("Metrics.md has a row that is none: \(row)") }
    #expect(shown == expected, "the rows are not in the table's order")
  }

  /// What the prose lists beside the tables.
  @Test func thePageNamesEveryPartOfTheCriticalPath() throws {
    let page = try String(contentsOfFile: Self.path, encoding: .utf8)
    for phase in Phase.criticalPath { #expect(page.contains("`\(phase.name)`"), "\(phase)") }
    for source in PresentSource.allCases { #expect(page.contains("`\(source.rawValue)`"), "\(source)") }
  }
}
