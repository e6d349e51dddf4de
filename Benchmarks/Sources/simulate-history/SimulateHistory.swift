import Chance
import Foundation
import Verdict

/// Prints how often a history names a change where there is none, and how often it finds one that is there.
@main
struct SimulateHistory {
  static func main() {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      FileHandle.standardError.write(Data("usage: simulate-history [--cases N] [--power-cases N] [--seed S]\n".utf8))
      exit(2)
    }
    print("seed \(options.seed); \(options.cases) series a row for false alarms, \(options.powerCases) for power")
    print("percent of series, 95 % Wilson interval; deviation of a session 2 %; found: within two of its place")
    print("step: +5 % from the middle on; beside: a change named elsewhere then; third: +5 % for a third, both ends\n")
    print("| noise | sessions | false alarms | step found | third found | beside |")
    print("|---|---|---|---|---|---|")
    var row: UInt64 = 0
    for noise in Noise.allCases {
      for count in [10, 12, 20, 30, 100, 300] {
        // A row does not depend on the rows before it.
        var random = RandomSource(seed: options.seed &+ row &* 0x1000_0000_0001)
        print(line(noise, count, options, &random))
        fflush(nil)
        row += 1
      }
    }
  }

  private static func line(_ noise: Noise, _ count: Int, _ options: Options, _ random: inout RandomSource) -> String {
    var alarms = Share()
    var found = Share()
    var both = Share()
    var beside = Share()
    for _ in 0..<options.cases {
      alarms.add(!ChangePoints().cuts(in: noise.series(count, &random) { _ in 1 }).isEmpty)
    }
    for _ in 0..<options.powerCases {
      let step = ChangePoints().cuts(in: noise.series(count, &random) { $0 >= count / 2 ? 1.05 : 1 }).map(\.index)
      found.add(step.contains { abs($0 - count / 2) <= 2 })
      // Changes reported in a series without one.
      beside.add(step.contains { abs($0 - count / 2) > 2 })
      let third = count / 3
      let bump = ChangePoints().cuts(in: noise.series(count, &random) { $0 / third == 1 ? 1.05 : 1 }).map(\.index)
      both.add([third, 2 * third].allSatisfy { end in bump.contains { abs($0 - end) <= 2 } })
    }
    return "| \(noise) | \(count) | \(alarms.text) | \(found.text) | \(both.text) | \(beside.text) |"
  }
}

/// What makes sessions of the same thing differ.
private enum Noise: String, CaseIterable {
  /// Independent and normal.
  case normal
  /// Student's t with 3 degrees of freedom, and 2 sessions of 100 take 20 % longer.
  case heavy
  /// Independent, on whole numbers: many ties.
  case coarse
  /// Normal, 0.5 of each carried on to the next: what the test does not stand.
  case carried

  func series(_ count: Int, _ random: inout RandomSource, level: (Int) -> Double) -> [Double] {
    var last: Double?
    return (0..<count).map { index in
      switch self {
      case .normal: return level(index) * (1 + 0.02 * random.normal())
      case .heavy: return level(index) * (1 + 0.02 * random.heavy()) * (random.uniform() < 0.02 ? 1.2 : 1)
      case .coarse: return (level(index) * (1 + 0.02 * random.normal()) * 50).rounded()
      case .carried:
        let next = last.map { 0.5 * $0 + 0.75.squareRoot() * random.normal() } ?? random.normal()
        last = next
        return level(index) * (1 + 0.02 * next)
      }
    }
  }
}

private struct Options {
  var cases = 5_000
  var powerCases = 1_000
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
