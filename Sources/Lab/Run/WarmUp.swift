import FoundationEssentials
import Frames
import Verdict

/// Whether a run had settled before measuring, judged by its own samples.
package enum WarmUp {
  /// A warning for each scenario whose first trial differs from the later ones, or whose samples drift within
  /// the trials.
  package static func warnings(_ scenarios: [Record.Scenario]) -> [Record.Warning] {
    scenarios.flatMap { scenario in
      let trials = scenario.trials.filter(\.complete)
      return [firstTrial(trials, of: scenario.key?.mainMetric), drift(trials)].compactMap { finding in
        finding.map { Record.Warning(code: .warmUp, text: "\(scenario.title): \($0.text)", remedy: $0.remedy) }
      }
    }
  }

  private typealias Finding = (text: String, remedy: String)

  private static let firstTrialShare = 0.05
  /// With fewer, the first lies outside their range by chance too often.
  private static let leastLaterTrials = 3

  /// - Parameter metric: the scenario's main one; nil for a scenario that this build does not know.
  private static func firstTrial(_ trials: [Record.Trial], of metric: Metric?) -> Finding? {
    guard let metric else { return nil }
    let values = trials.map { $0.metrics[metric]?.p50 }
    let later = values.dropFirst().compactMap { $0 }
    guard let first = values.first ?? nil, later.count >= leastLaterTrials, let low = later.min(),
      let high = later.max(), first < low || first > high,
      let share = change(from: Distribution.median(later), to: first),
      abs(share) > firstTrialShare
    else { return nil }
    return (
      "\(metric.name) of the first trial is \(percent(share)) off the later ones",
      "let the machine settle with a longer --duration, or give the first trial less weight with more --trials"
    )
  }

  /// Time per frame that hardly depends on the frame. Decoding does: a clip that gets harder does not mean a cold
  /// machine.
  private static let steadyMetric = Metric.renderGPU
  private static let driftShare = 0.1
  /// A quarter needs enough samples for a median.
  private static let leastSamples = 40

  private static func drift(_ trials: [Record.Trial]) -> Finding? {
    let changes = trials.compactMap { drift(of: $0.metrics[steadyMetric]?.samples ?? []) }
    guard let share = Distribution.median(changes), abs(share) > driftShare else { return nil }
    return (
      "\(steadyMetric.name) drifts within a trial: its last quarter is \(percent(share)) off the first",
      "give a longer --duration, or more --trials; a camera that moves to a harder view drifts too"
    )
  }

  /// How far the last quarter's median lies from the first's; nil with too few samples.
  private static func drift(of samples: [Double]) -> Double? {
    guard samples.count >= leastSamples else { return nil }
    let quarter = samples.count / 4
    return change(
      from: Distribution.median(Array(samples.prefix(quarter))), to: Distribution.median(Array(samples.suffix(quarter)))
    )
  }

  /// `+33 %`, `−10 %`
  private static func percent(_ share: Double) -> String {
    ReportText.signed(formatted("%+.0f", share * 100)) + " %"
  }

  private static func change(from base: Double?, to value: Double?) -> Double? {
    guard let base, let value, base > 0 else { return nil }
    return value / base - 1
  }
}
