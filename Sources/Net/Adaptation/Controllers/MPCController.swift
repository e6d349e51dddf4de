import Frames

extension ControllerRow {
  static let mpc = ControllerRow(
    name: "mpc", summary: "RobustMPC: plans five segments ahead", takesNumber: false
  ) { _ in MPCController() }
}

/// RobustMPC: plans the next five segments for the highest quality of experience at a pessimistic throughput, and takes the plan's first rung.
///
/// Yin, Jindal, Sekar and Sinopoli, "A Control-Theoretic Approach for Dynamic Adaptive Video Streaming over HTTP", SIGCOMM 2015: RobustMPC divides
/// the harmonic mean of the last five throughputs by 1 + the largest relative error of the last five predictions. Weights are those of
/// Pensieve (Mao, Netravali and Alizadeh, SIGCOMM 2017): 1 for each Mbit/s, −1 for each Mbit/s of change, −4.3 for each second of rebuffering.
public struct MPCController: AdaptationController {
  static let horizon = 5
  /// Most plans of one decision: ladders of more than 15 rungs are planned for fewer segments.
  static let planLimit = 1_000_000
  /// Samples and predictions that count.
  static let memory = 5

  /// The last mean that was predicted, bit/s.
  private var predicted: Double?
  /// |predicted − measured| ÷ measured, the newest last.
  private var errors: [Double] = []

  public init() {}

  public mutating func decide(_ situation: Situation) -> RungDecision {
    let last = situation.samples.suffix(Self.memory)
    let mean = Double(last.count) / last.reduce(0) { $0 + 1 / $1.bitsPerSecondOfRequest }
    predicted = mean
    var plan = Plan(situation, bitsPerSecond: mean / (1 + (errors.max() ?? 0)))
    return RungDecision(rung: plan.bestFirstRung())
  }

  public mutating func completed(rung: Int, sample: ThroughputSample, _ situation: Situation) {
    guard let predicted else { return }
    errors.append(abs(predicted - sample.bitsPerSecondOfRequest) / sample.bitsPerSecondOfRequest)
    errors.removeFirst(max(0, errors.count - Self.memory))
  }
}

/// The rungs of the next segments. A search through all of them that skips plans which cannot become the best.
private struct Plan {
  private let table: RungTable
  private let bytesPerSecond: Double
  private let segments: Range<Int>
  private let previousRung: Int
  private let buffer: Double
  /// Mbit/s of each rung.
  private let quality: [Double]
  private var (best, bestRung) = (-Double.infinity, 0)

  init(_ situation: Situation, bitsPerSecond: Double) {
    table = situation.table
    bytesPerSecond = bitsPerSecond / 8
    var (horizon, plans) = (0, 1)
    while horizon < MPCController.horizon, plans * table.count <= MPCController.planLimit {
      horizon += 1
      plans *= table.count
    }
    segments = Range(from: situation.segment, to: min(situation.segment + horizon, table.durations.count))
    (previousRung, buffer) = (situation.previousRung, situation.buffer)
    quality = table.bitrates.map { $0 / 1e6 }
  }

  /// Of equal plans, the one that begins higher.
  mutating func bestFirstRung() -> Int {
    search(segments.lowerBound, previous: previousRung, buffer: buffer, value: 0, first: nil)
    return bestRung
  }

  private mutating func search(_ segment: Int, previous: Int, buffer: Double, value: Double, first: Int?) {
    guard segment < segments.upperBound else {
      if value > best { (best, bestRung) = (value, first ?? previousRung) }
      return
    }
    // The rest can add no more than the highest rung without a change.
    let reachable = Double(segments.upperBound - segment) * quality[table.count - 1]
    guard value + reachable > best else { return }
    for rung in (0..<table.count).reversed() {
      let seconds = Double(table.bytes(segment: segment, rung: rung)) / bytesPerSecond
      let gain =
        quality[rung] - abs(quality[rung] - quality[previous]) - LinearQuality.rebufferPenalty
        * max(0, seconds - buffer)
      search(
        segment + 1, previous: rung, buffer: max(0, buffer - seconds) + table.durations[segment], value: value + gain,
        first: first ?? rung)
    }
  }
}
