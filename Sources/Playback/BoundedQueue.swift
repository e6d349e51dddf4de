import Dispatch
import Synchronization

/// A queue between one producing and one consuming thread that makes the faster one wait.
public final class BoundedQueue<Element: Sendable>: Sendable {
  public let capacity: Int
  private let state = Mutex(State())
  private let free = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)

  private struct State {
    var elements: [Element] = []
    var isCancelled = false
  }

  public init(capacity: Int) {
    self.capacity = capacity
    // Raised from zero, for a semaphore must not end lower than it started.
    for _ in 0..<capacity { free.signal() }
    state.withLock { $0.elements.reserveCapacity(capacity) }
  }

  /// Elements waiting.
  public var count: Int { state.withLock { $0.elements.count } }

  /// Waits for room; false when the consumer has cancelled and the element was not taken.
  public func put(_ element: Element) -> Bool {
    free.wait()
    let isTaken = state.withLock { state in
      guard !state.isCancelled else { return false }
      state.elements.append(element)
      return true
    }
    if isTaken { filled.signal() } else { free.signal() }
    return isTaken
  }

  /// Waits for an element; nil after the producer finished and everything was taken, or after `cancel`.
  public func take() -> Element? {
    filled.wait()
    let element = state.withLock { state -> Element? in
      guard !state.isCancelled, !state.elements.isEmpty else { return nil }
      return state.elements.removeFirst()
    }
    if element != nil { free.signal() } else { filled.signal() }
    return element
  }

  /// The producer has nothing more to put.
  public func finish() {
    filled.signal()
  }

  /// The consumer wants nothing more: what is queued is dropped, and both sides are woken.
  public func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.elements.removeAll()
    }
    free.signal()
    filled.signal()
  }
}
