import Foundation
import RecordSamples
import Support
import Testing
import Verdict

@Suite struct ChangePointTests {
  private static func noise(_ count: Int, _ random: inout SeededGenerator) -> [Double] {
    (0..<count).map { _ in 100 + 2 * random.bell() }
  }

  /// 300 series in which nothing changes, of which one in a hundred may seem to: more than ten would be one seed in two
  /// thousand. The seed is fixed, and `Benchmarks/verdicts/history` tries far more.
  @Test func falseAlarmsAreRare() {
    var random = SeededGenerator(seed: 360)
    let alarms = (0..<300).count { _ in !ChangePoints().cuts(in: Self.noise(30, &random)).isEmpty }
    #expect(alarms <= 10, "\(alarms) of 300")
  }

  @Test func jumpsOfFivePercentAreFoundInTwoPercentOfNoise() {
    var random = SeededGenerator(seed: 360)
    var near = 0
    for _ in 0..<100 {
      let values = Self.noise(15, &random) + Self.noise(15, &random).map { $0 * 1.05 }
      if ChangePoints().cuts(in: values).contains(where: { abs($0.index - 15) <= 2 }) { near += 1 }
    }
    #expect(near >= 80, "\(near) of 100")
  }

  /// Ranks know nothing of units: what keeps the order keeps the cuts.
  @Test func onlyTheOrderOfTheValuesMatters() {
    var random = SeededGenerator(for: "onlyTheOrderOfTheValuesMatters")
    for _ in 0..<10 {
      let values = Self.noise(14, &random) + Self.noise(14, &random).map { $0 * 1.08 }
      let cuts = ChangePoints().cuts(in: values)
      #expect(ChangePoints().cuts(in: values.map { exp($0 / 50) - 7 }) == cuts)
      #expect(ChangePoints().cuts(in: values.map { -$0 }).map(\.index) == cuts.map(\.index))
    }
  }

  @Test func cutsLieWhereTheyMay() {
    let values = Past.level(100, count: 15) + Past.level(90, count: 15)
    #expect(ChangePoints().cuts(in: values).map(\.index) == [15])
    #expect(ChangePoints().cuts(in: values) { $0 % 4 == 0 }.allSatisfy { $0.index == 16 })
    #expect(ChangePoints().cuts(in: values) { _ in false }.isEmpty)
  }

  @Test func noSegmentIsShorterThanThree() {
    var random = SeededGenerator(for: "noSegmentIsShorterThanThree")
    for _ in 0..<20 {
      let levels = (0..<6).flatMap { _ in
        let level = Double.random(in: 50...150, using: &random)
        return (0..<Int.random(in: 1...9, using: &random)).map { _ in level + random.bell() }
      }
      let borders = [0] + ChangePoints().cuts(in: levels).map(\.index) + [levels.count]
      #expect(zip(borders, borders.dropFirst()).allSatisfy { $1 - $0 >= ChangePoints.shortest }, "\(borders)")
    }
  }

  @Test(arguments: [0, 1, 2, 9]) func fewValuesHaveNoCuts(count: Int) {
    #expect(ChangePoints().cuts(in: (0..<count).map { $0 < count / 2 ? 1 : 9 }).isEmpty)
  }

  /// Above five hundred values only cuts in two are looked for.
  @Test func longRowsAreCutToo() {
    let values = Past.level(100, count: 400) + Past.level(95, count: 300)
    #expect(ChangePoints(permutations: 199).cuts(in: values).map(\.index) == [400])
  }
}
