import Frames
import Playback
import Support
import Testing

/// A display's own pace, found from what it tells.
struct PresentPacedTests {
  private let start = MonotonicTime(nanoseconds: 5_000_000_000)

  /// Presents of a display whose refreshes take `period`, told with an error of up to `noise`; one in `every` refreshes.
  private func schedule(
    _ period: Double, said rate: Ratio, noise: Double, every: Int = 1, count: Int = 2000,
    _ generator: inout SeededGenerator
  ) -> (schedule: PresentPacedSchedule, last: MonotonicTime) {
    var schedule = PresentPacedSchedule(rate: rate, start: start)
    var last = start
    for number in 1...count {
      let exact = Double(start.nanoseconds) + Double(number * every) * period + 7_654_321
      last = MonotonicTime(nanoseconds: Int64(exact))
      schedule.presented(
        at: MonotonicTime(nanoseconds: Int64(exact + Double.random(in: -noise...noise, using: &generator))))
    }
    return (schedule, last)
  }

  /// A clock that runs 500 parts in a million off what the window system says, and times told to a fifth of a millisecond.
  @Test(arguments: [1, 2, 5])
  func findsPeriodAndPhase(_ every: Int) {
    var generator = SeededGenerator()
    let period = 1e9 / 60 * 1.0005
    let (schedule, last) = schedule(period, said: Ratio(60, 1), noise: 200_000, every: every, &generator)
    #expect(abs(schedule.period - period) < 3000, "seed \(generator.seed), \(schedule.period)")
    let next = schedule.next(after: MonotonicTime(nanoseconds: last.nanoseconds + 4_000_000))
    #expect(abs(Double(next.nanoseconds - last.nanoseconds) - period) < 400_000, "seed \(generator.seed)")
  }

  @Test func strayPresentsDoNotMoveIt() {
    var generator = SeededGenerator()
    var (schedule, last) = schedule(1e9 / 60, said: Ratio(60, 1), noise: 0, &generator)
    let before = schedule.next(after: last)
    schedule.presented(at: MonotonicTime(nanoseconds: last.nanoseconds + 8_000_000))
    #expect(schedule.next(after: last) == before)
  }

  /// The window moved to another display, whose refreshes lie elsewhere.
  @Test func aNewPhaseIsTaken() {
    var generator = SeededGenerator()
    var (schedule, last) = schedule(1e9 / 60, said: Ratio(60, 1), noise: 0, &generator)
    for number in 1...3 {
      last = MonotonicTime(nanoseconds: last.nanoseconds + 16_666_667)
      schedule.presented(at: MonotonicTime(nanoseconds: last.nanoseconds + 8_000_000 + Int64(number)))
    }
    let next = schedule.next(after: last)
    #expect(abs(next.nanoseconds - last.nanoseconds - 8_000_000) < 10_000)
  }
}
