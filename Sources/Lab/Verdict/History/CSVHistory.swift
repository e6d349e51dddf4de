extension HistoryFormat {
  /// One row per commit, after RFC 4180; a cell that is not known is empty.
  public static let csv = HistoryFormat("csv", "one row per series and commit") { history, _ in
    let header = [
      "input", "machine", "device", "differences", "scenario", "variant", "metric", "unit", "better", "commit",
      "created", "records", "trials", "median", "low", "high", "noise_half_band", "change_percent", "change_p",
    ]
    return CSV.text([header] + history.series.flatMap(rows))
  }

  private static func rows(_ series: HistorySeries) -> [[String]] {
    func cell(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
    return series.points.enumerated().map { index, point in
      let change = series.changes.first { $0.point == index }
      return [
        series.input, series.machine, series.device ?? "", series.differences.joined(separator: "; "), series.scenario,
        series.variant ?? "", series.metric, series.unit, series.better, point.commit, point.created,
        "\(point.records)", "\(point.trials)", cell(point.median), cell(point.low), cell(point.high),
        cell(series.noise?.halfBand), cell(change?.percent), cell(change?.p),
      ]
    }
  }
}
