import Frames
import Playback
import Testing

/// What the rows of the clock say, and that a player shows what its clock names.
struct MediaClockTests {
  private static func instant(_ seconds: Double, and nanoseconds: Int64 = 0) -> MonotonicTime {
    MonotonicTime(nanoseconds: 5_000_000_000 + MediaTime(seconds: seconds).nanoseconds + nanoseconds)
  }

  @Test func theDisplaysClockIsALine() {
    var clock = DisplayClock()
    clock.start(at: MediaTime(seconds: 10), instant: Self.instant(0), rate: 1)
    #expect(clock.position(at: Self.instant(21_600, and: 1)).nanoseconds == 21_610_000_000_001)
    #expect(clock.position(at: Self.instant(-1)) == MediaTime(seconds: 9))
    clock.setRate(0.5, at: Self.instant(2))
    #expect(clock.position(at: Self.instant(2)) == MediaTime(seconds: 12), "it does not jump")
    #expect(clock.position(at: Self.instant(4)) == MediaTime(seconds: 13))
    #expect(clock.distance(in: MediaTime(seconds: 1)) == MediaTime(seconds: 0.5))
  }

  private func simulation(_ clock: ManualClock) -> Simulation {
    var simulation = Simulation(.steady(Ratio(30, 1), count: 120), refresh: Ratio(60, 1), clock: clock)
    _ = simulation.player.play()
    return simulation
  }

  /// One that runs half as fast again as the display's, as sound of another machine may: frames follow it.
  @Test func framesFollowTheClock() {
    let clock = ManualClock()
    var simulation = simulation(clock)
    simulation.run(refreshes: 150) { _, refresh in clock.position = MediaTime(nanoseconds: Int64(refresh) * 25_000_000)
    }
    let shown = simulation.screen.map(\.number)
    // A sixteenth of a refresh early, as the pacer has it.
    for refresh in 2..<150 { #expect(shown[refresh] == Int((Double(refresh) * 25 + 1) * 30 / 1000)) }
    #expect(simulation.stalls == [] && simulation.repeated == 0)
  }

  /// Nothing is due while it stands: no refresh is repeated, no frame is lost.
  @Test func aClockThatStandsHoldsThePicture() {
    let clock = ManualClock()
    var simulation = simulation(clock)
    simulation.run(refreshes: 300) { _, refresh in
      let moved = refresh < 60 ? refresh : max(60, refresh - 100)
      clock.position = MediaTime(ticks: Int64(moved), timeBase: Ratio(1, 60))
    }
    #expect(Set(simulation.screen[61..<160].map(\.number)) == [30])
    #expect(simulation.count(.presented) >= 99 && simulation.count(.dropped) + simulation.count(.skipped) == 0)
    #expect(simulation.repeated == 0 && simulation.stalls == [])
  }

  @Test func itRunsOnlyWhilePlayingDoes() {
    let clock = ManualClock()
    var simulation = simulation(clock)
    var refresh = 0
    func play(_ count: Int) {
      simulation.run(refreshes: count) { _, _ in
        clock.position = MediaTime(ticks: Int64(refresh), timeBase: Ratio(1, 60))
        refresh += 1
      }
    }
    play(30)
    #expect(clock.isRunning)
    simulation.player.pause()
    #expect(!clock.isRunning)
    let place = simulation.player.position
    clock.position = .zero
    _ = simulation.player.play()
    #expect(!clock.isRunning, "playing begins with a refresh")
    simulation.run(refreshes: 1)
    #expect(clock.isRunning && clock.position == place)
    simulation.player.seek(to: .zero)
    #expect(!clock.isRunning)
  }
}
