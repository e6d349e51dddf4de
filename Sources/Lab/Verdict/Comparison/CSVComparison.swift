extension ComparisonFormat {
  /// One row per metric, after RFC 4180; a cell that is not known is empty.
  public static let csv = ComparisonFormat("csv", "one row per scenario and metric") { comparison, _ in
    CSV.text([header] + comparison.results.map(row))
  }

  private static let header = [
    "input", "scenario", "variant", "metric", "unit", "better", "gated", "base_n", "base_median", "head_n",
    "head_median", "shift", "low", "high", "shift_percent", "threshold", "noise_floor", "p", "verdict", "why",
  ]

  private static func row(_ result: MetricComparison) -> [String] {
    func cell(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
    return [
      result.input, result.scenario, result.variant ?? "", result.metric, result.unit, result.better,
      result.verdict == nil ? "no" : "yes", "\(result.base.values.count)", cell(result.base.median),
      "\(result.head.values.count)", cell(result.head.median), cell(result.estimate.shift), cell(result.estimate.low),
      cell(result.estimate.high),
      cell(result.percent(result.estimate.shift)), cell(result.threshold), cell(result.noiseFloor), cell(result.p),
      result.verdict?.rawValue ?? "", result.why,
    ]
  }
}
