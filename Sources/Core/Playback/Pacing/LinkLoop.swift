import Frames
import Glibc

/// What a display link waits on; tests have one that they advance by hand.
package protocol LinkClock: Sendable {
  var now: MonotonicTime { get }
  /// Blocks until this instant; returns at once where it has passed.
  func sleep(until time: MonotonicTime)
}

/// CLOCK_MONOTONIC.
package struct SystemClock: LinkClock {
  package init() {}

  package var now: MonotonicTime { .now }

  package func sleep(until time: MonotonicTime) {
    var deadline = timespec(
      tv_sec: Int(time.nanoseconds / 1_000_000_000), tv_nsec: Int(time.nanoseconds % 1_000_000_000))
    // A signal woke it early: wait again.
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nil) == EINTR {}
  }
}

/// Decides when a display link calls next.
package protocol LinkSchedule: Sendable {
  /// The next call, and how many were missed since the last one. One that is late but before the one after it is made at
  /// once.
  mutating func next(now: MonotonicTime) -> DisplayTick
  /// Changes how often it calls; the phase stays that of the refreshes. Nil: at every refresh.
  mutating func prefer(rate: Double?)
  /// Forgets when it was to be called: what passes until the next call was not missed.
  mutating func rest()
}

extension TickSchedule: LinkSchedule {}

/// What display links have in common: they call at a schedule's instants, rest while paused, and end when stopped.
///
/// `run` belongs to one thread; everything else may be used from any.
final class LinkLoop<Schedule: LinkSchedule>: Sendable {
  private let state: Monitor<State>
  private let clock: any LinkClock

  private struct State {
    var schedule: Schedule
    var isPaused = false
    var isStopped = false
    var preferredRate: Double?
  }

  init(_ schedule: Schedule, clock: any LinkClock) {
    state = Monitor(State(schedule: schedule))
    self.clock = clock
  }

  var now: MonotonicTime { clock.now }

  var isPaused: Bool {
    get { state.read { $0.isPaused } }
    set {
      state.withLock { state in
        state.isPaused = newValue
        if newValue { state.schedule.rest() }
      }
    }
  }

  var preferredRate: Double? {
    get { state.read { $0.preferredRate } }
    set {
      state.withLock { state in
        state.preferredRate = newValue
        state.schedule.prefer(rate: newValue)
      }
    }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
  }

  /// Updates the schedule.
  func inform(_ change: (inout Schedule) -> Void) {
    state.withLock { change(&$0.schedule) }
  }

  func run(_ callback: (DisplayTick) -> Void) {
    while let tick = next() {
      clock.sleep(until: tick.timestamp)
      guard state.read({ !$0.isStopped && !$0.isPaused }) else { continue }
      callback(tick)
    }
  }

  /// The next tick, maybe still to come; waits while paused; nil once stopped.
  private func next() -> DisplayTick? {
    state.wait { state -> DisplayTick?? in
      if state.isStopped { return .some(nil) }
      return state.isPaused ? nil : state.schedule.next(now: clock.now)
    } ?? nil
  }
}
