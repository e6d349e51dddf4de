import Frames
import RecordSamples
import Testing
import Verdict

@Suite struct InterleavedComparisonTests {
  /// Blocks of two runs a side, each of one trial; multiples of ¼, so that levels can be added exactly.
  private static func blocks(
    _ count: Int = 6, shift: Double = -5, level: (Int) -> Double = { _ in 0 }
  ) -> [(base: [Record], head: [Record])] {
    (0..<count).map { block in
      let base = [100, 100.5].map { $0 + Double(block % 3) / 4 + level(block) }
      // Some of head's runs lie among base's, so that p is not the smallest there is.
      let head = base.map { $0 + (block == 1 ? 0.25 : shift) }
      return (base.map { Sides.fps([$0], session: nil) }, head.map { Sides.fps([$0], session: nil) })
    }
  }

  private static func only(_ comparison: Comparison) throws -> MetricComparison {
    #expect(comparison.results.count == 1)
    return try #require(comparison.results.first)
  }

  @Test func aRunCountsByTheMedianOfItsTrials() throws {
    let blocks = Self.blocks().map { block in
      (
        base: block.base.map { run in Sides.fps([1, run.value, 1e6]) },
        head: block.head.map { run in Sides.fps([run.value, run.value, 2, 1e6]) }
      )
    }
    let (single, several) = (
      try Self.only(try Sides.interleaved(Self.blocks())), try Self.only(try Sides.interleaved(blocks))
    )
    #expect(several.base.values == single.base.values && several.head.values == single.head.values)
    #expect(several.base.values.count == 12 && several.p == single.p && several.verdict == .regression)
  }

  @Test func incompleteTrialsDoNotCount() throws {
    var blocks = Self.blocks()
    var run = Sides.fps([100, 7, 7, 7])
    for index in 1..<4 { run.scenarios[0].trials[index].complete = false }
    blocks[0].base[0] = run
    #expect(try Self.only(try Sides.interleaved(blocks)).base.values.min() == 100)
  }

  @Test func driftBetweenBlocksChangesNothing() throws {
    let still = try Self.only(try Sides.interleaved(Self.blocks()))
    let drifting = try Self.only(try Sides.interleaved(Self.blocks { Double($0 * $0) * 64 }))
    #expect(drifting.p == still.p && drifting.estimate.shift == still.estimate.shift)
    #expect(drifting.estimate.low == still.estimate.low && drifting.estimate.high == still.estimate.high)
    #expect(still.verdict == .regression && (still.p ?? 0) > 1.0 / 46_656, "6 to the power of 6 is the smallest p")
    // Pooled, the same runs say nothing.
    let blocks = Self.blocks { Double($0 * $0) * 64 }
    func pool(_ records: [Record]) -> [Record] { [Sides.fps(records.map(\.value))] }
    let pooled = try Self.only(try Sides.compare(pool(blocks.flatMap(\.base)), pool(blocks.flatMap(\.head))))
    #expect(pooled.verdict == .inconclusive && (pooled.p ?? 0) > 0.1)
  }

  /// Every other run of a block has drifted: only an exchange within the block is fair.
  @Test func runsAreExchangedWithinTheirBlockOnly() throws {
    let (first, second) = (Self.blocks(1)[0], Self.blocks(1) { _ in 1000 }[0])
    let crossed = [(first.base, second.head), (second.base, first.head)] as [(base: [Record], head: [Record])]
    let whole = Array(
      repeating: [(base: first.base, head: first.head), (base: second.base, head: second.head)], count: 3)
    let right = try Self.only(try Sides.interleaved(whole.flatMap { $0 }) { $0.thresholdPercent = 0.1 })
    let wrong = try Self.only(
      try Sides.interleaved(Array(repeating: crossed, count: 3).flatMap { $0 }) { $0.thresholdPercent = 0.1 })
    #expect(right.verdict == .regression && wrong.verdict == .inconclusive)
  }

  @Test func sessionsAndNoiseDoNotMatter() throws {
    let comparison = try Sides.interleaved(Self.blocks())
    let result = try Self.only(comparison)
    #expect(comparison.method == .interleaved && result.noiseFloor == nil && result.verdict == .regression)
    #expect(comparison.base.name == "old/run" && comparison.base.records == 12)
    // Five sessions would tell a noise floor, had they not run in turns.
    let sessions = Self.blocks().enumerated().map { index, block in
      (
        base: block.base.map { Sides.fps([$0.value], session: "\(index)") },
        head: block.head.map { Sides.fps([$0.value], session: "\(index)") }
      )
    }
    #expect(try Self.only(try Sides.interleaved(sessions)) == result)
  }

  @Test func aRunOfAnotherClipIsNotComparedWithTheOthers() throws {
    var blocks = Self.blocks()
    blocks[0].head[1].input.sha256 = "other"
    blocks[0].head[1].input.name = "other.mp4"
    let comparison = try Sides.interleaved(blocks)
    let result = try Self.only(comparison)
    #expect(result.input == "tour.mp4" && result.base.values.count == 12 && result.head.values.count == 11)
    #expect(comparison.warnings.map(\.text) == ["measured on one side only: other.mp4"])
  }

  @Test func aBlockWithoutOneSideTellsNothing() throws {
    var blocks = Self.blocks()
    blocks[0].head = blocks[0].head.map { run in
      var run = run
      run.scenarios[0].trials[0].complete = false
      return run
    }
    let result = try Self.only(try Sides.interleaved(blocks))
    #expect(result.base.values.count == 10 && result.head.values.count == 10)
  }

  @Test func tooFewBlocksAreInconclusive() throws {
    let few = try Self.only(try Sides.interleaved(Self.blocks(2, shift: -50)))
    #expect(
      few.verdict == .inconclusive && few.why.hasPrefix("4 and 4 runs are too few to reach p below 0.01 with one gated")
    )
    #expect(few.estimate.low == nil && few.estimate.high == nil)
  }

  @Test func aSideThatChangesItsMindIsRefused() throws {
    var blocks = Self.blocks()
    blocks[3].head[0].settings.decoding.threads = 16
    let failure = try #require(throws: Failure.self) { try Sides.interleaved(blocks) }
    #expect(
      failure.kind == .incomparable && failure.cause.contains("a side mixes") && failure.cause.contains("threads"))
  }
}

extension Record {
  /// The first trial's value of the first scenario.
  fileprivate var value: Double { scenarios[0].trials[0].metrics["decode_fps"]?.p50 ?? .nan }
}
