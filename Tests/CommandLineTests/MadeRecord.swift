import Foundation
import Support
import Testing

/// A record that the program wrote, to be changed and multiplied: what `compare` and `ab` are given.
struct MadeRecord {
  private(set) var values: [String: Any]

  /// One trial of decoding a small clip; measured once for all tests, its samples taken out.
  static func real() throws -> MadeRecord {
    let path = try SharedClips.file("decoded.json") { path in
      try TestFolders.withTemporary { folder in
        try Program.generate("clip.mp4", in: folder, ["--size", "160x90", "--projection", "flat"])
        let result = try Program.run(
          ["run", "clip.mp4", "--scenario", "decode", "--trials", "1", "--duration", "0.1", "-o", "x.json"], in: folder)
        try #require(result.status == 0, "\(result.errors)")
        var record = MadeRecord(values: try RecordText(file: folder + "/x.json").values)
        // The noise of the day, when it was measured, is not what is tested.
        record.values["warnings"] = [Any]()
        record.setRates([1000])
        try record.write(path)
      }
    }
    return MadeRecord(values: try RecordText(file: path).values)
  }

  /// One trial for each of these frame rates.
  static func rates(_ rates: [Double]) throws -> MadeRecord {
    var record = try real()
    record.setRates(rates)
    return record
  }

  /// Twelve different rates, all within a thousandth.
  static func rates(around center: Double) throws -> MadeRecord {
    try rates((0..<12).map { center * (1 + Double($0 * 5 % 12) / 12_000) })
  }

  mutating func setRates(_ rates: [Double]) {
    change("scenarios", 0) { scenario in
      guard let trial = (scenario["trials"] as? [[String: Any]])?.first else { return }
      scenario["trials"] = rates.map { Self.trial(trial, rate: $0) }
    }
  }

  private static func trial(_ trial: [String: Any], rate: Double) -> [String: Any] {
    var trial = trial
    var metrics = trial["metrics"] as? [String: [String: Any]] ?? [:]
    for name in metrics.keys { metrics[name]?["samples"] = [Double]() }
    for statistic in ["p50", "p90", "p95", "p99", "max", "mean"] { metrics["decode_fps"]?[statistic] = rate }
    trial["metrics"] = metrics
    return trial
  }

  /// Pictures that were wrong.
  mutating func setWrongFrames(_ count: Int) {
    change("scenarios", 0) { scenario in
      var summary = scenario["summary"] as? [String: Any] ?? [:]
      var counters = summary["counters"] as? [String: Any] ?? [:]
      counters["wrong_frame"] = count
      summary["counters"] = counters
      scenario["summary"] = summary
    }
  }

  mutating func set(_ key: String, _ value: Any) { values[key] = value }

  mutating func set(_ group: String, _ key: String, _ value: Any) {
    var inner = values[group] as? [String: Any] ?? [:]
    inner[key] = value
    values[group] = inner
  }

  private mutating func change(_ key: String, _ index: Int, _ body: (inout [String: Any]) -> Void) {
    guard var list = values[key] as? [[String: Any]], list.indices.contains(index) else { return }
    body(&list[index])
    values[key] = list
  }

  func write(_ path: String) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try JSONSerialization.data(withJSONObject: values, options: [.prettyPrinted, .sortedKeys]).write(to: url)
  }
}
