import Frames
import Synchronization

/// Many sessions on several threads; the results are in the order of the sessions.
public enum SimulationBatch {
  /// - Parameters:
  ///   - threads: at least 1.
  ///   - goesOn: asked before each session, on any thread; false ends the batch early.
  ///   - keep: chooses what to keep of a session; called on any thread.
  /// - Returns: what `keep` returned for each session; nil for sessions that did not run.
  ///
  /// Throws `.failed` where the system gives no thread. Blocks until all threads have ended.
  public static func run<Kept: Sendable>(
    _ sessions: [Simulation], threads: Int, goesOn: @escaping @Sendable () -> Bool = { true },
    keep: @escaping @Sendable (SimulatedSession) -> Kept
  ) throws(Failure) -> [Kept?] {
    let queue = Queue<Kept>(count: sessions.count)
    var workers: [WorkerThread] = []
    defer { for worker in workers { worker.join() } }
    for _ in 0..<min(max(1, threads), max(1, sessions.count)) {
      workers.append(
        try WorkerThread {
          while goesOn(), let index = queue.next() { queue.put(keep(sessions[index].run()), at: index) }
        })
    }
    for worker in workers { worker.join() }
    return queue.results
  }

  /// The next session, and the results so far.
  private final class Queue<Kept: Sendable>: Sendable {
    private let state: Mutex<(next: Int, results: [Kept?])>
    private let count: Int

    init(count: Int) {
      self.count = count
      state = Mutex((0, Array(repeating: nil, count: count)))
    }

    func next() -> Int? {
      state.withLock { state in
        guard state.next < count else { return nil }
        defer { state.next += 1 }
        return state.next
      }
    }

    func put(_ kept: Kept, at index: Int) { state.withLock { $0.results[index] = kept } }

    var results: [Kept?] { state.withLock { $0.results } }
  }
}
