import Frames
import GPU

/// Tells when pictures were seen on a display, each once, in order.
public protocol PresentTimes: AnyObject, Sendable {
  /// Waits for the next picture to be seen; nil once there will be none. One thread's.
  func next() -> SeenPresent?
  /// Makes `next` give nil, soon.
  func end()
}

/// A picture, by its number, and when it was first seen.
public struct SeenPresent: Sendable, Hashable {
  public var number: UInt64
  public var time: MonotonicTime

  public init(number: UInt64, time: MonotonicTime) {
    self.number = number
    self.time = time
  }
}

/// The presents of a swapchain whose driver lets us wait for them. Any thread may add; one waits.
public final class SwapchainPresents: PresentTimes {
  private struct State {
    /// Not yet seen, in order.
    var waiting: [Present] = []
    var isEnded = false
  }
  private let state = Monitor(State())

  /// In seconds: a wait for the driver ends so often, to look whether it is still wanted.
  private static let patience = 0.1

  public init() {}

  /// A picture is on its way.
  public func add(_ present: Present) {
    state.withLock { $0.waiting.append(present) }
  }

  public func next() -> SeenPresent? {
    while true {
      let next = state.wait { state -> Present?? in
        if state.isEnded { return .some(nil) }
        guard !state.waiting.isEmpty else { return nil }
        return state.waiting.removeFirst()
      }
      guard let present = next ?? nil else { return nil }
      while !isEnded {
        switch present.wait(seconds: Self.patience) {
        case .seen(let time): return SeenPresent(number: present.number, time: time)
        case .timedOut: continue
        // The window was resized: the driver will not report when this one was seen.
        case .lost: break
        }
        break
      }
    }
  }

  private var isEnded: Bool { state.read { $0.isEnded } }

  public func end() { state.withLock { $0.isEnded = true } }
}
