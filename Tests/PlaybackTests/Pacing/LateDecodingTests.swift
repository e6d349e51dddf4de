import Frames
import Playback
import Support
import Testing

/// Decoders that do not keep up, and ones that stop for a while.
struct LateDecodingTests {
  private func play(
    _ decoder: Simulation.Decoder, rate: Int32 = 30, count: Int = 600, refresh: Ratio = Ratio(60, 1)
  ) -> Simulation {
    var simulation = Simulation(.steady(Ratio(rate, 1), count: count), refresh: refresh, decoder: decoder)
    _ = simulation.player.play()
    simulation.run(refreshes: 100_000)
    return simulation
  }

  /// Every frame is presented, dropped, skipped, or was left out by the decoder: once.
  private func isComplete(_ simulation: Simulation, _ count: Int) -> Bool {
    simulation.count(.presented) + simulation.count(.dropped) + simulation.count(.skipped) + simulation.leftOut == count
  }

  /// A tenth too slow: by the time it is a tenth of a second behind, what nothing refers to is left out, and it is in
  /// time again.
  @Test func aTenthTooSlowSavesFrames() {
    let simulation = play(Simulation.Decoder(cost: MediaTime(seconds: 1.1 / 30)))
    #expect(isComplete(simulation, 600))
    #expect(simulation.leftOut > 20 && simulation.leftOut < 150)
    #expect(simulation.stalls == [] && simulation.late > 0)
    #expect(simulation.log.contains(.effort(.references)) && simulation.log.contains(.effort(.everything)))
    let last = simulation.screen.count { $0.number != nil }
    #expect(abs(last - 1200) < 15, "the clock keeps time: \(last)")
  }

  /// What cannot be decoded in time is left out before it is late: all that is seen stands as long as it should. Half of the frames are enough
  /// for a decoder that takes up to twice the time.
  @Test(arguments: [1.05, 1.1, 1.25, 1.5, 1.8], [Int32(30), 60])
  func aMachineThatWasLateOnceSavesInTime(_ factor: Double, _ rate: Int32) throws {
    let simulation = play(Simulation.Decoder(cost: MediaTime(seconds: factor / Double(rate))), rate: rate, count: 1200)
    #expect(isComplete(simulation, 1200))
    let first = try #require(simulation.firstSaving)
    let late = simulation.log[first...].count { if case .late = $0 { true } else { false } }
    #expect(simulation.stalls == [] && late < 60, "\(late) late, nearly all of them until it has caught up")
    // No more than needed, with what waiting for the queue costs.
    let needed = 1 - 1 / factor
    #expect(Double(simulation.leftOut) / 1200 < needed + 0.12, "\(simulation.leftOut) left out")
    let rough = try #require(simulation.roughness(from: 400))
    #expect(rough < 2, "\(rough) ms after it was late once")
  }

  @Test func fourTimesTooSlowLeaps() {
    let simulation = play(Simulation.Decoder(cost: MediaTime(seconds: 4.0 / 30)))
    #expect(isComplete(simulation, 600))
    #expect(simulation.log.contains { if case .effort(.syncSample) = $0 { true } else { false } })
    #expect(simulation.leftOut > 300)
    #expect(abs(simulation.screen.count { $0.number != nil } - 1200) < 80)
  }

  /// A pause that the frames decoded ahead bridge is not seen; a longer one is a stall of what is left of it, and the
  /// clock stands meanwhile: nothing is dropped for it.
  @Test(arguments: [0.1, 0.2, 0.5, 1, 2, 5])
  func aPauseIsAStallAndNotAThousandDrops(_ seconds: Double) {
    let simulation = play(Simulation.Decoder(pauses: [100: MediaTime(seconds: seconds)]))
    #expect(isComplete(simulation, 600))
    // Eight frames ahead are 0.27 s; another quarter of a second passes before it is called a stall.
    if seconds < 0.25 {
      #expect(simulation.stalls == [] && simulation.repeated == 0 && simulation.count(.dropped) == 0)
    } else if seconds > 0.55 {
      #expect(simulation.stalls.count == 1)
      #expect(abs((simulation.stalls.first?.seconds ?? 0) - (seconds - 8.0 / 30)) < 0.05)
      #expect(simulation.count(.dropped) == 0)
      #expect(simulation.count(.presented) == 600)
      #expect(simulation.repeated == 0)
      #expect(simulation.states.contains(.stalled))
    } else {
      #expect(simulation.stalls == [] && simulation.repeated > 0 && simulation.repeated < 20)
    }
  }

  /// A display link that was kept waiting: what fell into the gap is dropped, for refreshes could have shown it.
  @Test func missedTicksDrop() {
    var simulation = Simulation(.steady(Ratio(60, 1), count: 300), refresh: Ratio(60, 1))
    _ = simulation.player.play()
    simulation.run(refreshes: 1000) { simulation, number in
      if number == 100 { simulation.link.pass(MediaTime(seconds: 10.5 / 60)) }
    }
    #expect(simulation.screen.contains { $0.tick.missed >= 9 })
    #expect(isComplete(simulation, 300))
    #expect((8...11).contains(simulation.count(.dropped)) && simulation.count(.skipped) == 0)
  }

  /// Refreshes that were missed while a frame was due and not there showed the old one too.
  @Test func missedTicksRepeat() {
    func repeated(missing periods: Double) -> (repeated: Int, missed: Int) {
      let decoder = Simulation.Decoder(pauses: [100: MediaTime(seconds: 0.4)])
      var simulation = Simulation(.steady(Ratio(30, 1), count: 300), refresh: Ratio(60, 1), decoder: decoder)
      var hasPassed = false
      _ = simulation.player.play()
      simulation.run(refreshes: 1000) { simulation, number in
        guard !hasPassed, number > 150, simulation.player.queue.isEmpty else { return }
        hasPassed = true
        // The second refresh without a frame.
        if simulation.screen.suffix(3).allSatisfy({ !$0.isNew }) {
          simulation.link.pass(MediaTime(seconds: periods / 60))
        } else {
          hasPassed = false
        }
      }
      return (simulation.repeated, simulation.screen.reduce(0) { $0 + $1.tick.missed })
    }
    let (whole, gap) = (repeated(missing: 0), repeated(missing: 3.5))
    #expect(whole.repeated > 5 && whole.missed == 0 && gap.missed > 1 && gap.repeated == whole.repeated)
  }

  @Test func aFailureEndsInFailed() {
    let simulation = play(Simulation.Decoder(failsAfter: 50))
    guard case .failed(let failure) = simulation.player.state else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.cause == "it is damaged" && simulation.count(.presented) >= 40)
  }
}
