import Dispatch
import Frames
import Playback
import Support
import Synchronization
import Testing

/// A window's pace, from presents that are made up, on a clock that is advanced by hand.
struct SwapchainDisplayLinkTests {
  /// Time passes in a sleep, or by command.
  private final class Clock: LinkClock {
    private let time = Mutex(MonotonicTime(nanoseconds: 5_000_000_000))

    var now: MonotonicTime { time.withLock { $0 } }
    func sleep(until instant: MonotonicTime) { time.withLock { $0 = max($0, instant) } }
    func pass(_ nanoseconds: Double) {
      time.withLock { $0 = MonotonicTime(nanoseconds: $0.nanoseconds + Int64(nanoseconds)) }
    }
  }

  /// Tells what it is given, then waits to be ended.
  private final class Told: PresentTimes {
    private let left: Mutex<[SeenPresent]>
    private let ended = DispatchSemaphore(value: 0)
    /// All that it was given was taken in.
    let isEmpty = DispatchSemaphore(value: 0)
    private let answers = Mutex(true)
    /// Its last answer was given.
    var hasEnded: Bool { !answers.withLock { $0 } }

    init(_ presents: [SeenPresent] = []) { left = Mutex(presents) }

    func next() -> SeenPresent? {
      if let present = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return present }
      isEmpty.signal()
      ended.wait()
      ended.signal()
      answers.withLock { $0 = false }
      return nil
    }

    func end() { ended.signal() }
  }

  /// A display whose refreshes are known exactly.
  private struct Display {
    var period: Double
    var phase = 5_007_654_321.0

    func refresh(after time: Double) -> Double { phase + (((time - phase) / period).rounded(.down) + 1) * period }

    /// How far an instant lies from the nearest refresh, in nanoseconds.
    func distance(_ time: MonotonicTime) -> Double {
      let refreshes = (Double(time.nanoseconds) - phase) / period
      return abs(refreshes - refreshes.rounded()) * period
    }
  }

  /// Draws at every call, and tells the link when the display showed it.
  ///
  /// - Parameters:
  ///   - noise: nanoseconds by which the display's word may be off.
  ///   - tells: whether it speaks of this call's picture.
  ///   - cost: nanoseconds that each call takes.
  private func run(
    _ link: SwapchainDisplayLink, _ clock: Clock, on display: Display, calls: Int, noise: Double = 0,
    tells: (Int) -> Bool = { _ in true }, cost: (Int) -> Double = { _ in 1_000_000 },
    _ generator: inout SeededGenerator
  ) -> [DisplayTick] {
    var ticks: [DisplayTick] = []
    var last = 0.0
    link.run { tick in
      ticks.append(tick)
      clock.pass(cost(ticks.count))
      let seen = max(display.refresh(after: Double(clock.now.nanoseconds)), last + display.period)
      last = seen
      if tells(ticks.count) {
        let told = seen + Double.random(in: -noise...noise, using: &generator)
        link.take(SeenPresent(number: UInt64(ticks.count), time: MonotonicTime(nanoseconds: Int64(told))))
      }
      if ticks.count == calls { link.stop() }
    }
    return ticks
  }

  private func link(_ rate: Ratio, _ clock: Clock) -> SwapchainDisplayLink {
    SwapchainDisplayLink(rate: rate, presents: Told(), clock: clock)
  }

  /// Half of the presents are never told, the others come with a fifth of a millisecond of noise, and the window system
  /// rounds 59.94 Hz up: after two seconds every call is at a refresh, and none is left out.
  @Test(arguments: [60000.0 / 1001, 60 * 0.9995, 143.98, 50])
  func callsAtTheDisplaysRefreshes(_ rate: Double) {
    var generator = SeededGenerator(for: "callsAtTheDisplaysRefreshes")
    let clock = Clock()
    let display = Display(period: 1e9 / rate)
    let link = link(Ratio(Int32(rate.rounded()), 1), clock)
    let ticks = run(
      link, clock, on: display, calls: 2000, noise: 200_000, tells: { $0 % 2 == 0 }, &generator)
    let settled = ticks.dropFirst(400)
    #expect(settled.allSatisfy { display.distance($0.timestamp) < 400_000 && display.distance($0.target) < 400_000 })
    #expect(settled.allSatisfy { $0.missed == 0 })
    for (tick, next) in zip(settled, settled.dropFirst()) {
      let step = Double(next.timestamp.nanoseconds - tick.timestamp.nanoseconds)
      #expect(abs(step - display.period) < 500_000)
      #expect(abs(tick.target.nanoseconds - next.timestamp.nanoseconds) < 500_000)
    }
  }

  /// As many calls as the display has refreshes, however far its clock is off: no drift.
  @Test func keepsCountOverMinutes() {
    var generator = SeededGenerator(for: "keepsCountOverMinutes")
    let clock = Clock()
    let display = Display(period: 1e9 / 59.94)
    let ticks = run(link(Ratio(60, 1), clock), clock, on: display, calls: 20_000, noise: 300_000, &generator)
    let settled = ticks.dropFirst(500)
    guard let first = settled.first, let last = settled.last else { return }
    let time = Double(last.timestamp.nanoseconds - first.timestamp.nanoseconds)
    #expect(Int((time / display.period).rounded()) == settled.count - 1)
  }

  @Test func aCallThatTakesLongMissesOthers() {
    var generator = SeededGenerator(for: "aCallThatTakesLongMissesOthers")
    let clock = Clock()
    let display = Display(period: 1e9 / 60)
    let ticks = run(
      link(Ratio(60, 1), clock), clock, on: display, calls: 600, cost: { $0 == 500 ? 52_000_000 : 1_000_000 },
      &generator)
    #expect(ticks[500].missed == 2, "\(ticks[500])")
    #expect(ticks.enumerated().allSatisfy { $0.offset == 500 || $0.offset < 60 || $0.element.missed == 0 })
    #expect(display.distance(ticks[500].timestamp) < 100_000)
  }

  /// The window is dragged to another display.
  @Test func aMovedWindowHasAnotherRate() {
    var generator = SeededGenerator(for: "aMovedWindowHasAnotherRate")
    let clock = Clock()
    let (first, second) = (Display(period: 1e9 / 60), Display(period: 1e9 / 144, phase: 5_001_000_000))
    let link = link(Ratio(60, 1), clock)
    var ticks: [DisplayTick] = []
    link.run { tick in
      ticks.append(tick)
      clock.pass(500_000)
      let display = ticks.count <= 300 ? first : second
      let seen = display.refresh(after: Double(clock.now.nanoseconds))
      link.take(SeenPresent(number: UInt64(ticks.count), time: MonotonicTime(nanoseconds: Int64(seen))))
      if ticks.count == 300 { link.moved(rate: Ratio(144, 1)) }
      if ticks.count == 900 { link.stop() }
    }
    #expect(ticks[100..<300].allSatisfy { first.distance($0.timestamp) < 100_000 })
    #expect(ticks[400...].allSatisfy { second.distance($0.timestamp) < 100_000 && $0.missed == 0 })
    #expect(abs(ticks[899].period.nanoseconds - 6_944_444) < 2_000)
    _ = generator.next()
  }

  @Test func callsLessOftenWhenAsked() {
    var generator = SeededGenerator(for: "callsLessOftenWhenAsked")
    let clock = Clock()
    let display = Display(period: 1e9 / 60)
    let link = link(Ratio(60, 1), clock)
    link.preferredRate = 30
    let ticks = run(link, clock, on: display, calls: 400, &generator)
    #expect(abs(ticks[399].period.nanoseconds - 33_333_333) < 5_000)
    #expect(ticks[200...].allSatisfy { display.distance($0.timestamp) < 100_000 && $0.missed == 0 })
  }

  /// What passes while it is paused was not missed, and the phase stays the display's.
  @Test func restsWhilePaused() {
    var generator = SeededGenerator(for: "restsWhilePaused")
    let clock = Clock()
    let display = Display(period: 1e9 / 60)
    let link = link(Ratio(60, 1), clock)
    let ticks = run(
      link, clock, on: display, calls: 600,
      cost: { number in
        guard number == 400 else { return 1_000_000 }
        link.isPaused = true
        clock.pass(1_234_567_890)
        link.isPaused = false
        return 0
      }, &generator)
    #expect(ticks[100...].allSatisfy { $0.missed == 0 && display.distance($0.timestamp) < 100_000 })
    #expect(ticks[400].timestamp.milliseconds(since: ticks[399].timestamp) > 1234)
  }

  /// Before anything was seen it calls at the rate that the window system says.
  @Test func silenceIsPacedByTheRate() {
    var generator = SeededGenerator(for: "silenceIsPacedByTheRate")
    let clock = Clock()
    let ticks = run(
      link(Ratio(60, 1), clock), clock, on: Display(period: 1e9 / 60), calls: 100, tells: { _ in false }, &generator)
    #expect(ticks.allSatisfy { $0.missed == 0 })
    #expect(abs(ticks[99].timestamp.milliseconds(since: ticks[0].timestamp) - 1650) < 0.001)
  }

  /// Presents received on the display's thread reach the caller once and in order.
  @Test func toldPresentsAreHandedOnOnce() {
    let told = (1...5).map { SeenPresent(number: UInt64($0), time: MonotonicTime(nanoseconds: Int64($0) * 16_666_667)) }
    let presents = Told(told)
    let clock = Clock()
    let link = SwapchainDisplayLink(rate: Ratio(60, 1), presents: presents, clock: clock)
    link.run { _ in
      presents.isEmpty.wait()
      link.stop()
    }
    #expect(link.takeSeen() == told)
    #expect(link.takeSeen().isEmpty)
  }

  /// The window and its surface may go once `run` has returned.
  @Test func noThreadListensOnceItHasRun() {
    let presents = Told()
    let link = SwapchainDisplayLink(rate: Ratio(60, 1), presents: presents, clock: Clock())
    link.run { _ in link.stop() }
    #expect(presents.hasEnded)
  }
}

/// Times told by the display replace the assumed ones.
struct ToldPlayLogTests {
  private let period = MediaTime(nanoseconds: 10_000_000)

  private func tick(_ number: Int64) -> DisplayTick {
    DisplayTick(
      timestamp: MonotonicTime(nanoseconds: number * 10_000_000),
      target: MonotonicTime(nanoseconds: (number + 1) * 10_000_000), period: period)
  }

  /// Frames 0, 1, … each ready just after its call, seen by the display when it says.
  private func log(told: [(number: UInt64, seen: Int64)], views: Int, tells: Bool = true) -> PlayLog {
    var recorder = PlayRecorder()
    for number in 0..<views {
      let frame = PacedFrame(index: number, time: MediaTime(nanoseconds: Int64(number) * 10_000_000), duration: period)
      recorder.note(.fate(frame, .presented))
      recorder.decided(tick(Int64(number)), position: frame.time, rate: 1)
      recorder.add(
        frame, moment: frame.time, ready: MonotonicTime(nanoseconds: Int64(number) * 10_000_000 + 1),
        in: tick(Int64(number)),
        isNew: true, present: tells ? UInt64(number + 1) : nil)
    }
    for (number, seen) in told { recorder.seen(SeenPresent(number: number, time: MonotonicTime(nanoseconds: seen))) }
    return recorder.log
  }

  @Test func lateOnesAreCounted() {
    let log = log(told: [(1, 10_100_000), (2, 30_100_000), (3, 40_200_000)], views: 3)
    #expect(log.views.map(\.seen.nanoseconds) == [10_100_000, 30_100_000, 40_200_000])
    #expect(log.presented == 3 && log.late == 2 && log.dropped == 0)
  }

  /// A view without a told time keeps its assumed one.
  @Test func lostOnesStay() {
    let log = log(told: [(1, 10_100_000), (3, 30_200_000)], views: 3)
    #expect(log.views.map(\.seen.nanoseconds) == [10_100_000, 20_000_000, 30_200_000])
    #expect(log.late == 0)
  }

  /// The display reports some views only, late or early: no interval is negative.
  @Test func theOrderStays() {
    let late = log(told: [(1, 25_000_000)], views: 3)
    #expect(late.views.map(\.seen.nanoseconds) == [25_000_000, 25_000_000, 30_000_000])
    let early = log(told: [(3, 15_000_000)], views: 3)
    #expect(early.views.map(\.seen.nanoseconds) == [10_000_000, 15_000_000, 15_000_000])
    let corrected = log(told: [(1, 25_000_000), (2, 35_000_000), (3, 45_000_000)], views: 3)
    #expect(corrected.views.map(\.seen.nanoseconds) == [25_000_000, 35_000_000, 45_000_000])
  }
}
