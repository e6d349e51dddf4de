/// The outcome for one metric, by the rules of "When has a number changed?".
public enum Outcome: String, Codable, Sendable, CaseIterable {
  case regression, improvement, same, inconclusive

  /// The order in which verdicts decide about a whole comparison.
  static let worstFirst: [Outcome] = [.regression, .inconclusive, .improvement, .same]
}

/// Why the outcome is what it is.
public enum Reason: String, Codable, Sendable, CaseIterable {
  /// A change for the worse or the better that is significant, away from zero and larger than the threshold.
  case significant
  /// The interval lies inside ± threshold: same.
  case withinThreshold
  /// Too few runs for any samples to be significant. No outcome then, not even "same".
  case tooFewRuns
  /// No significant change, and the interval reaches beyond ± threshold.
  case notSignificant
  /// A significant change of at most the threshold, but the interval reaches beyond it.
  case belowThreshold
  /// Significant, but the interval does not exclude zero, as many equal samples or a large α can cause.
  case intervalSpansZero
}

/// One metric of base and head.
public struct Question: Sendable {
  public var isHigherBetter: Bool
  public var strata: [Stratum]
  /// The largest irrelevant shift; in the unit of the samples, at least 0.
  public var threshold: Double

  public init(isHigherBetter: Bool, strata: [Stratum], threshold: Double) {
    precondition(threshold >= 0, "a threshold is not negative")
    self.isHigherBetter = isHigherBetter
    self.strata = strata
    self.threshold = threshold
  }
}

/// The answer to a question.
public struct Decision: Hashable, Sendable {
  public let outcome: Outcome
  public let reason: Reason
  /// Head − base in the unit of the samples; nil if a side is empty.
  public let shift: Shift?
  /// One-sided p of the direction in which the shift points (the smaller of both when it is 0), adjusted after Holm.
  public let p: Double
  public let threshold: Double
}

/// Answers questions that are asked together, in their order.
///
/// The p-values of getting worse are adjusted over all questions, and those of getting better likewise. An adjusted p is
/// significant below `alpha`, and not at it.
public func decide(_ questions: [Question], alpha: Double = 0.01) -> [Decision] {
  let tests = questions.map { RankTest($0.strata) }
  let worse = holm(zip(questions, tests).map { $0.isHigherBetter ? $1.pLower : $1.pHigher })
  let better = holm(zip(questions, tests).map { $0.isHigherBetter ? $1.pHigher : $1.pLower })
  return questions.indices.map { index in
    let canDecide = tests[index].smallestP * Double(questions.count) < alpha
    return Decision(
      questions[index], worse: worse[index], better: better[index], alpha: alpha, canDecide: canDecide)
  }
}

extension Decision {
  fileprivate init(_ question: Question, worse: Double, better: Double, alpha: Double, canDecide: Bool) {
    shift = Shift(question.strata)
    threshold = question.threshold
    // How much worse head is, independent of the metric's polarity.
    let loss = shift.map { question.isHigherBetter ? -$0.estimate : $0.estimate } ?? 0
    p = loss == 0 ? min(worse, better) : loss > 0 ? worse : better
    if let shift, canDecide {
      reason = shift.reason(isSignificant: p < alpha, threshold: threshold)
    } else {
      reason = .tooFewRuns
    }
    outcome =
      switch reason {
      case .significant: loss > 0 ? .regression : .improvement
      case .withinThreshold: .same
      case .tooFewRuns, .notSignificant, .belowThreshold, .intervalSpansZero: .inconclusive
      }
  }
}

extension Shift {
  /// `isSignificant` refers to the direction of the estimate.
  fileprivate func reason(isSignificant: Bool, threshold: Double) -> Reason {
    guard let low, let high else { return isSignificant ? .intervalSpansZero : .notSignificant }
    let excludesZero = low > 0 || high < 0
    if isSignificant, excludesZero, abs(estimate) > threshold { return .significant }
    if -threshold <= low, high <= threshold { return .withinThreshold }
    if !isSignificant { return .notSignificant }
    return excludesZero ? .belowThreshold : .intervalSpansZero
  }
}

/// p-values adjusted for being asked together, in the given order: rejecting those below α keeps the chance of any false
/// rejection below α, however the questions depend on each other.
///
/// The i-th smallest of m is multiplied by m + 1 − i, is at least the one before it, and at most 1 (Holm, "A simple
/// sequentially rejective multiple test procedure", 1979).
public func holm(_ ps: [Double]) -> [Double] {
  var adjusted = ps
  var largest = 0.0
  for (i, index) in ps.indices.sorted(by: { ps[$0] < ps[$1] }).enumerated() {
    largest = max(largest, min(1, ps[index] * Double(ps.count - i)))
    adjusted[index] = largest
  }
  return adjusted
}
