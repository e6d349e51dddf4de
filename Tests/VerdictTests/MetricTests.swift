import Foundation
import Support
import Testing
import Verdict

@Suite struct MetricTests {
  /// Everything else names metrics by their keys, which the compiler checks. Single words may mean something else too.
  @Test func onlyTheTableSpellsNames() throws {
    let names = Set(Metric.allCases.map(\.name).filter { $0.contains("_") && WarningCode(rawValue: $0) == nil })
    let sources = TestFolders.repository + "/Sources"
    let files = try #require(FileManager.default.enumerator(atPath: sources)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("/Metric+Table.swift") }
    #expect(files.count > 100)
    for file in files {
      let source = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
      for text in source.split(separator: "\"") where names.contains(String(text)) {
        Issue.record("\(file) spells the metric '\(text)'")
      }
    }
  }

  @Test(arguments: Metric.allCases) func rowIsWhole(_ metric: Metric) {
    #expect(Metric.named(metric.name) == metric)
    #expect(metric.definition.hasSuffix(".") && metric.definition.count > 10)
    // Reports have room for 34 letters above a row of a chart.
    #expect((5...34).contains(metric.label.count) && metric.label != metric.name, "\(metric.label)")
    #expect(!metric.label.contains("_") && !metric.label.hasSuffix("."), "\(metric.label)")
    #expect(Metric.allCases.filter { $0.label == metric.label } == [metric], "\(metric.label)")
    #expect(metric.since >= 1 && metric.since <= Record.schemaVersion)
    let unitOfSuffix = [
      "_ms": "ms", "_fps": "1/s", "_mib": "MiB", "_seconds": "s", "_pct": "%", "_mhz": "MHz", "_w": "W", "_db": "dB",
      "_s": "s", "_bps": "bit/s",
    ]
    for (suffix, unit) in unitOfSuffix where metric.name.hasSuffix(suffix) {
      #expect(metric.unit == unit)
    }
    #expect(metric.kind != .counter || metric.unit == (metric.name.hasPrefix("bytes_") ? "B" : "count"))
  }

  @Test func unknownNamesAreNil() {
    #expect(Metric.named("fps") == nil)
    #expect(Metric.named("") == nil)
  }

  @Test func ordersFollowTheTablesAndPutStrangersLast() {
    #expect(Metric.ordered(["zebra", "power_w", "apple", "demux_ms"]) == ["demux_ms", "power_w", "apple", "zebra"])
    #expect(Phase.ordered(["cache", "first_present", "spawn"]) == ["spawn", "first_present", "cache"])
  }

  @Test func gatesOfCorrectnessAskForZero() {
    for name in ["wrong_frame", "wrong_rung", "out_of_tolerance", "stalls", "rebuffers"] {
      #expect(Metric.named(name)?.polarity == .zero)
      #expect(Metric.named(name)?.kind == .counter)
    }
  }
}
