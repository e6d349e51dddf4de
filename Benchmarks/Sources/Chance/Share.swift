import Foundation

/// How many of `count` cases, with the interval of Wilson ("Probable inference, the law of succession, and statistical
/// inference", 1927) at 95 %.
package struct Share {
  package private(set) var hits = 0
  package private(set) var count = 0

  package init() {}

  package mutating func add(_ isHit: Bool) {
    hits += isHit ? 1 : 0
    count += 1
  }

  /// `0.52 (0.43–0.63)`, in percent.
  package var text: String {
    let z = 1.959964
    let n = Double(count)
    let p = Double(hits) / n
    let middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    return String(
      format: "%.2f (%.2f–%.2f)", 100 * p, 100 * Swift.max(0, middle - half), 100 * Swift.min(1, middle + half))
  }
}
