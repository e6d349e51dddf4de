import Frames
import Playback
import Support
import Testing

/// Refreshes stay where they belong, and timelines go ahead.
struct RefreshGridTests {
  @Test(arguments: [Ratio(60, 1), Ratio(60000, 1001), Ratio(144, 1), Ratio(24000, 1001)])
  func hoursDoNotDrift(_ rate: Ratio) {
    let grid = RefreshGrid(start: MonotonicTime(nanoseconds: 123), rate: rate)
    let day = Int64(rate.numerator) * 86_400
    #expect(grid.instant(day).nanoseconds == 123 + Int64(rate.denominator) * 86_400 * 1_000_000_000)
    var generator = SeededGenerator()
    for _ in 0..<1000 {
      let number = Int64.random(in: 0...day, using: &generator)
      #expect(grid.number(at: grid.instant(number)) == number, "seed \(generator.seed)")
      #expect(
        grid.number(at: MonotonicTime(nanoseconds: grid.instant(number).nanoseconds - 1)) == number - 1,
        "seed \(generator.seed)")
    }
  }

  @Test func missedCallsAreCountedAndThePhaseKept() {
    let link = ManualDisplayLink(rate: Ratio(100, 1))
    var ticks = [link.advance(), link.advance()]
    link.pass(MediaTime(seconds: 0.0349))
    ticks += [link.advance(), link.advance()]
    #expect(ticks.map { $0?.timestamp.nanoseconds } == [10, 20, 50, 60].map { $0 * 1_000_000 })
    #expect(ticks.map { $0?.missed } == [0, 0, 2, 0])
    link.isPaused = true
    #expect(link.advance() == nil)
    link.pass(MediaTime(seconds: 1.003))
    link.isPaused = false
    let resumed = link.advance()
    #expect(resumed?.missed == 0 && (resumed?.timestamp.nanoseconds ?? 1) % 10_000_000 == 0)
  }

  @Test func preferredRatesDivideTheRefresh() {
    let link = ManualDisplayLink(rate: Ratio(120, 1))
    link.preferredRate = 30
    let (first, second) = (link.advance(), link.advance())
    #expect(second?.timestamp == first?.target && first?.period == MediaTime(nanoseconds: 33_333_332))
  }

  @Test func timelinesOnlyGoAhead() {
    var timeline = Timeline()
    func place(_ seconds: Double, isRestart: Bool = false) -> Double {
      timeline.place(
        of: MediaTime(seconds: seconds), duration: MediaTime(seconds: 0.04), isRestart ? .restart : .onward
      ).seconds
    }
    #expect(place(-0.2) == 0 && place(-0.16) == 0.04)
    // Repeated stamps stay together; one that goes back follows on; so does one behind a long gap.
    #expect(place(-0.16) == 0.04 && place(-3) == 0.08 && place(-2.96) == 0.12)
    #expect(place(500) == 0.16 && timeline.discontinuities == 2)
    #expect(place(0, isRestart: true) == 0.2 && timeline.discontinuities == 2)
    #expect(place(9) == 9.2)
    // Left-out refreshes keep their time.
    let leap = timeline.place(of: MediaTime(seconds: 29), duration: MediaTime(seconds: 0.04), .leap)
    #expect(leap.seconds == 29.2 && timeline.discontinuities == 2)
  }

  /// Of a damaged clip: a second of it took ninety thousand turns.
  @Test func aTurnOfALoopTakesTime() {
    var timeline = Timeline()
    let tick = MediaTime(ticks: 1, timeBase: Ratio(1, 90_000))
    let places = (0..<3).map { timeline.place(of: .zero, duration: tick, $0 == 0 ? .onward : .restart).seconds }
    #expect(places == [0, 0.04, 0.08])
    // Entered in the middle, the rest of a turn may be shorter.
    _ = timeline.place(of: MediaTime(seconds: 5), duration: tick, .jump)
    #expect(timeline.place(of: .zero, duration: tick, .restart).seconds < 5.001)
  }

  @Test func aTimerKeepsItsPhase() {
    let link = TimerDisplayLink(rate: Ratio(200, 1))
    var ticks: [DisplayTick] = []
    link.run { tick in
      ticks.append(tick)
      if ticks.count == 20 { link.stop() }
    }
    #expect(ticks.count == 20)
    for (before, after) in zip(ticks, ticks.dropFirst()) {
      let passed = after.timestamp.nanoseconds - before.timestamp.nanoseconds
      #expect(
        passed == 5_000_000 * Int64(1 + after.missed)
          && before.target.nanoseconds - before.timestamp.nanoseconds == 5_000_000)
    }
  }
}
