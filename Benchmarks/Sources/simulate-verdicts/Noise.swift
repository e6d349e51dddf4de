import Chance
/// What makes runs of the same program differ.
enum Noise: String, CaseIterable {
  /// Independent and normal.
  case normal
  /// Student's t with 3 degrees of freedom, and 2 runs of 100 take 20 % longer.
  case heavy
  /// Normal, half of the variance autocorrelated from run to run (autoregressive, 0.7), on a level that rises by
  /// 10 % across the session.
  case drift
}

/// One metric across the runs of one session, in order of time. Its true value is 1 where nothing drifts.
struct Series {
  private let noise: Noise
  private let deviation: Double
  private let step: Double
  private var level = 1.0
  /// The noise that is carried on, in standard deviations of its own.
  private var carried: Double?

  /// `deviation` of the runs, as a share of the true value; `runs` of both sides together.
  init(_ noise: Noise, deviation: Double, runs: Int) {
    self.noise = noise
    self.deviation = deviation
    step = noise == .drift ? 0.1 / Double(runs - 1) : 0
  }

  mutating func next(_ random: inout RandomSource) -> Double {
    switch noise {
    case .normal: return 1 + deviation * random.normal()
    case .heavy:
      let delay = random.uniform() < 0.02 ? 1.2 : 1
      return (1 + deviation * random.heavy()) * delay
    case .drift:
      defer { level += step }
      let correlation = 0.7
      let fresh = random.normal()
      let next = carried.map { correlation * $0 + (1 - correlation * correlation).squareRoot() * fresh } ?? fresh
      carried = next
      return level * (1 + deviation * 0.5.squareRoot() * (next + random.normal()))
    }
  }
}
