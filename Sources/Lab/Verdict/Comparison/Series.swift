import Frames

/// Which numbers of a record to take.
struct SeriesKey: Hashable {
  var scenario: String
  var variant: String?
  var metric: String

  /// One statistic per complete trial, or one per record: the median of its trials.
  func values(_ records: [Record], _ isPerRecord: Bool) -> [Double] {
    isPerRecord
      ? records.compactMap { Distribution.median(trials($0)) } : records.flatMap(trials)
  }

  /// 95th percentile of |shift| between the sessions on one side, which all measured the same thing; nil with fewer than
  /// five of them.
  func noiseFloor(_ records: [Record]) -> Double? {
    var sessions: [String: [Double]] = [:]
    for record in records {
      for trial in completeTrials(record) {
        guard let session = trial.session ?? record.session, let value = trial.metrics[metric]?.p50 else { continue }
        sessions[session, default: []].append(isFault ? abs(value) : value)
      }
    }
    let medians = sessions.values.compactMap(Distribution.median)
    guard medians.count >= 5 else { return nil }
    let shifts = medians.indices.flatMap { first in
      medians[(first + 1)...].map { abs($0 - medians[first]).clampedToFinite }
    }
    return Distribution.quantile(0.95, ofSorted: shifts.sorted())
  }

  private func trials(_ record: Record) -> [Double] {
    completeTrials(record).compactMap { $0.metrics[metric]?.p50 }.map { isFault ? abs($0) : $0 }
  }

  /// Its best value is 0: how far it is from there is compared.
  private var isFault: Bool { Metric.named(metric)?.polarity == .zero }

  private func completeTrials(_ record: Record) -> [Record.Trial] {
    record.scenarios.filter { $0.name == scenario && $0.variant == variant }.flatMap(\.trials).filter(\.complete)
  }
}

/// One metric of one scenario on one clip, both sides, ready for a test.
struct Series {
  var input: String
  var key: SeriesKey
  var quantity: Quantity
  /// No stratum has an empty side.
  var strata: [Stratum]
  var isGated: Bool
  /// Base and head ran interleaved, so that drift over time affects both.
  var isOneSession: Bool
  /// In the metric's unit.
  var noiseFloor: Double?

  var base: [Double] { strata.flatMap(\.base) }
  var head: [Double] { strata.flatMap(\.head) }

  /// A shift up to this does not count: the largest of the relative threshold, the metric's floor and the noise floor.
  func threshold(_ options: ComparisonOptions) -> Double {
    let median = abs(Distribution.median(base) ?? 0)
    let floor = floor(options) ?? 0
    return [(median * options.thresholdPercent / 100).clampedToFinite, quantity.absoluteFloor, floor].max() ?? 0
  }

  func floor(_ options: ComparisonOptions) -> Double? {
    let median = abs(Distribution.median(base) ?? 0)
    return options.noiseFloorPercent.map { ($0 / 100 * median).clampedToFinite } ?? noiseFloor
  }

  /// Times of different sessions are not tested until the spread between sessions is known.
  func canBeTested(_ options: ComparisonOptions) -> Bool {
    isOneSession || !quantity.isTime || floor(options) != nil
  }
}

/// Tests the gated series together, because their errors add up, and describes the others.
func judge(_ series: [Series], of values: ComparedValues, options: ComparisonOptions) -> [MetricComparison] {
  let tested = series.indices.filter { series[$0].isGated && series[$0].canBeTested(options) }
  let questions = tested.map { index in
    Question(
      isHigherBetter: series[index].quantity.polarity == .high, strata: series[index].strata,
      threshold: series[index].threshold(options))
  }
  let decisions = Dictionary(
    uniqueKeysWithValues: zip(tested, decide(questions, alpha: options.alpha)).map { ($0, $1) })
  return series.indices.map { index in
    MetricComparison(series[index], of: values, decisions[index], questions: questions.count, options: options)
  }
}

extension MetricComparison {
  init(
    _ series: Series, of values: ComparedValues, _ decision: Decision?, questions: Int, options: ComparisonOptions
  ) {
    input = series.input
    scenario = series.key.scenario
    metric = series.quantity.name
    unit = series.quantity.unit
    better = series.quantity.polarity.rawValue
    base = Sample(series.base)
    head = Sample(series.head)
    threshold = series.threshold(options)
    estimate = Estimate(decision?.shift ?? Shift(series.strata))
    why = ""
    variant = series.key.variant
    noiseFloor = series.floor(options)
    p = decision?.p
    if series.isGated { verdict = decision?.outcome ?? .inconclusive }
    why = sentence(decision?.reason, of: values, alpha: options.alpha, questions: questions)
  }
}

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
