import Frames
import Synchronization

/// Work on a thread of its own, for a caller that polls for the result. Any thread.
public final class BackgroundWork<Value>: Sendable {
  /// Passed from the worker to the thread that takes it.
  private struct Outcome: @unchecked Sendable {
    var result: Result<Value, Failure>
  }
  private final class Shared: Sendable {
    let outcome = Mutex<Outcome?>(nil)
  }
  private let shared = Shared()
  /// Nil where the system could not start one: the result is a failure at once.
  private let thread: WorkerThread?

  /// - Parameters:
  ///   - onDone: called on the worker's thread once there is a result.
  ///   - body: the work; it must not use its result afterwards.
  public init(onDone: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () throws(Failure) -> Value) {
    do throws(Failure) {
      thread = try WorkerThread { [shared] in
        let outcome = Outcome(result: Result { () throws(Failure) in try body() })
        shared.outcome.withLock { $0 = outcome }
        onDone()
      }
    } catch {
      thread = nil
      shared.outcome.withLock { $0 = Outcome(result: .failure(error)) }
      onDone()
    }
  }

  /// The result, once; nil while it runs and after the result was taken.
  public func take() -> Result<Value, Failure>? {
    let outcome = shared.outcome.withLock { outcome in
      defer { outcome = nil }
      return outcome
    }
    if outcome != nil { thread?.join() }
    return outcome?.result
  }

  /// Waits until it is done.
  public func wait() { thread?.join() }

  /// Waits until it is done, at most `seconds`; false where it still runs.
  public func wait(seconds: Double) -> Bool { thread?.join(seconds: seconds) ?? true }
}
