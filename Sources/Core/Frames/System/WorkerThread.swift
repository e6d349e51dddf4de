import Glibc

/// A plain thread that can be joined.
package final class WorkerThread: Sendable {
  private let isDone = Monitor(false)

  /// Throws `.failed` where the system cannot create a thread; the body is then never called.
  package init(body: @escaping @Sendable () -> Void) throws(Failure) {
    let start = Start(body: body, isDone: isDone)
    let opaque = Unmanaged.passRetained(start).toOpaque()
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { opaque in
        guard let opaque else { return nil }
        let start = Unmanaged<Start>.fromOpaque(opaque).takeRetainedValue()
        start.run()
        start.isDone.withLock { $0 = true }
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

  /// Waits until the body has returned and the thread has released its captures. Any thread; may be called repeatedly.
  package func join() {
    isDone.wait { $0 ? () : nil }
  }

  /// Waits at most `seconds`; false where the body is still running.
  package func join(seconds: Double) -> Bool {
    isDone.wait(until: MonotonicTime.now.advanced(byMilliseconds: seconds * 1000)) { $0 ? () : nil } != nil
  }

  /// Used by the thread alone once it has started.
  private final class Start: @unchecked Sendable {
    private var body: (@Sendable () -> Void)?
    let isDone: Monitor<Bool>

    init(body: @escaping @Sendable () -> Void, isDone: Monitor<Bool>) {
      self.body = body
      self.isDone = isDone
    }

    /// Never inlined: the body's captures are released when this returns. A device released later would be destroyed
    /// while the process exits, or after the window it presents to.
    @inline(never) func run() {
      let body = body
      self.body = nil
      body?()
    }
  }
}
