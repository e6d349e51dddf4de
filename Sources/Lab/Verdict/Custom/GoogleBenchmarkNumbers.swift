import FoundationEssentials
import Frames

extension CustomFormat {
  /// `--benchmark_format=json` of google-benchmark: each benchmark is a variant, its repetitions are the values; where
  /// only aggregates were reported, their median.
  static let googleBenchmark = CustomFormat(name: "google-benchmark") { json in
    guard let output = try? JSONDecoder().decode(Output.self, from: json) else { return nil }
    var names: [String] = []
    for entry in output.benchmarks where !names.contains(entry.title) { names.append(entry.title) }
    return CustomRun(
      metrics: try names.flatMap { name in
        let entries = output.benchmarks.filter { $0.title == name }
        if let failed = entries.first(where: { $0.errorOccurred ?? false }) {
          throw Failure(.failed, "benchmark '\(name)' failed", cause: failed.errorMessage ?? "it does not say why")
        }
        let repetitions = entries.filter { $0.runType != "aggregate" }
        let runs = repetitions.isEmpty ? entries.filter { $0.aggregateName == "median" } : repetitions
        return numbers(runs, of: name)
      })
  }

  private static func numbers(_ runs: [Entry], of benchmark: String) -> [CustomRun.Number] {
    func number(
      _ name: String, _ unit: String, _ better: Metric.Polarity, isMain: Bool = false, _ value: (Entry) -> Double?
    ) -> CustomRun.Number? {
      let values = runs.compactMap(value)
      guard !values.isEmpty else { return nil }
      return CustomRun.Number(
        scenario: "benchmark", variant: benchmark, name: name, unit: unit, better: better, values: values,
        isMain: isMain)
    }
    let unit = runs.first?.timeUnit ?? "ns"
    return [
      number("real_time", unit, .low, isMain: true, \.realTime), number("cpu_time", unit, .low, \.cpuTime),
      number("items_per_second", "1/s", .high, \.itemsPerSecond),
      number("bytes_per_second", "B/s", .high, \.bytesPerSecond),
    ].compactMap { $0 }
  }

  private struct Output: Decodable {
    var benchmarks: [Entry]
  }

  private struct Entry: Decodable {
    var name: String
    /// Without the aggregate's name.
    var runName: String?
    var runType: String?
    var aggregateName: String?
    var realTime: Double?
    var cpuTime: Double?
    var timeUnit: String?
    var itemsPerSecond: Double?
    var bytesPerSecond: Double?
    var errorOccurred: Bool?
    var errorMessage: String?

    var title: String { runName ?? name }

    private enum CodingKeys: String, CodingKey {
      case name
      case runName = "run_name"
      case runType = "run_type"
      case aggregateName = "aggregate_name"
      case realTime = "real_time"
      case cpuTime = "cpu_time"
      case timeUnit = "time_unit"
      case itemsPerSecond = "items_per_second"
      case bytesPerSecond = "bytes_per_second"
      case errorOccurred = "error_occurred"
      case errorMessage = "error_message"
    }
  }
}
