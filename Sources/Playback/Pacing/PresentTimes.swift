import Dispatch
import Frames
import GPU
import Synchronization

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
  private let waiting = Mutex<[Present]>([])
  private let isEnded = Atomic<Bool>(false)
  private let added = DispatchSemaphore(value: 0)

  /// In seconds: so often it is asked whether it has ended.
  private static let patience = 0.1

  public init() {}

  /// A picture is on its way.
  public func add(_ present: Present) {
    waiting.withLock { $0.append(present) }
    added.signal()
  }

  public func next() -> SeenPresent? {
    while true {
      added.wait()
      guard let present = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
      while !isEnded.load(ordering: .acquiring) {
        switch present.wait(seconds: Self.patience) {
        case .seen(let time): return SeenPresent(number: present.number, time: time)
        case .timedOut: continue
        // The window was resized: the driver will not report when this one was seen.
        case .lost: break
        }
        break
      }
      if isEnded.load(ordering: .acquiring) { return nil }
    }
  }

  public func end() {
    isEnded.store(true, ordering: .releasing)
    added.signal()
  }
}
