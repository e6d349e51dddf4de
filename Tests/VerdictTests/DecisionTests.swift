import Testing
import Verdict

@Suite struct DecisionTests {
  /// Ten samples a side around 100, all different, moved by `shift`; `spread` is the distance of neighbours.
  private func question(
    shift: Double, spread: Double = 0.1, threshold: Double = 2, runs: Int = 10, isHigherBetter: Bool = false
  ) -> Question {
    let base = (0..<runs).map { 100 + spread * Double($0) }
    let head = base.map { $0 + shift + spread / 4 }
    return Question(
      isHigherBetter: isHigherBetter, strata: [Stratum(base: base, head: head)], threshold: threshold)
  }

  private func only(_ question: Question, alpha: Double = 0.01) throws -> Decision {
    let decisions = decide([question], alpha: alpha)
    #expect(decisions.count == 1)
    return try #require(decisions.first)
  }

  @Test func worseByMoreThanTheThresholdIsARegression() throws {
    let slower = try only(question(shift: 5))
    #expect(slower.outcome == .regression && slower.reason == .significant && slower.threshold == 2)
    #expect(abs(slower.p * 184_756 - 1) < 1e-9)
    #expect(abs((slower.shift?.estimate ?? 0) - 5.025) < 1e-9)
    #expect(try only(question(shift: -5, isHigherBetter: true)).outcome == .regression)
  }

  @Test func betterByMoreThanTheThresholdIsAnImprovement() throws {
    let faster = try only(question(shift: -5))
    #expect(faster.outcome == .improvement && faster.reason == .significant && faster.p < 1e-4)
    #expect(try only(question(shift: 5, isHigherBetter: true)).outcome == .improvement)
  }

  @Test func anIntervalInsideTheThresholdIsTheSame() throws {
    let same = try only(question(shift: 0))
    #expect(same.outcome == .same && same.reason == .withinThreshold)
    // Significant, yet of no interest.
    let little = try only(question(shift: 1.2))
    #expect(little.outcome == .same && little.p < 0.01)
  }

  @Test func theThresholdItselfIsInside() throws {
    let flat = Stratum(base: Array(repeating: 3, count: 10), head: Array(repeating: 5, count: 10))
    #expect(try only(Question(isHigherBetter: false, strata: [flat], threshold: 2)).outcome == .same)
    #expect(try only(Question(isHigherBetter: false, strata: [flat], threshold: 1.99)).outcome == .regression)
    let equal = Stratum(base: Array(repeating: 3, count: 10), head: Array(repeating: 3, count: 10))
    let counter = try only(Question(isHigherBetter: false, strata: [equal], threshold: 0))
    #expect(counter.outcome == .same && counter.p == 1)
  }

  @Test func nothingIsSaidOnTooFewRuns() throws {
    // 1/C(8, 4) = 0.014.
    for shift in [5.0, 0, -5] {
      let few = try only(question(shift: shift, runs: 4))
      #expect(few.outcome == .inconclusive && few.reason == .tooFewRuns && few.shift != nil)
    }
    // 1/C(10, 5) = 0.004 does for one question and not for three.
    #expect(try only(question(shift: 5, runs: 5)).outcome == .regression)
    let three = decide(Array(repeating: question(shift: 5, runs: 5), count: 3))
    #expect(three.allSatisfy { $0.outcome == .inconclusive && $0.reason == .tooFewRuns })
    // A look may spend less.
    #expect(try only(question(shift: 5, runs: 5), alpha: 0.003).reason == .tooFewRuns)
  }

  @Test func anEmptySideIsInconclusive() throws {
    let empty = Question(isHigherBetter: false, strata: [Stratum(base: [], head: [1])], threshold: 1)
    let decision = try only(empty)
    #expect(decision.outcome == .inconclusive && decision.reason == .tooFewRuns && decision.shift == nil)
    #expect(decision.p == 1)
    #expect(try only(Question(isHigherBetter: true, strata: [], threshold: 0)).reason == .tooFewRuns)
    #expect(decide([]).isEmpty)
  }

  @Test func noiseIsNotSignificant() throws {
    let noisy = try only(question(shift: 3, spread: 4))
    #expect(noisy.outcome == .inconclusive && noisy.reason == .notSignificant && noisy.p > 0.01)
  }

  @Test func aWideIntervalAroundASmallShiftIsBelowTheThreshold() throws {
    let small = try only(question(shift: 1.8, spread: 0.22))
    #expect(small.outcome == .inconclusive && small.reason == .belowThreshold && small.p < 0.01)
    let better = try only(question(shift: -1.8, spread: 0.22))
    #expect(better.outcome == .inconclusive && better.reason == .belowThreshold)
  }

  @Test func anIntervalAcrossZeroIsNoChange() throws {
    // The test is asked at 40 %, the interval at 98 %.
    let wide = try only(question(shift: 3, spread: 4), alpha: 0.4)
    #expect(wide.outcome == .inconclusive && wide.reason == .intervalSpansZero && wide.p < 0.4)
  }

  @Test func questionsAskedTogetherAreAdjusted() throws {
    let slower = question(shift: 5)
    let faster = question(shift: -5)
    let same = question(shift: 0)
    let alone = try only(slower).p
    let decisions = decide([same, slower, faster, slower])
    #expect(decisions.map(\.outcome) == [.same, .regression, .improvement, .regression])
    // Four questions in each direction; equal p-values share the largest factor.
    #expect(abs(decisions[1].p / alone - 4) < 1e-9 && decisions[3].p == decisions[1].p)
    #expect(abs(decisions[2].p / alone - 4) < 1e-9)
    // Significant alone, not among ten.
    let stratum = Stratum(base: (1...10).map(Double.init), head: (5...14).map { Double($0) + 0.5 })
    let weak = Question(isHigherBetter: false, strata: [stratum], threshold: 0.1)
    #expect(try only(weak).outcome == .regression)
    let among = decide([weak] + Array(repeating: same, count: 9))
    #expect(among[0].outcome == .inconclusive && among[0].reason == .notSignificant)
  }

  @Test func looksLieAtEightTwelveAndTwenty() {
    func runs(_ planned: Int) -> [Int] { EarlyLooks(runs: planned).looks.map(\.runs) }
    #expect(runs(2) == [2] && runs(8) == [8] && runs(10) == [8, 10] && runs(12) == [8, 12])
    #expect(runs(20) == [8, 12, 20])
    #expect(EarlyLooks(runs: 40, early: false).looks.map(\.runs) == [40])
    #expect(EarlyLooks(runs: 40, early: false).looks.map(\.alpha) == [0.01])
  }

  @Test func aLookThatCannotDecideIsLeftOut() {
    // Four blocks give p = 1/1296 at best.
    #expect(EarlyLooks(runs: 40).looks.map(\.runs) == [12, 20, 40])
    #expect(EarlyLooks(runs: 20, metrics: 2).looks.map(\.runs) == [8, 12, 20])
    #expect(EarlyLooks(runs: 20, metrics: 3).looks.map(\.runs) == [12, 20])
    #expect(EarlyLooks(runs: 8, metrics: 1000).looks.map(\.runs) == [8], "the last look stays")
  }

  @Test(arguments: Array(stride(from: 2, through: 60, by: 2)))
  func looksSpendAlphaAndNoMore(planned: Int) {
    let looks = EarlyLooks(runs: planned).looks
    #expect(abs(looks.reduce(0) { $0 + $1.alpha } - 0.01) < 1e-15)
    #expect(looks.allSatisfy { $0.alpha > 0 })
  }

  @Test func alphaIsSpentBySquareOfTheShare() {
    let alphas = EarlyLooks(runs: 40).looks.map(\.alpha)
    #expect(alphas.count == 3)
    for (alpha, expected) in zip(alphas, [0.0009, 0.0016, 0.0075]) { #expect(abs(alpha - expected) < 1e-15) }
  }
}
