import Adaptation
import Foundation
import Frames
import Support
import Testing

@Suite struct ControllerTests {
  /// All rows, in any moment: an answer within the ladder, the same one each time.
  @Test(arguments: ControllerRow.all.map(\.name))
  func eachControllerIsAPureFunction(name: String) throws {
    var generator = SeededGenerator(for: "eachControllerIsAPureFunction \(name)")
    for _ in 0..<150 {
      let table = try Samples.randomTable(&generator)
      let choice = try #require(Samples.choices(rung: table.count - 1).first { $0.row.name == name })
      let maximum = [Double.random(in: 1...60, using: &generator), 1, 86_400].randomElement(using: &generator) ?? 1
      var controller = try choice.make(table, maximumBuffer: maximum)
      #expect(table.bitrates.indices.contains(controller.firstRung(usual: 0)))
      var previous = 0
      for segment in table.durations.indices.dropFirst() {
        let rate = pow(10, Double.random(in: 0...11, using: &generator))
        let situation = Samples.situation(
          table, buffer: Double.random(in: 0...maximum, using: &generator), rate: rate, segment: segment,
          previous: previous, latency: Double.random(in: 0...5, using: &generator))
        var copy = controller
        let decision = controller.decide(situation)
        #expect(copy.decide(situation) == decision)
        #expect(table.bitrates.indices.contains(decision.rung) && decision.wait >= 0 && decision.wait.isFinite)
        let bytes = Double(table.bytes(segment: segment, rung: decision.rung))
        let progress = SegmentDownload(
          rung: decision.rung, bytes: bytes, received: bytes * Double.random(in: 0..<1, using: &generator),
          seconds: Double.random(in: 0...20, using: &generator), latency: Double.random(in: 0...1, using: &generator))
        let lower = controller.abandonment(of: progress, situation)
        #expect(copy.abandonment(of: progress, situation) == lower)
        #expect(lower == nil || controller.abandonsDownloads)
        if let lower {
          #expect((0..<decision.rung).contains(lower))
          controller.abandoned(rung: decision.rung, for: lower, situation)
        } else {
          controller.completed(rung: decision.rung, sample: situation.samples[0], situation)
        }
        if Bool.random(using: &generator) { controller.waited(Double.random(in: 0...9, using: &generator)) }
        if Int.random(in: 0..<20, using: &generator) == 0 { controller.sought(to: segment) }
        previous = decision.rung
      }
    }
  }

  @Test func namesAreReadAndListed() throws {
    #expect(ControllerChoice.forms == "fixed:N, lowest, throughput, bola, dynamic, mpc, bba")
    #expect(
      Samples.choices(rung: 3).map(\.name) == ["fixed:3", "lowest", "throughput", "bola", "dynamic", "mpc", "bba"])
    for wrong in ["", "fixed", "fixed:", "fixed:-1", "fixed:x", "fixed:64", "bola:1", "BOLA", "bola ", "fixed:1:2"] {
      #expect(ControllerChoice(wrong) == nil, "\(wrong)")
    }
    let failure = try #require(throws: Failure.self) {
      try Samples.choice("fixed:10").make(Samples.table(), maximumBuffer: 25)
    }
    #expect(failure.kind == .usage && failure.cause.contains("the rungs 0 to 9"), "\(failure)")
  }

  @Test func throughputLeavesAMarginAndTheLatency() throws {
    let table = try Samples.table()
    func rung(_ rate: Double, latency: Double = 0) -> Int {
      var controller = ThroughputController()
      return controller.decide(Samples.situation(table, buffer: 25, rate: rate, latency: latency)).rung
    }
    #expect(rung(1_427_000 / 0.9 + 1) == 5 && rung(1_427_000 / 0.9 - 1) == 4)
    // A tenth of the segment's duration passes before the first byte.
    #expect(rung(1_427_000 / 0.81 + 1, latency: 0.3) == 5 && rung(1_427_000 / 0.81 - 1, latency: 0.3) == 4)
    #expect(rung(1) == 0 && rung(1e12) == 9)
  }

  /// 0.9 of the throughput over the buffer at first, then less and less down to a half.
  @Test func aShortBufferLimitsTheRung() throws {
    let table = try Samples.table()
    var controller = ThroughputController()
    var rungs: [Int] = []
    for _ in 0..<9 { rungs.append(controller.decide(Samples.situation(table, buffer: 1.1, rate: 6e6)).rung) }
    let expected = (0..<9).map { (index: Int) -> Int in
      let share: Double = max(0.9 * pow(0.9, Double(index)), 0.5)
      return table.bitrates.lastIndex { $0 * 3 <= share * 6e6 } ?? 0
    }
    #expect(rungs == expected && rungs.first != rungs.last, "\(rungs)")
  }

  @Test func slowDownloadsAreAbandonedForARungThatIsShorter() throws {
    let table = try Samples.table()
    let controller = ThroughputController()
    let situation = Samples.situation(table, buffer: 8, rate: 5e6)
    func lower(_ seconds: Double, received: Double) -> Int? {
      controller.abandonment(
        of: SegmentDownload(rung: 8, bytes: 1_885_125, received: received, seconds: seconds, latency: 0.1), situation)
    }
    // 1 Mbit/s instead of 5: 15 s for a segment of 3.
    #expect(lower(0.6, received: 62_500) == 3)
    #expect(lower(0.49, received: 50_000) == nil, "too early to judge")
    #expect(lower(2.1, received: 1_000_000) == nil, "fast enough")
    #expect(lower(14, received: 1_800_000) == nil, "the rest is shorter than any other")
    #expect(lower(14, received: 0) == nil, "nothing is known")
  }

  /// Scores of neighbours are equal at the buffer where one takes over from the other.
  @Test func bolaChangesItsRungWhereScoresAreEqual() throws {
    let table = try Samples.table()
    let score = BOLAScore(table, lowestUtility: 1, gammaP: 1.5, control: 6000)
    for rung in 1..<table.count {
      let level = score.lowestBuffer(of: rung)
      #expect(score.rung(at: level + 1e-6) >= rung && score.rung(at: level - 1e-6) < rung)
      #expect(level < score.highestBuffer(of: rung))
    }
    #expect(score.rung(at: 0) == 0)
  }

  @Test func bolaStartsAtTheThroughputAndWaitsAboveItsBuffer() throws {
    let table = try Samples.table()
    var controller = BOLAController(table, maximumBuffer: 25)
    #expect(controller.decide(Samples.situation(table, buffer: 3, rate: 1.6e6)).rung == 5)
    // Far above all that rung 1 is worth, and the throughput sustains no more: it waits.
    var slow = BOLAController(table, maximumBuffer: 25)
    _ = slow.decide(Samples.situation(table, buffer: 20, rate: 2e5))
    slow.completed(
      rung: 0, sample: .init(bytes: 1, seconds: 1, latency: 0), Samples.situation(table, buffer: 22, rate: 2e5))
    let decision = slow.decide(Samples.situation(table, buffer: 22, rate: 2e5))
    #expect(decision.rung == 1 && abs(decision.wait - 3.64) < 0.01, "\(decision)")
  }

  /// After a segment that something else than BOLA chose, the placeholder stands for the buffer that BOLA would have had.
  @Test func bolaGoesOnFromARungThatItDidNotChoose() throws {
    let table = try Samples.table()
    let sample = ThroughputSample(bytes: 1, seconds: 1, latency: 0)
    func next(buffer: Double) -> Int {
      var controller = BOLAController(table, maximumBuffer: 25)
      _ = controller.decide(Samples.situation(table, buffer: 6, rate: 1))
      controller.completed(rung: 6, sample: sample, Samples.situation(table, buffer: buffer, rate: 1e9))
      return controller.decide(Samples.situation(table, buffer: 7.2, rate: 1e9)).rung
    }
    #expect(next(buffer: 6) == 6)
    #expect(next(buffer: 0) == 0, "not after a stall")
  }

  @Test func dynamicFollowsTheThroughputUntilTheBufferIsLong() throws {
    let table = try Samples.table()
    func rung(buffer: Double) -> Int {
      var controller = DynamicController(table, maximumBuffer: 25)
      return controller.decide(Samples.situation(table, buffer: buffer, rate: 3.2e6)).rung
    }
    var throughput = ThroughputController()
    var bola = BOLAFiniteController(table, maximumBuffer: 25)
    let (short, long) = (
      Samples.situation(table, buffer: 9.9, rate: 3.2e6), Samples.situation(table, buffer: 21, rate: 3.2e6)
    )
    #expect(rung(buffer: 9.9) == throughput.decide(short).rung)
    let higher = bola.decide(long).rung
    #expect(rung(buffer: 21) == higher && higher != throughput.decide(long).rung)
  }

  /// Beside a search through all plans without a shortcut.
  @Test func mpcFindsTheBestOfAllPlans() throws {
    var generator = SeededGenerator(for: "mpcFindsTheBestOfAllPlans")
    for _ in 0..<60 {
      let table = try Samples.randomTable(&generator, rungs: 1...5)
      let rate = Double.random(in: 2e5...2e7, using: &generator)
      let situation = Samples.situation(
        table, buffer: Double.random(in: 0...20, using: &generator), rate: rate,
        segment: Int.random(in: 0..<table.durations.count, using: &generator),
        previous: Int.random(in: 0..<table.count, using: &generator))
      var controller = MPCController()
      let rung = controller.decide(situation).rung
      let (best, value) = Self.bestPlan(situation, bytesPerSecond: situation.samples[0].bitsPerSecond / 8)
      #expect(rung == best, "\(situation) \(value)")
    }
  }

  private static func bestPlan(_ situation: Situation, bytesPerSecond: Double) -> (rung: Int, value: Double) {
    let table = situation.table
    let segments = (situation.segment..<min(situation.segment + 5, table.durations.count))
    var best = (rung: 0, value: -Double.infinity)
    var plans: [[Int]] = [[]]
    for _ in segments { plans = plans.flatMap { plan in (0..<table.count).reversed().map { plan + [$0] } } }
    for plan in plans {
      var (value, buffer, previous) = (0.0, situation.buffer, situation.previousRung)
      for (segment, rung) in zip(segments, plan) {
        let seconds = Double(table.bytes(segment: segment, rung: rung)) / bytesPerSecond
        let change = abs(table.bitrates[rung] / 1e6 - table.bitrates[previous] / 1e6)
        value += table.bitrates[rung] / 1e6 - change - 4.3 * max(0, seconds - buffer)
        buffer = max(0, buffer - seconds) + table.durations[segment]
        previous = rung
      }
      if value > best.value { best = (plan[0], value) }
    }
    return best
  }

  /// The largest error of the last five predictions divides the next one.
  @Test func mpcDistrustsTheNetworkAfterAnError() throws {
    let table = try Samples.table()
    var controller = MPCController()
    let situation = Samples.situation(table, buffer: 6, rate: 3e6, previous: 7)
    let trusting = controller.decide(situation).rung
    controller.completed(rung: trusting, sample: .init(bytes: 125_000, seconds: 1, latency: 0), situation)
    var careful = controller
    #expect(careful.decide(situation).rung < trusting)
    for _ in 0..<5 { controller.completed(rung: 0, sample: situation.samples[0], situation) }
    #expect(controller.decide(situation).rung == trusting)
  }

  @Test func bbaMapsTheBufferToTheBitrate() throws {
    let table = try RungTable(name: "x", bitrates: [1e6, 2e6, 4e6], durations: Array(repeating: 4, count: 9))
    // Reservoir 15 s, the highest rung from 36 s on.
    let controller = BBAController(table, maximumBuffer: 44)
    func rung(_ buffer: Double, previous: Int) -> Int {
      controller.decide(Samples.situation(table, buffer: buffer, rate: 1, previous: previous)).rung
    }
    #expect(rung(15, previous: 2) == 0 && rung(36, previous: 0) == 2)
    // 2 Mbit/s are reached at 22 s, and a rung stays until the map passes a neighbour.
    #expect(rung(21.9, previous: 0) == 0 && rung(22.1, previous: 0) == 1)
    #expect(rung(33, previous: 0) == 1, "3.6 Mbit/s are less than the highest")
    #expect(rung(35.9, previous: 1) == 1 && rung(35.9, previous: 2) == 2)
    #expect(rung(22.1, previous: 2) == 2 && rung(21.9, previous: 2) == 1)
  }
}
