/// What the statistics need to know of a number, be it one of bench360's metrics or another program's.
///
/// A `Metric` is a compile-time name of this program; a `CustomMetric` exists while one command line is compared. Both are
/// judged by the same tests, which see no more than this.
struct Quantity: Hashable, Sendable {
  var name: String
  var unit: String
  var polarity: Metric.Polarity
  /// The smallest difference of practical relevance, in the unit.
  var absoluteFloor: Double
  /// Whether it measures time, which depends on the machine and its load.
  var isTime: Bool
}

extension Metric {
  var quantity: Quantity {
    Quantity(name: name, unit: unit, polarity: polarity, absoluteFloor: absoluteFloor, isTime: isTime)
  }
}
