/// The outcome of scenario `scrub`, in a clause.
struct ScrubAnswer {
  /// Milliseconds.
  private let exact: Double?
  private let syncSample: Double?
  private let lag: Double?

  /// Nil if no part of it was measured.
  init?(_ record: Record) {
    func metric(_ variant: String, _ name: Metric) -> Record.MetricSummary? {
      record.scenarios(.scrub).first { $0.variant == variant }?.summary.metrics[name]
    }
    exact = metric("random/exact", .seekLatency)?.p50
    syncSample = metric("random/infinite", .seekLatency)?.p50
    lag = metric("drag-forward/adaptive", .scrubLag)?.p90
    guard exact != nil || syncSample != nil || lag != nil else { return nil }
  }

  var clause: String {
    let seeks = [
      exact.map { "exactly in \(milliseconds($0))" }, syncSample.map { "to a sync sample in \(milliseconds($0))" },
    ].compactMap { $0 }
    return [
      seeks.isEmpty ? nil : "seeks \(seeks.joined(separator: " and "))",
      lag.map { "follows a dragging hand \(milliseconds($0)) behind at p90" },
    ].compactMap { $0 }.joined(separator: "; ")
  }

  private func milliseconds(_ value: Double) -> String {
    "\(ReportText.shortest(value, decimals: value < 10 ? 1 : 0)) ms"
  }
}
