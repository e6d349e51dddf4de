import Frames
import Synchronization

/// A window's own pace: calls at the refreshes that follow from when its pictures were seen.
///
/// While it runs, a thread of its own takes in what the display tells. Before the first picture was seen, and for as long as
/// none is, it calls at the rate that the window system says.
public final class SwapchainDisplayLink: DisplayLink {
  private let loop: LinkLoop<PresentTickSchedule>
  private let presents: any PresentTimes
  /// Seen and not yet taken.
  private let seen = Mutex<[SeenPresent]>([])

  /// - Parameters:
  ///   - rate: refreshes per second as the window system says.
  ///   - presents: used by this link alone.
  public convenience init(rate: Ratio, presents: any PresentTimes) {
    self.init(rate: rate, presents: presents, clock: SystemClock())
  }

  package init(rate: Ratio, presents: any PresentTimes, clock: any LinkClock) {
    loop = LinkLoop(PresentTickSchedule(rate: rate, start: clock.now), clock: clock)
    self.presents = presents
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

  /// The window is on a display of another rate.
  public func moved(rate: Ratio) {
    let now = loop.now
    loop.inform { $0.moved(rate: rate, now: now) }
  }

  public func stop() { loop.stop() }

  /// As `DisplayLink.run`, once: when it returns, no thread of its own uses the window or its surface any more, and presents
  /// that were not yet seen are not told.
  public func run(_ callback: (DisplayTick) -> Void) {
    let listener = listen()
    defer {
      presents.end()
      listener?.join()
    }
    loop.run(callback)
  }

  /// Returns the presents seen since the last call, in order. Any thread.
  public func takeSeen() -> [SeenPresent] {
    seen.withLock { seen in
      defer { seen.removeAll(keepingCapacity: true) }
      return seen
    }
  }

  /// Starts to take in what the display tells. The thread runs in real time where `run`'s does: what it is late by, the
  /// picture seems to have been seen late by. Nil where the system gives no thread: then it tells nothing, as where the
  /// display tells nothing.
  private func listen() -> WorkerThread? {
    try? WorkerThread { [self] in
      while let present = presents.next() { take(present) }
    }
  }

  package func take(_ present: SeenPresent) {
    loop.inform { $0.presented(at: present.time) }
    seen.withLock { $0.append(present) }
  }
}
