import Frames
import Glibc

/// Lets the threads of several loaders run one at a time, in an order that depends on the virtual clock alone: the clock moves when all of
/// them wait. A thread takes part from its first call on.
final class Conductor: Sendable {
  /// Where a thread stands.
  private struct Waiter: Sendable {
    /// The wait is over then.
    var end: Double
    /// It is over.
    var isOver: @Sendable () -> Bool
  }

  private struct State: Sendable {
    /// In the order of their first calls.
    var threads: [UInt] = []
    var waiting: [UInt: Waiter] = [:]
    var running: UInt?
  }

  private let state = Monitor(State())
  private let count: @Sendable () -> Int
  private let time: @Sendable () -> Double
  private let advance: @Sendable (_ end: Double) -> Void

  /// - Parameters:
  ///   - count: of the threads that take part by now; the clock stands until all have come.
  ///   - time: of the clock.
  ///   - advance: moves it.
  init(
    count: @escaping @Sendable () -> Int, time: @escaping @Sendable () -> Double,
    advance: @escaping @Sendable (_ end: Double) -> Void
  ) {
    (self.count, self.time, self.advance) = (count, time, advance)
  }

  /// Waits until so many threads have come.
  func waitForThreads(_ count: Int) { state.wait { $0.threads.count >= count ? () : nil } }

  /// The calling thread takes part; waits until no other one runs.
  func enter(unless interruption: Interruption) {
    let thread = UInt(pthread_self())
    guard state.read({ !$0.threads.contains(thread) }) else { return }
    state.withLock { $0.threads.append(thread) }
    _ = wait(until: .infinity, unless: interruption) { true }
  }

  /// Waits for a time of the clock, or until the wait is over; false once the interruption asks to stop.
  @discardableResult
  func wait(until end: Double, unless interruption: Interruption, _ isOver: @escaping @Sendable () -> Bool) -> Bool {
    let thread = UInt(pthread_self())
    state.withLock { state in
      if !state.threads.contains(thread) { state.threads.append(thread) }
      state.waiting[thread] = Waiter(end: end, isOver: { isOver() || interruption.shouldStop })
      if state.running == thread { state.running = nil }
    }
    runNext()
    let hasTurn = state.wait(unless: interruption) { $0.running == thread ? () : nil } != nil
    state.withLock { _ = $0.waiting.removeValue(forKey: thread) }
    return hasTurn && !interruption.shouldStop
  }

  /// Chooses the thread that runs next, with the clock where that needs it. No thread runs meanwhile.
  private func runNext() {
    while true {
      let count = count()
      let (isFree, waiting) = state.read { state in
        let waiting = state.threads.compactMap { thread in state.waiting[thread].map { (thread, $0) } }
        return (state.running == nil && state.threads.count == count && waiting.count == count, waiting)
      }
      guard isFree else { return }
      if let (thread, _) = waiting.first(where: { $0.1.isOver() || $0.1.end <= time() }) {
        return state.withLock { $0.running = thread }
      }
      guard let end = waiting.map(\.1.end).min(), end.isFinite else { return }
      advance(end)
    }
  }
}
