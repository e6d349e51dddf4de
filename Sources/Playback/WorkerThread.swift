import Dispatch
import Glibc

/// A plain thread that can be joined.
package final class WorkerThread: Sendable {
  private let done = DispatchSemaphore(value: 0)

  package init(body: @escaping @Sendable () -> Void) {
    let start = Start(body: body, done: done)
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { opaque in
        guard let opaque else { return nil }
        let start = Unmanaged<Start>.fromOpaque(opaque).takeRetainedValue()
        start.run()
        start.done.signal()
        return nil
      }, Unmanaged.passRetained(start).toOpaque())
    precondition(status == 0, "the system gives no more threads")
    pthread_detach(thread)
  }

  /// Waits for the end of the body, and until the thread holds nothing of it any more. Any thread, as often as it likes.
  package func join() {
    done.wait()
    done.signal()
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
