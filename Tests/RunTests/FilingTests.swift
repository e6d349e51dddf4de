import Foundation
import Support
import Testing
import Verdict

/// Each number of a trial is kept where its metric's row says: a sample is no counter, and the reverse.
@Suite struct FilingTests {
  private static let metrics = Dictionary(uniqueKeysWithValues: Metric.allCases.map { ("\($0)", $0) })

  /// Metrics that the sources hand to a function by name: `add(.decodeFPS, …)`.
  private static func arguments(of function: String) throws -> [(file: String, metric: Metric)] {
    let folder = TestFolders.repository + "/Sources/Lab/Run"
    let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
    let call = try Regex("\\b\(function)\\(\\s*\\.([A-Za-z]+)", as: (Substring, Substring).self)
      // Else a full stop between letters ends no word, and 'trial.add(' is not seen.
      .wordBoundaryKind(.simple)
    return try files.filter { $0.hasSuffix(".swift") }.sorted().flatMap { file in
      try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).matches(of: call).compactMap { match in
        metrics[String(match.1)].map { (file, $0) }
      }
    }
  }

  private static let functions: [(String, Set<Metric.Kind>)] = [
    ("add", [.distribution, .value]), ("count", [.counter]),
  ]

  @Test(arguments: functions)
  func functionsTakeMetricsOfTheirKind(function: String, kinds: Set<Metric.Kind>) throws {
    let calls = try Self.arguments(of: function)
    #expect(Set(calls.map(\.metric)).count > (function == "add" ? 12 : 5), "most calls are not seen: \(calls.count)")
    for (file, metric) in calls {
      #expect(kinds.contains(metric.kind), "\(file) hands '\(metric.name)', a \(metric.kind), to \(function)")
    }
  }
}
