import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Records as other systems take them.
@Suite struct ExportTests {
  private static let subject = ExportSubject(revision: "5f3c0de", repository: "https://github.com/mesa/mesa")

  private static func text(_ name: String, _ records: [Record] = [Sample.record()]) throws -> String {
    try #require(ExportFormat.named(name)).render(records, subject)
  }

  private static func lines(_ name: String, _ records: [Record] = [Sample.record()]) throws -> [[String: Any]] {
    try text(name, records).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test(arguments: ExportFormat.all.map(\.name)) func matchesItsGolden(_ name: String) throws {
    let text = try Self.text(name)
    #expect(text == (try TestFiles.golden("export-\(name)", rewritingWith: text)))
    // Rows of CSV end with CR LF, which is one character.
    #expect(text.utf8.last == 0x0A)
  }

  // MARK: - Values

  /// All that stands in the record, by place, metric and statistic.
  private static func known(_ record: Record) -> [String: Double] {
    record.scenarios.reduce(into: [:]) { known, scenario in
      let place = scenario.variant.map { "\(scenario.name)/\($0)" } ?? scenario.name
      for (name, metric) in scenario.summary.metrics {
        let isValue = Metric.named(name)?.kind == .value
        known["\(place) \(name) \(isValue ? "value" : "p50")"] = metric.p50
        guard !isValue else { continue }
        for (statistic, value) in [
          ("p90", metric.p90), ("p95", metric.p95), ("p99", metric.p99), ("mean", metric.mean), ("max", metric.max),
        ] {
          known["\(place) \(name) \(statistic)"] = value
        }
      }
      for (name, total) in scenario.summary.counters { known["\(place) \(name) total"] = total.map(Double.init) }
    }
  }

  @Test func valuesOfOTLPAreTheRecords() throws {
    var found: [String: Double] = [:]
    let line = try #require(try Self.lines("otlp").first)
    let scopes = try #require((line["resourceMetrics"] as? [[String: Any]])?.first?["scopeMetrics"] as? [[String: Any]])
    for metric in try #require(scopes.first?["metrics"] as? [[String: Any]]) {
      let name = try #require(metric["name"] as? String).replacing("bench360.", with: "")
      for point in try #require((metric["gauge"] as? [String: Any])?["dataPoints"] as? [[String: Any]]) {
        var labels: [String: String] = [:]
        for attribute in try #require(point["attributes"] as? [[String: Any]]) {
          let value = (attribute["value"] as? [String: String])?["stringValue"]
          labels[try #require(attribute["key"] as? String).replacing("bench360.", with: "")] = value
        }
        let place = [labels["scenario"], labels["variant"]].compactMap { $0 }.joined(separator: "/")
        found["\(place) \(name) \(labels["statistic"] ?? "")"] = point["asDouble"] as? Double
        #expect((point["timeUnixNano"] as? String).flatMap(Int64.init) ?? 0 > 1_500_000_000_000_000_000)
      }
    }
    for (key, value) in Self.known(Sample.record()) { #expect(found[key] == value, "\(key)") }
  }

  @Test func valuesOfSkiaAreTheRecords() throws {
    let object = try JSONSerialization.jsonObject(with: Data(Self.text("skia").utf8)) as? [String: Any]
    var found: [String: Double] = [:]
    for result in try #require(object?["results"] as? [[String: Any]]) {
      let key = try #require(result["key"] as? [String: String])
      let place = try #require(key["test"]).replacing("_", with: "/")
      let stat = try #require((result["measurements"] as? [String: Any])?["stat"] as? [[String: Any]])
      for single in stat {
        found["\(place) \(key["metric"] ?? "") \(single["value"] ?? "")"] = single["measurement"] as? Double
      }
    }
    for (key, value) in Self.known(Sample.record()) { #expect(found[key] == value, "\(key)") }
    #expect(object?["git_hash"] as? String == "5f3c0de" && object?["version"] as? Int == 1)
  }

  /// Milliseconds are seconds there, to the last digit: no product of two doubles.
  @Test func valuesOfOpenMetricsAreTheRecordsInBaseUnits() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var numbers = SplitMix64(seed: seed)
    let samples = (0..<200).map { _ in (Double.random(in: 0...500, using: &numbers) * 1e4).rounded() / 1e4 }
    for sample in samples {
      var record = Sample.record()
      let trial = Record.Trial(
        started: "2026-01-01T00:00:00Z",
        metrics: [
          "ttff_ms": MetricResult(unit: "ms", samples: [sample]),
          "peak_rss_mib": MetricResult(unit: "MiB", samples: [sample]),
        ])
      record.scenarios = [Record.Scenario(name: "startup", trials: [trial])]
      let lines = try Self.text("openmetrics", [record]).split(separator: "\n")
      for (family, factor) in [
        ("bench360_ttff_seconds", Decimal(1000)), ("bench360_peak_rss_bytes", 1 / Decimal(1_048_576)),
      ] {
        let line = try #require(lines.first { $0.hasPrefix(family + "{") }, "seed \(seed)")
        let value = try #require(Decimal(string: String(line.split(separator: " ").last ?? "")))
        #expect(value * factor == Decimal(string: "\(sample)"), "\(line) of \(sample), seed \(seed)")
      }
    }
  }

  @Test func conbenchHasEachTrialAndWhatItWants() throws {
    let line = try #require(
      try Self.lines("conbench").first { ($0["tags"] as? [String: String])?["name"] == "decode_latency_ms" })
    let stats = try #require(line["stats"] as? [String: Any])
    let trials = Sample.record().scenarios[0].trials.compactMap { $0.metrics["decode_latency_ms"]?.p50 }
    let data = try #require(stats["data"] as? [NSNumber])
    #expect(data.map { ($0.doubleValue * 1e7).rounded() / 1e4 } == trials && stats["unit"] as? String == "s")
    #expect(
      stats["iterations"] as? Int == trials.count && stats["times"] != nil && stats["time_unit"] as? String == "s")
    for key in ["run_id", "batch_id", "timestamp", "context", "tags", "github", "machine_info"] {
      #expect(line[key] != nil, "\(key)")
    }
    #expect((line["machine_info"] as? [String: Any])?.count == 16)
    #expect(line["github"] as? [String: String] == ["commit": "5f3c0de", "repository": "https://github.com/mesa/mesa"])
    #expect(throws: Failure.self) { try ExportFormat.named("conbench")?.render([Sample.record()]) }
  }

  @Test func bencherHasTheMiddleTrialAndTheSpread() throws {
    let object =
      try JSONSerialization.jsonObject(with: Data(Self.text("bencher").utf8)) as? [String: [String: [String: Double]]]
    let summary = Sample.record().scenarios[0].summary.metrics["decode_fps"]
    let measure = try #require(object?["\(Sample.input.name) decode"]?["decode_fps"])
    #expect(
      measure
        == ["value": summary?.p50, "lower_value": summary?.trialLow, "upper_value": summary?.trialHigh].compactMapValues
      { $0 })
  }

  // MARK: - Several records, and odd ones

  @Test func ofTheSameTheNewestStaysAndSystemsAreTold() throws {
    var (old, new) = (Sample.record(), Sample.record())
    (old.created, new.created) = ("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")
    new.scenarios[0].summary.metrics["decode_fps"]?.p50 = 77.25
    let metrics = try Self.text("openmetrics", [new, old])
    #expect(metrics == (try Self.text("openmetrics", [old, new])) && metrics.contains(" 77.25\n"))
    let result = try Self.text("phoronix", [old, new])
    #expect(result.matches(of: #/<System>/#).count == 2 && result.contains("<Value>77.25</Value>"))
    #expect(Set(result.matches(of: #/<System>\s*<Identifier>(.*)</Identifier>/#).map(\.1)).count == 2)
    #expect(throws: Failure.self) { try Self.text("skia", [old, new]) }
    #expect(try Self.lines("otlp", [old, new]).count == 2)
    #expect(try Self.text("csv", [old, new]).hasPrefix("created,label,"))
  }

  /// What others called their files breaks no form.
  @Test func oddNamesStayWithinTheirForm() throws {
    var record = Sample.record()
    record.input.name = "a\"\u{301}b\\\n<c>&\u{1}'é\u{202E}"
    record.label = String(repeating: "long ", count: 100)
    record.created = "yesterday"
    for name in ["otlp", "conbench"] { #expect(try !Self.lines(name, [record]).isEmpty) }
    for name in ["bencher", "skia"] { _ = try JSONSerialization.jsonObject(with: Data(Self.text(name, [record]).utf8)) }
    let shape =
      #/(?:# (?:TYPE|UNIT|HELP) .*|# EOF|bench360_[a-z0-9_]+\{(?:[a-z]+="(?:[^"\\\n]|\\.)*",?)+\} -?[0-9.e+-]+)/#
    for line in try Self.text("openmetrics", [record]).split(separator: "\n") {
      #expect(line.wholeMatch(of: shape) != nil, "\(line)")
    }
    let result = try Self.text("phoronix", [record])
    #expect(try PhoronixResult(result).flaws == [], "\(result.prefix(2000))")
  }

  /// Exported JSON is valid, and has no character that the console would rewrite.
  @Test(arguments: ["otlp", "bencher", "skia", "conbench"])
  func jsonForATerminalIsJSON(_ name: String) throws {
    var record = Sample.record()
    record.input.name = "a\u{202E}b\u{200B}\u{2066}c.mp4"
    let text = try Self.text(name, [record])
    #expect(printable(text, keepsLines: true) == text)
    for json in ["otlp", "conbench"].contains(name) ? text.split(separator: "\n").map(String.init) : [text] {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.utf8)) }
    }
    if name != "skia" { #expect(text.contains("a\\u202Eb\\u200B\\u2066c.mp4")) }
  }

  /// A spreadsheet runs no cell; numbers stay numbers.
  @Test(arguments: ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1"])
  func cellsAreNoFormulas(_ input: String) throws {
    var record = Sample.record()
    record.input.name = input
    let rows = try Self.text("csv", [record]).split(separator: "\r\n").dropFirst()
    #expect(!rows.isEmpty && rows.allSatisfy { $0.contains("'" + input) })
    #expect(!rows.contains { row in row.split(separator: ",").contains { "=+@".contains($0.first ?? "x") } })
    #expect(try !Self.text("csv").contains("'"))
  }

  @Test func aResultFileOfPhoronixIsAsItsSchemaHasIt() throws {
    for records in [[Sample.record()], [Sample.decodeOnly, Sample.record()]] {
      #expect(try PhoronixResult(Self.text("phoronix", records)).flaws == [])
    }
    #expect(
      try PhoronixResult(
        Self.text("phoronix").replacing("<Scale>", with: "<Size>").replacing("</Scale>", with: "</Size>")
      ).flaws != [])
  }

  /// Prometheus' own reader of the format.
  @Test(
    .tier(.test),
    .enabled("no python3 can import prometheus_client") { PythonJudge.readsOpenMetrics || PythonJudge.isRequired })
  func prometheusReadsIt() throws {
    try TestFiles.withTemporaryFolder { folder in
      let file = folder.appending(path: "bench360.prom")
      let text = try Self.text("openmetrics", [Sample.record(), Sample.decodeOnly])
      try Data(text.utf8).write(to: file)
      let read = try PythonJudge.openMetrics(file.path)
      let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      #expect(read == samples.count)
    }
  }
}
