import Frames

/// How often samples fall into equal parts of a range. Those beyond it are counted, never left out.
package struct Bins: Sendable {
  package let scale: Scale
  package let counts: [Int]
  /// Samples above the range, when a few would squeeze all others into one bin.
  package let above: Int
  package let largest: Double

  /// Nil when there is no finite sample.
  ///
  /// The range ends at the largest sample, unless that lies further beyond the 99th percentile than half of what is
  /// below it; then it ends there, and `above` counts the rest.
  ///
  /// - Parameter range: another range, which begins at or below the smallest sample; nil: the samples' own.
  package init?(_ samples: [Double], count: Int, over range: Scale? = nil) {
    let sorted = samples.filter(\.isFinite).sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    let high = Distribution.quantile(0.99, ofSorted: sorted)
    let isLong = last - high > 0.5 * (high - first) && high > first
    let end = isLong ? high : last
    // From zero on where that costs little.
    scale = range ?? Scale(first > 0 && first < end / 2 ? 0 : first, end)
    var counts = [Int](repeating: 0, count: max(count, 1))
    var above = 0
    for sample in sorted {
      if sample > scale.high {
        above += 1
      } else {
        counts[min(counts.count - 1, Int(saturating: scale.place(sample) * Double(counts.count)))] += 1
      }
    }
    self.counts = counts
    self.above = above
    largest = last
  }
}
