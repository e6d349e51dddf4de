import FoundationEssentials
import Frames
import Glibc

/// The mapping of a range of values to an axis, with its ticks.
package struct Scale: Sendable {
  package let low: Double
  package let high: Double

  /// An empty range is widened; values that are not finite count as zero.
  package init(_ low: Double, _ high: Double) {
    let ends = [low, high].map { $0.isFinite ? $0 : 0 }
    let (first, last) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
    self.low = first
    self.high = last > first ? last : first + max(abs(first) * 0.1, 1)
  }

  /// The smallest range with round ends that contains both values.
  package static func nice(_ low: Double, _ high: Double, ticks: Int = 4) -> Scale {
    let plain = Scale(low, high)
    let step = plain.step(ticks)
    return Scale((plain.low / step).rounded(.down) * step, (plain.high / step).rounded(.up) * step)
  }

  /// The smallest range that contains all of these; nil without any.
  package static func spanning(_ scales: [Scale]) -> Scale? {
    guard let low = scales.map(\.low).min(), let high = scales.map(\.high).max() else { return nil }
    return Scale(low, high)
  }

  /// 0 at `low`, 1 at `high`; values outside are clamped.
  package func place(_ value: Double) -> Double {
    guard value.isFinite else { return 0 }
    return min(1, max(0, (value / 2 - low / 2) / (high / 2 - low / 2)))
  }

  /// Round numbers, about as many as asked for: steps are 1, 2 or 5 times a power of ten.
  package func ticks(_ count: Int = 4) -> [Double] {
    let step = step(count)
    let first = (low / step - 1e-9).rounded(.up)
    let last = (high / step + 1e-9).rounded(.down)
    guard step > 0, first.isFinite, last >= first, last - first < 100 else { return [low, high] }
    return Range(from: 0, to: Int(saturating: last - first + 1)).map { (first + Double($0)) * step }
  }

  /// A tick's number, with as many decimals as its neighbours need.
  package func label(_ value: Double, ticks count: Int = 4) -> String {
    let step = step(count)
    let size = max(abs(low), abs(high))
    guard size < 1e9, step > 1e-6 else { return ReportText.signed(formatted("%.3g", value)) }
    let decimals = step >= 1 ? 0 : Int(saturating: (-log10(step) - 1e-9).rounded(.up))
    let text = formatted("%.\(decimals)f", value)
    return Double(text) == 0 ? "0" : ReportText.signed(text)
  }

  private func step(_ count: Int) -> Double {
    let rough = (high / 2 - low / 2) / Double(max(count, 1)) * 2
    guard rough.isFinite, rough > 0 else { return 1 }
    let power = pow(10, log10(rough).rounded(.down))
    let factor = rough / power
    // The nearest of them in ratio.
    return (factor > 50.0.squareRoot() ? 10 : factor > 10.0.squareRoot() ? 5 : factor > 2.0.squareRoot() ? 2 : 1)
      * power
  }
}
