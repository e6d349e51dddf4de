import Frames
import Playback
import Support
import Testing

/// The state machine: commands, events, and what is shown meanwhile.
struct PlayMachineTests {
  private func simulation(_ count: Int = 120, loops: Bool = false) -> Simulation {
    var clip = Simulation.Clip.steady(Ratio(30, 1), count: count)
    clip.loops = loops
    return Simulation(clip, refresh: Ratio(60, 1))
  }

  @Test func opensShowsItsFirstFrameAndWaits() {
    var simulation = simulation()
    simulation.run(refreshes: 10)
    #expect(simulation.states == [.ready])
    #expect(simulation.screen.compactMap(\.number).allSatisfy { $0 == 0 } && simulation.count(.presented) == 1)
  }

  @Test func pausesForHoursAndGoesOnWhereItWas() {
    var simulation = simulation()
    _ = simulation.player.play()
    simulation.run(refreshes: 60)
    let last = simulation.screen.last?.number
    simulation.player.pause()
    simulation.link.pass(MediaTime(seconds: 6 * 3600))
    simulation.run(refreshes: 5)
    #expect(simulation.player.state == .paused && simulation.screen.last?.number == last)
    _ = simulation.player.play()
    simulation.run(refreshes: 1000)
    #expect(simulation.count(.presented) == 120 && simulation.count(.dropped) == 0 && simulation.stalls == [])
  }

  @Test func loopsWithoutAGap() {
    var simulation = simulation(45, loops: true)
    _ = simulation.player.play()
    simulation.run(refreshes: 1 + 2 * 45 * 4)
    let shown = simulation.screen.filter(\.isNew).compactMap(\.number)
    #expect(shown == (0..<shown.count).map { $0 % 45 } && shown.count >= 179)
    #expect(simulation.count(.dropped) == 0 && simulation.repeated == 0)
  }

  @Test func playAtTheEndStartsOver() {
    var simulation = simulation(30)
    _ = simulation.player.play()
    simulation.run(refreshes: 1000)
    #expect(simulation.player.state == .ended && simulation.screen.last?.number == 29)
    let startsOver = simulation.player.play()
    #expect(startsOver && simulation.player.state == .seeking)
    simulation.seek(to: 0)
    simulation.run(refreshes: 1000)
    #expect(simulation.count(.presented) == 60 && simulation.player.state == .ended)
  }

  @Test func aSeekForgetsWhatWasDecoded() {
    var simulation = simulation()
    _ = simulation.player.play()
    simulation.run(refreshes: 20)
    simulation.player.seek(to: MediaTime(seconds: 3))
    simulation.seek(to: 90)
    simulation.run(refreshes: 1000)
    #expect(simulation.screen.last?.number == 119)
    #expect(!simulation.screen.contains { (40..<90).contains($0.number ?? 0) })
    #expect(simulation.count(.presented) + simulation.count(.skipped) == 10 + 30)
  }

  @Test func observersAreToldTheTime() {
    var simulation = simulation()
    simulation.player.timeInterval = MediaTime(seconds: 0.5)
    _ = simulation.player.play()
    simulation.run(refreshes: 1000)
    let times = simulation.log.compactMap { if case .time(let time) = $0 { time.seconds } else { nil } }
    #expect(times == [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4])
  }

  @Test func ratesAreClampedAndTold() {
    var simulation = simulation()
    for (wanted, rate) in [(0.1, 0.25), (9, 4), (.nan, 1), (2, 2.0)] {
      simulation.player.setRate(wanted, at: simulation.link.now)
      #expect(simulation.player.rate == rate)
    }
  }

  @Test func theRefreshMayChangeOnTheWay() {
    var simulation = simulation(240)
    _ = simulation.player.play()
    simulation.run(refreshes: 10_000) { simulation, number in
      if number == 60 { simulation.link.preferredRate = 30 }
      if number == 120 { simulation.link.preferredRate = nil }
    }
    #expect(simulation.count(.presented) + simulation.count(.skipped) == 240)
    #expect(simulation.count(.dropped) == 0 && simulation.repeated == 0 && simulation.late == 0)
  }

  /// An hour at 60 Hz is 216,000 refreshes; counts are exact.
  @Test func anHourIsExact() {
    var simulation = simulation(30 * 60, loops: true)
    _ = simulation.player.play()
    simulation.run(refreshes: 216_001)
    #expect(simulation.count(.presented) == 108_001)
    #expect(simulation.count(.dropped) == 0)
    #expect(simulation.count(.skipped) == 0 && simulation.repeated == 0 && simulation.late == 0)
  }

  /// Decoders of random speed and moods, random commands: every frame has one fate, and none comes before its elder.
  @Test func everyFrameHasOneFate() {
    var generator = SeededGenerator()
    for round in 0..<200 {
      let rate = CadenceTests.rates.randomElement(using: &generator) ?? Ratio(30, 1)
      let refresh = CadenceTests.refreshes.randomElement(using: &generator) ?? Ratio(60, 1)
      let cost = MediaTime(seconds: Double.random(in: 0.001...0.08, using: &generator))
      var pauses: [Int: MediaTime] = [:]
      for _ in 0..<3 {
        pauses[.random(in: 0..<300, using: &generator)] = MediaTime(seconds: .random(in: 0...2, using: &generator))
      }
      var simulation = Simulation(
        .steady(rate, count: 300), refresh: refresh,
        decoder: Simulation.Decoder(cost: cost, pauses: pauses, lookAhead: .random(in: 1...12, using: &generator)))
      _ = simulation.player.play()
      simulation.run(refreshes: 20_000) { simulation, _ in
        switch Int.random(in: 0..<300, using: &generator) {
        case 0: simulation.player.pause()
        case 1: simulation.player.setRate(.random(in: 0.25...4, using: &generator), at: simulation.link.now)
        case 2: simulation.link.pass(MediaTime(seconds: .random(in: 0...0.5, using: &generator)))
        default: if [.paused, .ready].contains(simulation.player.state) { _ = simulation.player.play() }
        }
      }
      let fated = simulation.log.compactMap { event -> Int? in
        if case .fate(let frame, _) = event { frame.index } else { nil }
      }
      #expect(fated == Array(0..<fated.count), "seed \(generator.seed), round \(round)")
      #expect(fated.count + simulation.leftOut == 300, "seed \(generator.seed), round \(round)")
      let shown = simulation.screen.filter(\.isNew).compactMap(\.number)
      #expect(shown == shown.sorted() && simulation.player.state == .ended, "seed \(generator.seed), round \(round)")
    }
  }
}
