extension ReportFormat {
  /// One row per scenario and metric, then one per counter, after RFC 4180.
  ///
  /// A cell that is not known, or that a counter does not have, is empty. Counters have their total in `total`.
  public static let csv = ReportFormat("csv", "one row per scenario and metric") { record, _ in
    CSV.text([csvHeader] + csvRows(record))
  }

  static func csvRows(_ record: Record) -> [[String]] { record.scenarios.flatMap { rows($0, of: record) } }

  static let csvHeader = [
    "created", "label", "version", "commit", "machine", "device", "input", "scenario", "variant", "metric", "unit",
    "trials", "p50", "p90", "p95", "p99", "max", "mean", "min", "trial_low", "trial_high", "total",
  ]

  private static func rows(_ scenario: Record.Scenario, of record: Record) -> [[String]] {
    let common = [
      record.created, record.label ?? "", record.build.version, record.build.commit,
      record.environment.machine.className,
      record.environment.device?.name ?? "", record.input.name, scenario.name, scenario.variant ?? "",
    ]
    let summary = scenario.summary
    let metrics = Metric.ordered(summary.metrics.keys).compactMap { name in
      summary.metrics[name].map { metric in
        let statistics = [
          metric.p50, metric.p90, metric.p95, metric.p99, metric.max, metric.mean, metric.min, metric.trialLow,
          metric.trialHigh,
        ]
        return common + [name, metric.unit, "\(metric.n)"] + statistics.map { $0.map { "\($0)" } ?? "" } + [""]
      }
    }
    let counters = Metric.ordered(summary.counters.keys).map { name in
      let total = (summary.counters[name] ?? nil).map { "\($0)" } ?? ""
      return common + [name, "count", "\(scenario.trials.count)"] + Array(repeating: "", count: 9) + [total]
    }
    return metrics + counters
  }
}
