import Dispatch
import Glibc

/// A plain thread that can be joined.
package final class WorkerThread: Sendable {
  private let done = DispatchSemaphore(value: 0)

  /// Throws `.failed` where the system gives no more threads; then the body was not called and never is.
  package init(body: @escaping @Sendable () -> Void) throws(Failure) {
    let start = Start(body: body, done: done)
    let opaque = Unmanaged.passRetained(start).toOpaque()
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { opaque in
        guard let opaque else { return nil }
        let start = Unmanaged<Start>.fromOpaque(opaque).takeRetainedValue()
        start.run()
        start.done.signal()
        return nil
      }, opaque)
    guard status == 0 else {
      Unmanaged<Start>.fromOpaque(opaque).release()
      throw Failure(
        .failed, "cannot start a thread",
        cause: "the system gives no more: \(String(cString: strerror(status)).lowercased())",
        remedy: "end other programs, or raise the limit of processes (ulimit -u)")
    }
    pthread_detach(thread)
  }

  /// Waits for the end of the body, and until the thread holds nothing of it any more. Any thread, as often as it likes.
  package func join() {
    done.wait()
    done.signal()
  }

  /// Waits no longer than `seconds`; false where the body goes on.
  package func join(seconds: Double) -> Bool {
    guard done.wait(timeout: .now() + seconds) == .success else { return false }
    done.signal()
    return true
  }

  /// The thread's alone once it has begun.
  private final class Start: @unchecked Sendable {
    private var body: (@Sendable () -> Void)?
    let done: DispatchSemaphore

    init(body: @escaping @Sendable () -> Void, done: DispatchSemaphore) {
      self.body = body
      self.done = done
    }

    /// Never inlined: whatever the body holds is let go of when this returns. A device that went later would go while the
    /// process ends, or after the window that it shows pictures in.
    @inline(never) func run() {
      let body = body
      self.body = nil
      body?()
    }
  }
}
