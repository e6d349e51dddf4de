import Frames
import Glibc
import Synchronization

/// When a child process ended. A thread waits for the end, because a caller that looks now and then would add the time
/// between two looks; the child stays to be waited for.
final class EndStamp: Sendable {
  private let thread: WorkerThread?
  private let box = Box()

  private final class Box: Sendable {
    let instant = Mutex<MonotonicTime?>(nil)
  }

  /// The child must not be waited for before `instant` was asked. Where the system gives no thread, the instant stays
  /// unknown.
  init(of id: pid_t) {
    thread = try? WorkerThread { [box] in
      var info = siginfo_t()
      while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0 { guard errno == EINTR else { return } }
      let now = MonotonicTime.now
      box.instant.withLock { $0 = now }
    }
  }

  /// Nil if it has not ended one second from now.
  func instant() -> MonotonicTime? {
    guard let thread, thread.join(seconds: 1) else { return nil }
    return box.instant.withLock { $0 }
  }
}
