import Frames

/// The exit codes of the program, which are a promise to scripts: `Docs/CI.md` lists them.
public enum ExitStatus: Int32, Error, Sendable, CaseIterable {
  case failure = 1
  /// A gated metric became worse.
  case regression = 2
  /// A wrong picture was shown.
  case incorrect = 3
  /// A gated metric became better, where the caller asks for a code of its own.
  case improvement = 4
  /// There is nothing to compare with.
  case noBaseline = 5
  /// Two records measure different things.
  case incomparable = 7
  /// The measurements do not suffice for a verdict.
  case inconclusive = 8
  case usage = 64
  case interrupted = 130

  /// The status after a failure.
  ///
  /// - Parameter isInterrupted: the user stopped the program.
  public init(after failure: Failure, isInterrupted: Bool) {
    self =
      switch failure.kind {
      case .usage: .usage
      case .noBaseline: .noBaseline
      case .incomparable: .incomparable
      case .incorrect: .incorrect
      case .cancelled where isInterrupted: .interrupted
      default: .failure
      }
  }

  /// The status after a comparison, or nil for success. The first of these counts: a wrong picture, a regression, inconclusive, an improvement.
  ///
  /// - Parameter failsOn: the outcomes, of regression and improvement, that have an exit code of their own.
  public init?(after comparison: Comparison, failsOn: Set<Outcome>) {
    if !comparison.incorrect.isEmpty {
      self = .incorrect
      return
    }
    switch comparison.worst(of: failsOn.union([.inconclusive])) {
    case .regression: self = .regression
    case .inconclusive: self = .inconclusive
    case .improvement: self = .improvement
    case .same, nil: return nil
    }
  }
}
