import Dispatch
import Frames
import Glibc
import Synchronization

/// A display link that no display drives: absolute deadlines on the monotonic clock.
public final class TimerDisplayLink: DisplayLink {
  private let state: Mutex<State>
  private let resumed = DispatchSemaphore(value: 0)

  private struct State {
    var schedule: TickSchedule
    var isPaused = false
    var isStopped = false
    var preferredRate: Double?
  }

  /// - Parameter rate: refreshes per second.
  public init(rate: Ratio, start: MonotonicTime = .now) {
    state = Mutex(State(schedule: TickSchedule(grid: RefreshGrid(start: start, rate: rate))))
  }

  public var now: MonotonicTime { .now }

  public var isPaused: Bool {
    get { state.withLock { $0.isPaused } }
    set {
      state.withLock { state in
        state.isPaused = newValue
        if newValue { state.schedule.rest() }
      }
      resumed.signal()
    }
  }

  public var preferredRate: Double? {
    get { state.withLock { $0.preferredRate } }
    set {
      state.withLock { state in
        state.preferredRate = newValue
        state.schedule.prefer(rate: newValue)
      }
    }
  }

  public func stop() {
    state.withLock { $0.isStopped = true }
    resumed.signal()
  }

  public func run(_ callback: (DisplayTick) -> Void) {
    while let tick = next() {
      sleep(until: tick.timestamp)
      guard state.withLock({ !$0.isStopped && !$0.isPaused }) else { continue }
      callback(tick)
    }
  }

  /// The next tick, maybe still to come; waits while paused; nil once stopped.
  private func next() -> DisplayTick? {
    while true {
      let (isStopped, tick) = state.withLock { state -> (Bool, DisplayTick?) in
        guard !state.isStopped, !state.isPaused else { return (state.isStopped, nil) }
        return (false, state.schedule.next(now: .now))
      }
      if isStopped { return nil }
      if let tick { return tick }
      resumed.wait()
    }
  }

  private func sleep(until time: MonotonicTime) {
    var deadline = timespec(
      tv_sec: Int(time.nanoseconds / 1_000_000_000), tv_nsec: Int(time.nanoseconds % 1_000_000_000))
    // Woken early by a signal: on with it.
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nil) == EINTR {}
  }
}

/// Whether the system lets a thread of ours run before all others.
public enum RealTimeScheduling: Sendable, Hashable {
  case granted
  /// In a few words, for the record.
  case refused(reason: String)

  /// Asks for it for the calling thread: first in, first out, at the lowest of the real-time priorities.
  public static func request() -> RealTimeScheduling {
    var parameters = sched_param()
    parameters.sched_priority = sched_get_priority_min(SCHED_FIFO)
    let status = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
    if status == 0 { return .granted }
    return .refused(
      reason: status == EPERM
        ? "the system does not allow it to this user (ulimit -r)" : String(cString: strerror(status)))
  }

  /// The calling thread runs like any other again, whatever it inherited.
  public static func giveUp() {
    var parameters = sched_param()
    pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters)
  }
}
