import FoundationEssentials
import Frames

extension HistorySeries.Change {
  /// `commit 0123456789ab: pipeline_fps −7.2 % (214.0 → 199.0 1/s), worse, first seen 2026-03-02`
  func text(_ metric: String, _ unit: String) -> String {
    let size = percent.map { "\(HistoryText.signed($0)) % " } ?? ""
    let levels = "(\(ReportText.number(before)) → \(ReportText.number(after)) \(unit))"
    let way = direction == .other ? "" : ", \(direction.rawValue)"
    return "commit \(commit): \(metric) \(size)\(levels)\(way), first seen \(HistoryText.day(created))"
  }

  /// `−7.2 %`, or the new level where there is no percentage.
  package var shortText: String {
    percent.map { "\(HistoryText.signed($0)) %" } ?? "→ \(ReportText.number(after))"
  }
}

extension HistorySeries {
  /// With fewer than `ChangePoints.fewest` sessions, changes cannot be found.
  package var canTellChanges: Bool { sessions >= ChangePoints.fewest && points.count > 1 }

  /// The answer about one series, without its title: `no change in 30 commits`.
  package var verdict: String {
    let span = points.count == 1 ? "1 commit" : "\(points.count) commits"
    guard canTellChanges else {
      let have = sessions == 1 ? "1 session" : "\(sessions) sessions"
      return "\(have) of \(span): too few to tell a change from noise, which takes \(ChangePoints.fewest)"
        + (outlook.map { "; \($0)" } ?? "")
    }
    guard !changes.isEmpty else { return "no change in \(span)" }
    return changes.map { $0.text(metric, unit) }.joined(separator: "; ")
  }

  /// From three sessions on: where the newest lies beside the earlier ones, and what it takes to decide about it.
  private var outlook: String? {
    let values = points.flatMap(\.sessions)
    let earlier = values.dropLast()
    guard values.count >= 3, let newest = values.last, let middle = Distribution.median(Array(earlier)),
      let low = earlier.min(), let high = earlier.max()
    else { return nil }
    let size = middle == 0 ? "" : ", \(HistoryText.signed((newest - middle) / abs(middle) * 100)) %"
    let place = newest < low || newest > high ? "outside" : "within"
    let missing = ChangePoints.fewest - values.count
    let needs = [
      missing > 0 ? "\(missing) more session\(missing == 1 ? "" : "s")" : nil,
      points.count == 1 ? "a second commit" : nil,
    ]
    return "the newest is \(ReportText.number(newest)) \(unit)\(size) from the median of the \(earlier.count) before, "
      + "\(place) their range \(ReportText.number(low)) … \(ReportText.number(high)); whether that is a change cannot be "
      + "decided before \(needs.compactMap { $0 }.joined(separator: " and "))"
  }

  /// `noise ±2.1 % (1.96 robust deviations of 12 differences between sessions of one commit)`
  package var noiseText: String {
    guard let noise else { return "noise n/a: fewer than five differences between sessions or commits" }
    let middle = Distribution.median(points.map(\.median)) ?? 0
    let size =
      middle == 0
      ? "\(ReportText.number(noise.halfBand)) \(unit)" : "\(HistoryText.size(noise.halfBand / abs(middle) * 100)) %"
    let source = noise.source == .sessions ? "between sessions of one commit" : "from each commit to the next"
    return "noise ±\(size): 1.96 robust deviations, from \(noise.differences) differences \(source)"
  }

  /// `tour.mp4 · epyc-7763-2-cores · NVIDIA H200 · threads 4`
  package var place: String {
    ([ReportText.cut(input, to: 40), machine, device.map { ReportText.cut($0, to: 36) } ?? "no GPU used"] + differences)
      .map(ReportText.printable).joined(separator: " · ")
  }
}

extension History {
  /// One sentence for each series that changed, or one for all unchanged series.
  public var sentence: String {
    let changed = series.filter { !$0.changes.isEmpty }
    if series.count == 1 { return "\(series[0].title): \(series[0].verdict)" }
    guard !changed.isEmpty else {
      return series.contains(where: \.canTellChanges)
        ? "no change in any of \(series.count) series"
        : "too few sessions in each of \(series.count) series to tell a change from noise"
    }
    return changed.map { "\($0.scenario)\($0.variant.map { "/\($0)" } ?? ""): \($0.verdict)" }.joined(separator: "; ")
  }
}

/// Shared by tables and pages of histories.
package enum HistoryText {
  /// With a true minus sign; two decimals below 1, one below 100.
  package static func signed(_ value: Double) -> String {
    (value < 0 ? "−" : "+") + size(value)
  }

  package static func size(_ value: Double) -> String {
    let size = abs(value)
    return formatted(size < 1 ? "%.2f" : size < 100 ? "%.1f" : "%.0f", size)
  }

  /// `2026-03-02` of an RFC 3339 time.
  package static func day(_ created: String) -> String {
    ReportText.printable(String(created.prefix(10)))
  }
}
