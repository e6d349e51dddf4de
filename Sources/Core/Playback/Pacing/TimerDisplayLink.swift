import Frames

/// A display link that no display drives: absolute deadlines on the monotonic clock.
public final class TimerDisplayLink: DisplayLink {
  private let loop: LinkLoop<TickSchedule>

  /// - Parameter rate: refreshes per second.
  public init(rate: Ratio, start: MonotonicTime = .now) {
    loop = LinkLoop(TickSchedule(grid: RefreshGrid(start: start, rate: rate)), clock: SystemClock())
  }

  public var now: MonotonicTime { loop.now }

  public var isPaused: Bool {
    get { loop.isPaused }
    set { loop.isPaused = newValue }
  }

  public var preferredRate: Double? {
    get { loop.preferredRate }
    set { loop.preferredRate = newValue }
  }

  /// Its first refresh is at `start`. Before `run`.
  public func begin(at start: MonotonicTime) { loop.inform { $0.begin(at: start) } }

  public func stop() { loop.stop() }

  public func run(_ callback: (DisplayTick) -> Void) { loop.run(callback) }
}
