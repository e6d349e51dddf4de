import FoundationEssentials

extension ExportFormat {
  /// OpenMetrics text, as Prometheus' textfile collector reads it: gauges in base units, without time stamps.
  ///
  /// https://prometheus.io/docs/specs/om/open_metrics_spec/
  static let openMetrics = ExportFormat("openmetrics", "gauges for Prometheus' textfile collector") { records, _ in
    var families: [String: Family] = [:]
    // Of what has the same labels the newest stays.
    for record in records.sorted(by: { $0.created < $1.created }) {
      for metric in record.exported {
        let unit = BaseUnit(metric)
        families[unit.family, default: Family(unit: unit.name, help: metric.definition)].add(metric, of: record, unit)
      }
    }
    return families.sorted { $0.key < $1.key }.map { $1.text($0) }.joined() + "# EOF\n"
  }
}

/// The unit that Prometheus wants of a metric, and its name with it.
private struct BaseUnit {
  var family: String
  /// Nil: a number of things.
  var name: String?
  var factor: Decimal

  private static let rows: [String: (name: String, factor: Decimal)] = [
    "ms": ("seconds", Decimal(sign: .plus, exponent: -3, significand: 1)), "s": ("seconds", 1), "B": ("bytes", 1),
    "MiB": ("bytes", 1_048_576),
    "%": ("ratio", Decimal(sign: .plus, exponent: -2, significand: 1)), "MHz": ("hertz", 1_000_000), "W": ("watts", 1),
    "°C": ("celsius", 1),
    "bit/s": ("bits_per_second", 1), "dB": ("decibels", 1), "ppm": ("parts_per_million", 1),
  ]
  /// The ends of names that tell a unit.
  private static let endings: Set<Substring> = [
    "ms", "s", "seconds", "mib", "pct", "mhz", "w", "c", "bps", "db", "ppm", "count", "total",
  ]

  init(_ metric: ExportedMetric) {
    let row = Self.rows[metric.unit]
    var words = metric.name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    if words.count > 1, let last = words.last, Self.endings.contains(last) { words.removeLast() }
    family = (["bench360"] + words + (row.map { [Substring($0.name)] } ?? [])).joined(separator: "_")
    (name, factor) = (row?.name, row?.factor ?? 1)
  }
}

private struct Family {
  var unit: String?
  var help: String
  private var values: [String: String] = [:]

  init(unit: String?, help: String) { (self.unit, self.help) = (unit, help) }

  mutating func add(_ metric: ExportedMetric, of record: Record, _ unit: BaseUnit) {
    var labels = [
      ("input", record.input.name), ("label", record.label ?? ""), ("machine", record.environment.machine.className),
      ("device", record.environment.device?.name ?? ""), ("scenario", metric.scenario),
      ("variant", metric.variant ?? ""),
    ]
    if let cell = record.cell { labels.append(("cell", cell.name)) }
    for (statistic, value) in metric.statistics {
      let text = (labels + [("statistic", statistic)]).filter { !$0.1.isEmpty }
        .map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
      values["{\(text)}"] = "\(shifted(value, by: unit.factor))"
    }
  }

  /// Scalar by scalar: with an accent on it a quote still ends a label.
  private func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  func text(_ name: String) -> String {
    let head =
      ["# TYPE \(name) gauge"] + (unit.map { ["# UNIT \(name) \($0)"] } ?? []) + ["# HELP \(name) \(escaped(help))"]
    return (head + values.sorted { $0.key < $1.key }.map { "\(name)\($0) \($1)" }).map { $0 + "\n" }.joined()
  }
}
