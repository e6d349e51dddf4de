/// Decimates samples to columns that keep the smallest and the largest sample, so that no outlier is lost.
///
/// Averages, or every n-th sample, would hide the one late frame in ten thousand.
package struct Envelope: Sendable {
  package struct Column: Hashable, Sendable {
    package var low: Double
    package var high: Double
    /// The largest of its marked samples; nil where none is marked.
    package var marked: Double?
    package var marks: Int
  }

  package let columns: [Column]
  /// Samples that it stands for.
  package let count: Int

  /// Sample i of n goes to column ⌊i · columns / n⌋; with no more samples than columns each has its own.
  ///
  /// - Parameters:
  ///   - samples: finite values only.
  ///   - isMarked: whether the sample at that index must be visible in the chart.
  package init(_ samples: [Double], columns limit: Int, isMarked: (Int) -> Bool = { _ in false }) {
    count = samples.count
    let width = Swift.min(samples.count, Swift.max(limit, 1))
    var columns: [Column] = []
    columns.reserveCapacity(width)
    var last = -1
    for (index, sample) in samples.enumerated() {
      let column = index * width / samples.count
      if column != last {
        columns.append(Column(low: sample, high: sample, marked: nil, marks: 0))
        last = column
      }
      let end = columns.count - 1
      columns[end].low = Swift.min(columns[end].low, sample)
      columns[end].high = Swift.max(columns[end].high, sample)
      guard isMarked(index) else { continue }
      columns[end].marked = Swift.max(columns[end].marked ?? sample, sample)
      columns[end].marks += 1
    }
    self.columns = columns
  }

  package var isWhole: Bool { count == columns.count }
  package var low: Double? { columns.map(\.low).min() }
  package var high: Double? { columns.map(\.high).max() }

  /// `each of 480 columns spans the smallest and largest of about 21 samples`, or nil where each sample is drawn.
  var note: String? {
    guard !isWhole else { return nil }
    let each = Double(count) / Double(columns.count)
    return "each of the \(columns.count) columns spans the smallest and the largest of "
      + "\(each == each.rounded() ? "" : "about ")\(ReportText.shortest(each, decimals: 0)) samples"
  }
}
