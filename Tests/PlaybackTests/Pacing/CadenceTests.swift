import Frames
import Playback
import Support
import Testing

/// Clips of every usual rate on displays of every usual rate, decoded in time.
struct CadenceTests {
  static let rates = [
    Ratio(24, 1), Ratio(25, 1), Ratio(30, 1), Ratio(50, 1), Ratio(60, 1), Ratio(24000, 1001), Ratio(30000, 1001),
  ]
  static let refreshes = [50, 60, 72, 90, 120, 144].map { Ratio($0, 1) } + [Ratio(60000, 1001)]

  private func play(_ rate: Ratio, on refresh: Ratio, count: Int = 240, limit: Int = 100_000) -> Simulation {
    var simulation = Simulation(.steady(rate, count: count), refresh: refresh)
    _ = simulation.player.play()
    simulation.run(refreshes: limit)
    return simulation
  }

  /// Frame k is first shown by refresh ceil(k · refresh ⁄ rate), counted from the first: whole numbers, no clock. The last
  /// one stays on in any case.
  private func expected(_ rate: Ratio, _ refresh: Ratio, count: Int) -> (shown: [Int], refreshes: [Int], skipped: Int) {
    let (up, down) = (
      Int(refresh.numerator) * Int(rate.denominator), Int(refresh.denominator) * Int(rate.numerator)
    )
    // A sixteenth of a refresh early, as the pacer has it.
    let first = (0...count).map { max(0, ($0 * up * 16 - down + 16 * down - 1) / (16 * down)) }
    let shown = (0..<count).filter { first[$0 + 1] > first[$0] || $0 == count - 1 }
    return (shown, shown.map { first[$0] }, count - shown.count)
  }

  @Test(arguments: rates, refreshes)
  func everyFrameHasItsRefreshes(_ rate: Ratio, _ refresh: Ratio) {
    let simulation = play(rate, on: refresh)
    let (shown, _, skipped) = expected(rate, refresh, count: 240)
    #expect(simulation.screen.filter(\.isNew).map(\.number) == shown)
    #expect(simulation.count(.presented) == shown.count && simulation.count(.skipped) == skipped)
    #expect(simulation.count(.dropped) == 0 && simulation.late == 0 && simulation.repeated == 0)
    #expect(simulation.stalls == [] && simulation.player.state == .ended)
  }

  /// Frames of the last two pairs lie at every thousandth of a refresh: a tenth of a millisecond more or less moves some of
  /// them to another one.
  private static let longPairs = [
    (Ratio(30, 1), Ratio(60, 1)), (Ratio(24000, 1001), Ratio(60000, 1001)), (Ratio(60, 1), Ratio(50, 1)),
    (Ratio(25, 1), Ratio(60000, 1001)), (Ratio(30000, 1001), Ratio(50, 1)),
  ]

  @Test(.tier(.test), arguments: longPairs)
  func tenMinutesAreExact(_ rate: Ratio, _ refresh: Ratio) { expectExact(rate, refresh, seconds: 600) }

  @Test(.tier(.full), arguments: longPairs)
  func anHourIsExact(_ rate: Ratio, _ refresh: Ratio) { expectExact(rate, refresh, seconds: 3600) }

  /// To the frame and the refresh at the end: neither clock nor counts drift.
  private func expectExact(_ rate: Ratio, _ refresh: Ratio, seconds: Int32) {
    let count = Int(seconds * rate.numerator / rate.denominator)
    let simulation = play(rate, on: refresh, count: count, limit: 300_000)
    let (shown, refreshes, skipped) = expected(rate, refresh, count: count)
    #expect(simulation.screen.filter(\.isNew).map(\.number).elementsEqual(shown))
    let places = simulation.screen.indices.filter { simulation.screen[$0].isNew }
    #expect(places.map { $0 - (places.first ?? 0) }.elementsEqual(refreshes))
    #expect(simulation.count(.presented) == shown.count && simulation.count(.skipped) == skipped)
    #expect(simulation.count(.dropped) == 0 && simulation.late == 0 && simulation.repeated == 0)
    #expect(simulation.stalls == [] && simulation.player.state == .ended)
  }

  @Test func everyFrameOfTenMinutesHasOneFate() { expectOneFate(seconds: 600, missed: 310) }

  @Test(.tier(.full)) func everyFrameOfAnHourHasOneFate() { expectOneFate(seconds: 3600, missed: 1900) }

  /// A display link that is kept waiting now and then: each refresh that is missed costs one frame, and each frame is counted
  /// once.
  private func expectOneFate(seconds: Int, missed least: Int) {
    let (rate, count) = (Ratio(60, 1), 60 * seconds)
    var simulation = Simulation(
      .steady(rate, count: count), refresh: rate, decoder: Simulation.Decoder(lookAhead: 16))
    _ = simulation.player.play()
    simulation.run(refreshes: 300_000) { simulation, number in
      if number % 997 == 996 { simulation.link.pass(MediaTime(seconds: 10.5 / 60)) }
    }
    let missed = simulation.screen.reduce(0) { $0 + $1.tick.missed }
    #expect(missed > least && simulation.count(.dropped) == missed && simulation.count(.skipped) == 0)
    let fates = simulation.log.compactMap { if case .fate(let frame, _) = $0 { frame.index } else { nil } }
    #expect(fates.elementsEqual(0..<count))
    #expect(simulation.stalls == [] && simulation.repeated == 0 && simulation.player.state == .ended)
  }

  @Test func filmOnSixtyIsTwoThree() {
    let cadence = play(Ratio(24, 1), on: Ratio(60, 1)).cadence.dropLast()
    #expect(Set(zip(cadence, cadence.dropFirst()).map { [$0, $1] }) == [[2, 3], [3, 2]])
  }

  @Test func sixtyOnFiftySkipsEverySixth() {
    let simulation = play(Ratio(60, 1), on: Ratio(50, 1))
    #expect(simulation.count(.skipped) == 39 && simulation.count(.dropped) == 0)
  }

  @Test(arguments: [0.25, 0.5, 1.5, 2, 4])
  func otherRatesKeepTime(_ rate: Double) {
    var simulation = Simulation(.steady(Ratio(30, 1), count: 240), refresh: Ratio(60, 1))
    simulation.player.setRate(rate, at: simulation.link.now)
    _ = simulation.player.play()
    simulation.run(refreshes: 100_000)
    let refreshes = simulation.screen.count { $0.number != nil }
    #expect(abs(Double(refreshes) - 8 * 60 / rate) <= 2)
    #expect(simulation.count(.presented) + simulation.count(.skipped) == 240 && simulation.count(.dropped) == 0)
  }

  /// Frames of any length, each as long as it should be to a refresh.
  @Test func variableRatesKeepTime() {
    var generator = SeededGenerator()
    var stamp = MediaTime.zero
    let clip = Simulation.Clip(
      frames: (0..<400).map { _ in
        let duration = MediaTime(nanoseconds: Int64.random(in: 5_000_000...120_000_000, using: &generator))
        defer { stamp = stamp + duration }
        return Simulation.Clip.Frame(stamp: stamp, duration: duration)
      })
    for refresh in Self.refreshes {
      var simulation = Simulation(clip, refresh: refresh)
      _ = simulation.player.play()
      simulation.run(refreshes: 100_000)
      let start = simulation.screen.first { $0.isNew }?.tick.target ?? .now
      for shown in simulation.screen where shown.isNew {
        let late = shown.tick.target.milliseconds(since: start) - clip.frames[shown.number ?? 0].stamp.milliseconds
        let period = shown.tick.period.milliseconds
        #expect(late > -period / 16 - 1e-3 && late < period * 15 / 16 + 1e-3, "seed \(generator.seed), \(refresh)")
      }
      #expect(simulation.count(.dropped) == 0 && simulation.repeated == 0, "seed \(generator.seed), \(refresh)")
    }
  }
}
