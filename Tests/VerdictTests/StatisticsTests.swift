import Foundation
import RecordSamples
import Support
import Testing
import Verdict

/// The statistics against SciPy, NumPy and plain enumeration; `Scripts/statistics-fixture` writes the numbers.
@Suite struct StatisticsTests {
  struct Fixture: Decodable {
    struct Samples: Decodable {
      var base, head: [Double]
    }
    struct Test: Decodable {
      var strata: [Samples]
      var higher, lower: Double
    }
    struct Interval: Decodable {
      var strata: [Samples]
      var confidence, estimate: Double
      var low, high: Double?
    }
    struct Adjustment: Decodable {
      var ps, adjusted: [Double]
    }
    var exact, tied, asymptotic, blocks: [Test]
    var shifts: [Interval]
    var holm: [Adjustment]

    init() throws {
      let url = TestFiles.folder().appending(path: "Fixtures/statistics.json")
      self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url))
    }
  }

  private func strata(_ samples: [Fixture.Samples]) -> [Stratum] {
    samples.map { Stratum(base: $0.base, head: $0.head) }
  }

  private func expect(_ tests: [Fixture.Test], isExact: Bool, tolerance: Double) {
    for (index, expected) in tests.enumerated() {
      let actual = RankTest(strata(expected.strata))
      #expect(actual.isExact == isExact, "case \(index)")
      #expect(abs(actual.pHigher - expected.higher) <= tolerance * expected.higher, "case \(index)")
      #expect(abs(actual.pLower - expected.lower) <= tolerance * expected.lower, "case \(index)")
    }
  }

  @Test func exactTestMatchesSciPy() throws {
    let fixture = try Fixture()
    #expect(fixture.exact.count >= 30)
    expect(fixture.exact, isExact: true, tolerance: 1e-12)
  }

  @Test func exactTestWithTiesMatchesAllPermutations() throws {
    let fixture = try Fixture()
    #expect(fixture.tied.count >= 8)
    expect(fixture.tied, isExact: true, tolerance: 1e-12)
  }

  @Test func normalApproximationMatchesSciPy() throws {
    let fixture = try Fixture()
    #expect(fixture.asymptotic.count >= 6)
    expect(fixture.asymptotic, isExact: false, tolerance: 1e-9)
  }

  @Test func blocksMatchAllLabelings() throws {
    let fixture = try Fixture()
    #expect(fixture.blocks.count >= 18)
    expect(fixture.blocks, isExact: true, tolerance: 1e-12)
  }

  @Test func shiftsMatchTheScanOfAllShifts() throws {
    let fixture = try Fixture()
    #expect(fixture.shifts.count >= 18 && fixture.shifts.contains { $0.low == nil })
    for (index, expected) in fixture.shifts.enumerated() {
      let actual = try #require(Shift(strata(expected.strata), confidence: expected.confidence))
      #expect(abs(actual.estimate - expected.estimate) <= 1e-12 * abs(expected.estimate), "case \(index)")
      #expect(actual.low == expected.low && actual.high == expected.high, "case \(index)")
    }
  }

  @Test func holmMatchesItsDefinition() throws {
    for expected in try Fixture().holm {
      let actual = holm(expected.ps)
      #expect(actual.count == expected.adjusted.count)
      for (a, b) in zip(actual, expected.adjusted) { #expect(abs(a - b) <= 1e-12 * b, "\(expected.ps)") }
    }
  }

  @Test func emptySidesSayNothing() {
    let test = RankTest([Stratum(base: [], head: [1, 2]), Stratum(base: [1], head: [])])
    #expect(test.pHigher == 1 && test.pLower == 1 && test.smallestP == 1)
    #expect(Shift([Stratum(base: [], head: [1, 2])]) == nil)
    let pair = Stratum(base: [1, 2], head: [3, 5])
    #expect(RankTest([pair, Stratum(base: [9], head: [])]) == RankTest([pair]))
  }

  @Test func smallestPIsThatOfSeparatedSamples() {
    let blocks = (0..<4).map { _ in Stratum(base: [1, 2], head: [3, 4]) }
    let test = RankTest(blocks)
    #expect(abs(test.smallestP * 1296 - 1) < 1e-12 && abs(test.pHigher * 1296 - 1) < 1e-12)
    let eight = RankTest([Stratum(base: (1...8).map(Double.init), head: (11...18).map(Double.init))])
    #expect(abs(eight.smallestP * 12870 - 1) < 1e-12 && abs(eight.pHigher * 12870 - 1) < 1e-12)
  }

  /// The table ends where the approximation begins, and there they agree.
  @Test func tableAndApproximationMeet() {
    func test(_ count: Int) -> RankTest {
      let base = (0..<count).map { Double(2 * $0) }
      return RankTest([Stratum(base: base, head: base.map { $0 + 15 })])
    }
    let exact = test(50)
    let normal = test(51)
    #expect(exact.isExact && !normal.isExact)
    #expect(abs(exact.pHigher / normal.pHigher - 1) < 0.1, "\(exact.pHigher) and \(normal.pHigher)")
  }
}
