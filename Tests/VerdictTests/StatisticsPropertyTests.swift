import Support
import Testing
import Verdict

/// What holds for any samples.
@Suite struct StatisticsPropertyTests {
  /// Up to 5 strata of up to 8 samples a side, sides may be empty but in the first; few values make ties. All values are
  /// multiples of ¼, so that sums and differences are exact.
  private func randomStrata(ties: Bool, _ random: inout SeededGenerator) -> [Stratum] {
    (0..<Int.random(in: 1...5, using: &random)).map { index in
      let range = ties ? 0...6 : -4_000_000...4_000_000
      func side() -> [Double] {
        (0..<Int.random(in: (index == 0 ? 1 : 0)...8, using: &random)).map { _ in
          Double(Int.random(in: range, using: &random)) / 4
        }
      }
      return Stratum(base: side(), head: side())
    }
  }

  @Test func swappingSidesSwapsDirections() throws {
    var random = SeededGenerator(for: "swappingSidesSwapsDirections")
    for round in 0..<300 {
      let strata = randomStrata(ties: round.isMultiple(of: 2), &random)
      let swapped = strata.map { Stratum(base: $0.head, head: $0.base) }
      let (there, back) = (RankTest(strata), RankTest(swapped))
      #expect(abs(there.pHigher / back.pLower - 1) < 1e-12 && abs(there.pLower / back.pHigher - 1) < 1e-12)
      let (shift, opposite) = (try #require(Shift(strata)), try #require(Shift(swapped)))
      #expect(shift.estimate == -opposite.estimate)
      #expect(shift.low == opposite.high.map { -$0 } && shift.high == opposite.low.map { -$0 })
    }
  }

  @Test func levelsOfStrataDoNotMatter() {
    var random = SeededGenerator(for: "levelsOfStrataDoNotMatter")
    for round in 0..<300 {
      let strata = randomStrata(ties: round.isMultiple(of: 2), &random)
      let moved = strata.map { stratum in
        let level = Double(Int.random(in: -1000...1000, using: &random))
        return Stratum(base: stratum.base.map { $0 + level }, head: stratum.head.map { $0 + level })
      }
      #expect(RankTest(moved) == RankTest(strata))
      #expect(Shift(moved) == Shift(strata))
    }
  }

  @Test func theUnitScalesTheShiftAlone() throws {
    var random = SeededGenerator(for: "theUnitScalesTheShiftAlone")
    for round in 0..<300 {
      let strata = randomStrata(ties: round.isMultiple(of: 2), &random)
      let scaled = strata.map { stratum in
        Stratum(base: stratum.base.map { $0 * 1024 }, head: stratum.head.map { $0 * 1024 })
      }
      #expect(RankTest(scaled) == RankTest(strata))
      let (shift, larger) = (try #require(Shift(strata)), try #require(Shift(scaled)))
      #expect(larger.estimate == 1024 * shift.estimate)
      #expect(larger.low == shift.low.map { 1024 * $0 } && larger.high == shift.high.map { 1024 * $0 })
    }
  }

  @Test func theIntervalHoldsTheEstimate() throws {
    var random = SeededGenerator(for: "theIntervalHoldsTheEstimate")
    for round in 0..<300 {
      let strata = randomStrata(ties: round.isMultiple(of: 2), &random)
      let narrow = try #require(Shift(strata, confidence: 0.5))
      let wide = try #require(Shift(strata, confidence: 0.9))
      for shift in [narrow, wide] {
        #expect((shift.low ?? -.infinity) <= shift.estimate && shift.estimate <= (shift.high ?? .infinity))
      }
      if let low = wide.low { #expect(try #require(narrow.low) >= low) }
      if let high = wide.high { #expect(try #require(narrow.high) <= high) }
    }
  }

  @Test func ranksSelectWhatSortingWould() {
    var random = SeededGenerator(for: "ranksSelectWhatSortingWould")
    for round in 0..<200 {
      var strata = randomStrata(ties: round.isMultiple(of: 2), &random)
      // Not exact, far apart, and around zero.
      if round.isMultiple(of: 3) {
        strata = strata.map { stratum in
          Stratum(base: stratum.base.map { $0 / 3e9 }, head: stratum.head.map { $0.magnitude < 2 ? 1e300 : $0 / 7 })
        }
      }
      let sorted = strata.flatMap { stratum in
        stratum.base.flatMap { base in stratum.head.map { $0 - base } }
      }.sorted()
      let differences = Differences(strata)
      #expect(differences.count == sorted.count)
      for (rank, value) in sorted.enumerated() { #expect(differences.element(rank) == value, "rank \(rank)") }
    }
  }

  /// 25 million differences: neither stored nor sorted.
  @Test func largeSamplesAreBounded() throws {
    var random = SeededGenerator(for: "largeSamplesAreBounded")
    let base = (0..<5000).map { _ in Double.random(in: 0..<1, using: &random) }
    let head = (0..<5000).map { _ in Double.random(in: 0.25..<1.25, using: &random) }
    let shift = try #require(Shift([Stratum(base: base, head: head)]))
    let (low, high) = (try #require(shift.low), try #require(shift.high))
    // The estimate's standard error is 0.006.
    #expect(abs(shift.estimate - 0.25) < 0.04 && low < shift.estimate && shift.estimate < high)
    #expect(high - low > 0.02 && high - low < 0.04)
  }

  /// Under all labelings of any samples, P(p ≤ α) ≤ α: the test promises no more than it holds.
  @Test func noLevelIsExceeded() {
    var random = SeededGenerator(for: "noLevelIsExceeded")
    for round in 0..<20 {
      let blocks = (0..<(round % 3 + 1)).map { _ in
        (0..<4).map { _ in Double(Int.random(in: 0...(round.isMultiple(of: 2) ? 3 : 1000), using: &random)) }
      }
      let tests = labelings(of: blocks[...]).map { RankTest($0) }
      for level in tests.map(\.pHigher) + tests.map(\.pLower) + [0.01, 0.05, 0.1] {
        // Rounding may part p-values that are equal.
        let bound = level + 1e-12
        #expect(Double(tests.count { $0.pHigher <= bound }) <= bound * Double(tests.count) + 1e-9)
        #expect(Double(tests.count { $0.pLower <= bound }) <= bound * Double(tests.count) + 1e-9)
      }
    }
  }

  /// Every way to call two of each block's four samples head.
  private func labelings(of blocks: ArraySlice<[Double]>) -> [[Stratum]] {
    guard let block = blocks.first else { return [[]] }
    let rest = labelings(of: blocks.dropFirst())
    let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    return pairs.flatMap { pair in
      let base = block.indices.filter { !pair.contains($0) }.map { block[$0] }
      let stratum = Stratum(base: base, head: pair.map { block[$0] })
      return rest.map { [stratum] + $0 }
    }
  }

  @Test func holmIsOrderlyAndBounded() {
    var random = SeededGenerator(for: "holmIsOrderlyAndBounded")
    for _ in 0..<200 {
      let ps = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        Double(Int.random(in: 0...40, using: &random)) / 40
      }
      let adjusted = holm(ps)
      for i in ps.indices {
        #expect(ps[i] <= adjusted[i] && adjusted[i] <= min(1, ps[i] * Double(ps.count)))
        for j in ps.indices where ps[i] <= ps[j] { #expect(adjusted[i] <= adjusted[j]) }
      }
    }
  }
}
