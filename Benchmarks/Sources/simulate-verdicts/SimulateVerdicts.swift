import Chance
import Foundation

/// Prints how often verdicts call a regression that is none (one case in which any of ten metrics does counts), and how
/// often they find a metric that became 5 % larger.
@main
struct SimulateVerdicts {
  static func main() {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      FileHandle.standardError.write(Data("usage: simulate-verdicts [--cases N] [--power-cases N] [--seed S]\n".utf8))
      exit(2)
    }
    print("seed \(options.seed); \(options.cases) cases a row for false regressions, \(options.powerCases) for power")
    print("percent, 95 % Wilson interval; runs: mean runs a side when it stopped, without and with a regression\n")
    print("| test | runs | deviation | noise | false regressions | 5 % found | runs, same | runs, 5 % |")
    print("|---|---|---|---|---|---|---|---|")
    for (index, experiment) in experiments.enumerated() {
      // A row does not depend on the rows before it.
      var random = RandomSource(seed: options.seed &+ UInt64(index) &* 0x1000_0000_0001)
      print(row(experiment, options, &random))
      fflush(nil)
    }
  }

  private static var experiments: [Experiment] {
    Experiment.Kind.allCases.flatMap { kind in
      Noise.allCases.filter { kind == .ab || $0 != .drift }.flatMap { noise in
        [0.02, 0.04].flatMap { deviation in
          [8, 12, 20, 40].map { Experiment(kind: kind, runs: $0, deviation: deviation, noise: noise) }
        }
      }
    }
  }

  private static func row(_ experiment: Experiment, _ options: Options, _ random: inout RandomSource) -> String {
    var wrong = Share()
    var found = Share()
    var runs = (same: 0, shifted: 0)
    for _ in 0..<options.cases {
      let result = experiment.run(shift: 0, &random)
      wrong.add(result.regressions.contains(true))
      runs.same += result.runs
    }
    for _ in 0..<options.powerCases {
      let result = experiment.run(shift: 0.05, &random)
      found.add(result.regressions[0])
      runs.shifted += result.runs
    }
    let means = String(
      format: "%.1f | %.1f", Double(runs.same) / Double(wrong.count), Double(runs.shifted) / Double(found.count))
    return "| \(experiment.kind) | \(experiment.runs) | \(Int(100 * experiment.deviation)) % | \(experiment.noise) "
      + "| \(wrong.text) | \(found.text) | \(means) |"
  }
}

private struct Options {
  var cases = 20_000
  var powerCases = 5_000
  var seed: UInt64 = 360

  /// Nil when the arguments make no sense.
  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let name = rest.popFirst() {
      guard let value = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
      switch name {
      case "--seed": seed = value
      case "--cases" where (1...1_000_000_000).contains(value): cases = Int(value)
      case "--power-cases" where (1...1_000_000_000).contains(value): powerCases = Int(value)
      default: return nil
      }
    }
  }
}
