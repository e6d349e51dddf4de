import Frames

/// Frame times as rows of characters, for a terminal.
struct TextHistogram {
  private static let rows = 8
  private static let width = 40
  /// Below this many samples the numbers say more than bars.
  private static let fewest = 20

  private let metric: Metric
  private let title: String
  private let unit: String
  private let bins: Bins
  private let count: Int

  /// Of the first scenario with frame times, in the order of the answer's numbers; nil if none has enough of them.
  init?(_ record: Record) {
    let found = KeyNumbers.ordered(record).lazy.compactMap { scenario in
      (scenario.key?.row.frameTimes ?? []).lazy.compactMap { TextHistogram(scenario, $0) }.first
    }.first
    guard let found else { return nil }
    self = found
  }

  private init?(_ scenario: Record.Scenario, _ metric: Metric) {
    let samples = scenario.trials.flatMap { $0.metrics[metric]?.samples ?? [] }
    guard samples.count >= Self.fewest, let bins = Bins(samples, count: Self.rows) else { return nil }
    self.metric = metric
    self.bins = bins
    count = samples.count
    title = ReportText.printable(scenario.title)
    unit = ReportText.printable(scenario.summary.metrics[metric]?.unit ?? "")
  }

  /// `frame_interval_ms of pipeline, 300 samples`
  var heading: String { "\(metric.name) of \(title), \(count) samples" }

  /// A line for each part of the range: its ends, a bar, its share. The last line counts samples beyond the range.
  func lines(isASCII: Bool) -> [String] {
    let step = (bins.scale.high - bins.scale.low) / Double(bins.counts.count)
    let ends = bins.counts.indices.map { index in
      let low = bins.scale.low + Double(index) * step
      return (ReportText.number(low), ReportText.number(low + step))
    }
    let width = ends.map { max($0.0.count, $0.1.count) }.max() ?? 0
    let tallest = Double(max(bins.counts.max() ?? 1, 1))
    var lines = zip(ends, bins.counts).map { end, count in
      let cells = count == 0 ? 0 : max(1, Int(saturating: Double(count) / tallest * Double(Self.width)))
      let bar = String(repeating: isASCII ? "#" : "█", count: cells)
      return "\(end.0.padded(to: width)) … \(end.1.padded(to: width)) \(unit)  \(bar) \(share(count))"
    }
    if bins.above > 0 {
      lines.append("above, to \(ReportText.number(bins.largest)) \(unit): \(bins.above) of \(count) samples")
    }
    return lines
  }

  private func share(_ part: Int) -> String {
    let percent = Double(part) / Double(count) * 100
    return part == 0 ? "" : percent < 1 ? "< 1 %" : "\(Int(saturating: percent.rounded())) %"
  }
}

extension String {
  /// Spaces in front, up to a width.
  fileprivate func padded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
