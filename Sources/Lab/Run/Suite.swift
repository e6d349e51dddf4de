import Verdict

/// How much to measure by default: about 15 s, 90 s and 18 min on a two-core machine.
public enum Suite: String, Sendable, Codable, CaseIterable {
  case smoke, standard, full

  /// Playing takes the clip's duration on any machine, and scrubbing a user's pace: only
  /// the longest suite has time for them, and of scrubbing for two variants.
  public var scenarios: [String] {
    Scenario.runnable.flatMap { scenario in
      (scenario.measured.suites[self] ?? []).map { Job(scenario: scenario, variant: $0).title }
    }
  }

  /// The same variants of a scenario in all of them.
  static func each(_ variants: [String?]) -> [Suite: [String?]] {
    Dictionary(uniqueKeysWithValues: allCases.map { ($0, variants) })
  }

  /// Fresh processes per scenario.
  public var trials: Int {
    switch self {
    case .smoke: 1
    case .standard: 5
    case .full: 14
    }
  }

  /// Media seconds per trial.
  public var duration: Double {
    switch self {
    case .smoke: 6
    case .standard: 10
    case .full: 30
    }
  }
}
