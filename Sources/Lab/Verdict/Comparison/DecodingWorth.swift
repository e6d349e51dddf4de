/// Whether hardware decoding is worth it, where a comparison's sides differ in their decoder and one of them is software. Pure.
struct DecodingWorth {
  /// What one number is with software and with hardware.
  struct Row {
    let name: String
    let unit: String
    let software: Double
    let hardware: Double
    /// More of it is better.
    let isHighBetter: Bool

    /// Above 1: hardware is better.
    var gain: Double { isHighBetter ? hardware / software : software / hardware }
  }

  let hardware: String
  /// Frames per second, energy and processor time, as far as both sides know them.
  let rows: [Row]

  /// Nil for any other comparison.
  init?(_ comparison: Comparison) {
    guard let decoders = comparison.varied.first(where: { $0.field == "decoder" }) else { return nil }
    let isHead = decoders.base == "software"
    guard isHead != (decoders.head == "software") else { return nil }
    hardware = isHead ? decoders.head : decoders.base
    let metrics: [Metric] = [.decodeFPS, .pipelineFPS, .joulePerFrame, .cpuTime]
    rows = metrics.compactMap { metric in
      guard let result = comparison.results.first(where: { $0.metric == metric.name }), let base = result.base.median,
        let head = result.head.median, base > 0, head > 0
      else { return nil }
      return Row(
        name: "\(metric.name), \(result.scenario)", unit: result.unit, software: isHead ? base : head,
        hardware: isHead ? head : base, isHighBetter: metric == .decodeFPS || metric == .pipelineFPS)
    }
    guard !rows.isEmpty else { return nil }
  }

  /// A difference up to this share is none.
  private static let margin = 0.02

  /// `hardware decoding (nvdec) is worth it: …`
  var sentence: String {
    let better = rows.filter { $0.gain > 1 + Self.margin }
    let worse = rows.filter { $0.gain < 1 - Self.margin }
    let verdict =
      worse.isEmpty
      ? better.isEmpty ? "makes no difference" : "is worth it"
      : better.isEmpty ? "is not worth it" : "is worth it for some"
    return "hardware decoding (\(hardware)) \(verdict): " + rows.map(Self.text).joined(separator: "; ")
  }

  private static func text(_ row: Row) -> String {
    let values = "\(ReportText.number(row.software)) → \(ReportText.number(row.hardware)) \(ReportText.unit(row.unit))"
    let factor = row.hardware / row.software
    return "\(row.name) \(values.trimmingSpaces) (\(ReportText.shortest(factor, decimals: 2)) ×)"
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
