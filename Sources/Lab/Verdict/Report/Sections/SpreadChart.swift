/// The distribution of one row's samples.
struct SpreadRow {
  let name: String
  let n: Int
  let low: Double
  let p50: Double
  let p95: Double?
  let p99: Double?
  let high: Double

  init?(_ name: String, _ samples: [Double]) {
    guard let distribution = Distribution(samples) else { return nil }
    self.name = name
    n = distribution.n
    low = distribution.min
    p50 = distribution.p50
    p95 = distribution.p95
    p99 = distribution.p99
    high = distribution.max
  }

  /// Over the trials of a scenario, as the tables have it; nil when it is not known.
  init?(_ name: String, _ metric: Record.MetricSummary) {
    guard let p50 = metric.p50, let low = metric.min, let high = metric.max else { return nil }
    self.name = name
    n = metric.n
    self.low = low
    self.p50 = p50
    p95 = metric.p95
    p99 = metric.p99
    self.high = high
  }
}

/// One line for each row: from the smallest to the largest a thin one, from the median to the 95th percentile a thick
/// one, a dot at the median, a tick at the 99th percentile.
struct SpreadChart {
  let id: String
  let title: String
  let metric: Metric
  let unit: String
  let rows: [SpreadRow]
  /// Where the scale begins; nil: at the smallest.
  var from: Double?
  /// What n counts.
  var counted = "samples"
  var note = ""

  private static let most = 24
  private static let step = 36.0

  var figure: Markup { chart.figure }

  var chart: Chart {
    let shown = Array(rows.prefix(Self.most))
    let scale = Scale(from ?? rows.map(\.low).min() ?? 0, rows.map(\.high).max() ?? 1)
    var (lines, height) = ([Markup](), 0.0)
    for row in shown {
      let label = RowLabel(row.name, aside: "\(ReportText.number(row.p50)) \(unit)")
      lines += label.drawing(y: height + 12) + line(row, scale, y: height + label.extra)
      height += Self.step + label.extra
    }
    let drawing = Draw.axis(scale, unit: unit, y: height + 4) + lines
    let left = rows.count - shown.count
    return Chart(
      id: id, title: title, metric: metric, description: description, height: Int(height) + 28, drawing: drawing,
      caption:
        "Dot and number: median; thick line: to the 95th percentile; tick: 99th percentile; thin line: smallest to largest."
        + (left > 0 ? " \(left) more rows stand in the table." : "") + (note.isEmpty ? "" : " " + note),
      table: table)
  }

  private func line(_ row: SpreadRow, _ scale: Scale, y: Double) -> [Markup] {
    let middle = y + 23
    let end = scale.place(row.p95 ?? row.p50)
    var parts = [
      Draw.line(x: (scale.place(row.low), scale.place(row.high)), y: (middle, middle), class: "range"),
      Draw.line(x: (scale.place(row.p50), end), y: (middle, middle), class: "spread"),
      Draw.dot(x: scale.place(row.p50), y: middle, class: "dot"),
    ]
    if let p99 = row.p99 {
      parts.append(Draw.line(x: (scale.place(p99), scale.place(p99)), y: (middle - 5, middle + 5), class: "quantile"))
    }
    return parts
  }

  private var description: String {
    rows.prefix(Self.most).map {
      "\($0.name): median \(ReportText.number($0.p50)), 95th percentile \(ReportText.number($0.p95)), "
        + "largest \(ReportText.number($0.high)) \(unit)"
    }.joined(separator: "; ") + "."
  }

  private var table: Table {
    Table(
      head: ["", counted, "min", "p50", "p95", "p99", "max", "unit"],
      rows: rows.map { row in
        [row.name, "\(row.n)"] + [row.low, row.p50, row.p95, row.p99, row.high].map(ReportText.number) + [unit]
      }, texts: [0, 7])
  }
}
