import Frames
import Synchronization

/// A display link that a test advances by hand: time passes only then.
public final class ManualDisplayLink: DisplayLink {
  private let state: Mutex<State>

  private struct State {
    var schedule: TickSchedule
    var now: MonotonicTime
    var isPaused = false
    var isStopped = false
    var preferredRate: Double?
  }

  public init(rate: Ratio, start: MonotonicTime = MonotonicTime(nanoseconds: 0)) {
    state = Mutex(
      State(schedule: TickSchedule(grid: RefreshGrid(start: start, rate: rate)), now: start))
  }

  public var now: MonotonicTime { state.withLock { $0.now } }

  public var isPaused: Bool {
    get { state.withLock { $0.isPaused } }
    set {
      state.withLock { state in
        state.isPaused = newValue
        if newValue { state.schedule.rest() }
      }
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

  public func stop() { state.withLock { $0.isStopped = true } }

  /// Time goes on at once to the next tick; nil when stopped or paused.
  public func advance() -> DisplayTick? {
    state.withLock { state in
      guard !state.isStopped, !state.isPaused else { return nil }
      let tick = state.schedule.next(now: state.now)
      state.now = max(state.now, tick.timestamp)
      return tick
    }
  }

  /// Lets time pass, as a call does that takes long.
  public func pass(_ time: MediaTime) {
    state.withLock { $0.now = MonotonicTime(nanoseconds: $0.now.nanoseconds + time.nanoseconds) }
  }

  public func run(_ callback: (DisplayTick) -> Void) {
    while let tick = advance() { callback(tick) }
  }
}
