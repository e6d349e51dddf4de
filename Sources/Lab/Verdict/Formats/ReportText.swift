import FoundationEssentials
import Frames
import Glibc

/// Shared by the formats for people.
package enum ReportText {
  package static let unknown = "n/a"

  /// Three decimals below 1, two below 100, one below 1000, then none; `n/a` for nil. No thousands separator.
  package static func number(_ value: Double?) -> String {
    guard let value else { return unknown }
    let size = abs(value)
    let decimals = size == 0 || size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3
    return signed(formatted("%.\(decimals)f", value))
  }

  /// As it stands behind a number; empty for a ratio, whose unit is 1.
  package static func unit(_ unit: String) -> String { unit == Metric.rebufferRatio.unit ? "" : printable(unit) }

  /// A number with the minus sign that all texts for people have: U+2212, as wide as a plus.
  package static func signed(_ number: String) -> String {
    number.hasPrefix("-") ? "−" + number.dropFirst() : number
  }

  /// Names come from files and could hold terminal escape sequences.
  package static func printable(_ text: String) -> String { Frames.printable(text) }

  package static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(width - 1) + "…"
  }

  /// The parts `clip.mp4`, `h264 High`, `3840x1920`, `29.97 fps`, `equirectangular`, `20 s`, `yuv420p`.
  ///
  /// - Parameter isWhole: whether long names are kept whole, for output that wraps its lines.
  package static func input(_ input: Record.Input, isWhole: Bool = false) -> [String] {
    let codec = [input.codec, input.profile].compactMap { $0 }.joined(separator: " ")
    let parts = [
      cut(printable(input.name), to: isWhole ? .max : 40), codec, input.size?.description,
      input.framesPerSecond.map { "\(shortest($0, decimals: 2)) fps" }, input.projection,
      input.stereo == "mono" ? nil : input.stereo,
      input.durationSeconds.map { "\(shortest($0, decimals: 1)) s" }, input.pixelFormat,
    ]
    return parts.compactMap { $0 }.filter { !$0.isEmpty }.map(printable)
  }

  /// The parts `EPYC 7763`, `2 cores`, `8.0 GiB`, `Debian 12`.
  ///
  /// - Parameter isWhole: whether long names are kept whole, for output that wraps its lines.
  package static func machine(_ machine: Record.Machine, isWhole: Bool = false) -> [String] {
    let parts = [
      machine.cpu.map { cut(printable($0), to: isWhole ? .max : 32) }, machine.cores.map { "\($0) cores" },
      machine.memoryMib.map { formatted("%.1f GiB", Double($0) / 1024) },
      machine.os.map { cut(printable($0), to: isWhole ? .max : 24) },
    ]
    let known = parts.compactMap { $0 }.map(printable)
    return known.isEmpty ? ["unknown machine"] : known
  }

  /// `llvmpipe (software)`
  ///
  /// - Parameter isWhole: whether a long name is kept whole, for output that wraps its lines.
  package static func device(_ device: Record.Device?, isWhole: Bool = false) -> String {
    guard let device else { return "no GPU used" }
    let kind = device.software ? "software" : device.type?.rawValue
    return cut(printable(device.name), to: isWhole ? .max : 36) + (kind.map { " (\($0))" } ?? "")
  }

  /// `pipeline · direct · 5 trials · display times: simulated`
  package static func heading(_ scenario: Record.Scenario) -> String {
    let count = scenario.trials.count
    let ended = scenario.trials.filter { !$0.complete }.count
    let parts = [
      scenario.name, scenario.variant, count == 1 ? "1 trial" : "\(count) trials",
      ended == 0 ? nil : "\(ended) incomplete",
      scenario.presentSource.map { "display times: \($0.rawValue)" },
    ]
    return parts.compactMap { $0 }.map(printable).joined(separator: " · ")
  }

  /// p50, p95, p99, max; a metric with one value per trial has no quantiles of frames.
  package static func statistics(_ name: String, _ metric: Record.MetricSummary) -> [String] {
    let isSingle = Metric.named(name)?.kind == .value
    return [
      number(metric.p50), isSingle ? "–" : number(metric.p95), isSingle ? "–" : number(metric.p99),
      number(metric.max),
    ]
  }

  /// `presented 600 · dropped 0`
  package static func counters(_ summary: Record.Summary) -> [String] {
    Metric.ordered(summary.counters.keys).map { name in
      "\(printable(name)) \((summary.counters[name] ?? nil).map { "\($0)" } ?? unknown)"
    }
  }

  /// `drop_runs 12 of 1`, `3 of 2`: the count of each value, by value. Empty histograms give none.
  package static func histograms(_ scenario: Record.Scenario) -> [String] {
    let histograms = scenario.histograms
    return Metric.ordered(histograms.keys).flatMap { name -> [String] in
      let counts = (histograms[name] ?? [:]).sorted { (Double($0.key) ?? 0, $0.key) < (Double($1.key) ?? 0, $1.key) }
      return counts.enumerated().map { index, count in
        (index == 0 ? "\(printable(name)) " : "") + "\(count.value) of \(printable(count.key))"
      }
    }
  }

  /// The phases of the critical path, and the phases beside it.
  package static func phases(_ summary: Record.Summary) -> (path: [String], beside: [String]) {
    let names = Phase.ordered(summary.phases.keys)
    func text(_ name: String) -> String { "\(printable(name)) \(number(summary.phases[name] ?? nil))" }
    return (
      names.filter(Phase.isCritical).map(text),
      names.filter { !Phase.isCritical($0) }.map(text)
    )
  }

  package static func shortest(_ value: Double, decimals: Int) -> String {
    let scale = pow(10, Double(decimals))
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() ? formatted("%.0f", rounded) : "\(rounded)"
  }
}
