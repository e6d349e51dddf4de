extension ReportSection {
  /// The number of frames decoded ahead: an empty queue precedes a stall.
  static let queue = ReportSection("queue", "Frames decoded ahead") { group, layout in
    group.newest.scenarios.flatMap { scenario -> [Markup] in
      guard scenario.key?.has(.lookAhead) == true, let metric = scenario.summary.metrics[.queueDepth], metric.n > 0
      else {
        return []
      }
      let rows = scenario.trials.enumerated().compactMap { index, trial -> SpreadRow? in
        SpreadRow("trial \(index + 1)", trial.metrics[.queueDepth]?.samples ?? [])
      }
      guard !rows.isEmpty else { return [] }
      let chart = SpreadChart(
        id: layout.id("queue-chart"), title: "Frames waiting at each refresh", metric: .queueDepth, unit: "frames",
        rows: rows, from: 0)
      return [chart.figure]
    }
  }
}
