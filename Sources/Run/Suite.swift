/// How much is measured when nobody says: about 15 s, 90 s and 15 min on a two-core machine.
public enum Suite: String, Sendable, Codable, CaseIterable {
  case smoke, standard, full

  /// Playing takes as long as the clip, whatever the machine: only the longest has the time.
  public var scenarios: [String] {
    switch self {
    case .smoke, .standard: ["decode", "render", "pipeline", "startup"]
    case .full: ["decode", "render", "pipeline", "play", "startup"]
    }
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
