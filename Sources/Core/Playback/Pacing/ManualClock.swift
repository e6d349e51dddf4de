import Frames
import Synchronization

/// A clock that stands where a test sets it. Any thread.
public final class ManualClock: MediaClock {
  private let state = Mutex(State())

  private struct State {
    var position = MediaTime.zero
    var rate = 1.0
    var isRunning = false
  }

  public init() {}

  /// Where it stands; starting it sets it too.
  public var position: MediaTime {
    get { state.withLock { $0.position } }
    set { state.withLock { $0.position = newValue } }
  }

  /// Whether it was started, and not stopped since.
  public var isRunning: Bool { state.withLock { $0.isRunning } }

  public var rate: Double { state.withLock { $0.rate } }

  public func start(at position: MediaTime, instant: MonotonicTime, rate: Double) {
    state.withLock { $0 = State(position: position, rate: rate, isRunning: true) }
  }

  public func setRate(_ rate: Double, at instant: MonotonicTime) { state.withLock { $0.rate = rate } }

  public func stop() { state.withLock { $0.isRunning = false } }

  public func position(at instant: MonotonicTime) -> MediaTime { position }
}
