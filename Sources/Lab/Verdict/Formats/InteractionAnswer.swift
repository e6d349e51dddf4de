/// The outcome of scenario `interaction`, in a clause: of its first variant, a drag by default.
struct InteractionAnswer {
  /// Milliseconds.
  private let usual: Double
  private let slow: Double?
  private let late: Int

  /// Nil if it was not measured.
  init?(_ record: Record) {
    let summaries = record.scenarios(.interaction).map(\.summary)
    guard let summary = summaries.first(where: { $0.metrics[.inputLatency]?.p50 != nil }),
      let latency = summary.metrics[.inputLatency], let usual = latency.p50
    else { return nil }
    self.usual = usual
    slow = latency.p95
    late = (summary.counters[.overOneRefresh] ?? nil) ?? 0
  }

  var clause: String {
    func milliseconds(_ value: Double) -> String { "\(ReportText.shortest(value, decimals: value < 10 ? 1 : 0)) ms" }
    return "shows what a hand does after \(milliseconds(usual))"
      + (slow.map { ", \(milliseconds($0)) at p95" } ?? "")
      + (late == 0 ? "" : ", \(late) time\(late == 1 ? "" : "s") a refresh late")
  }
}
