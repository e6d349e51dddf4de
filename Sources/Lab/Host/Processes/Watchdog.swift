import Frames
import Glibc

/// Ends this process when a call into a library cannot be ended otherwise, or fills memory.
public enum Watchdog {
  /// Starts a thread that looks ten times a second while there is something to watch, for as long as the process lives. Where the system
  /// gives no thread, nothing is watched.
  ///
  /// - Parameters:
  ///   - wait: returns once there is something to watch.
  ///   - overdue: why a call in progress must be ended; nil while none must. Called on the watchdog's thread.
  ///   - tell: what is told of it, and to whom, on the watchdog's thread; the process ends with 1 after it, or with 130 where
  ///     the user had asked to stop.
  public static func start(
    wait: @escaping @Sendable () -> Void, overdue: @escaping @Sendable () -> Failure?,
    tell: @escaping @Sendable (Failure) -> Void
  ) {
    _ = try? WorkerThread {
      while true {
        wait()
        usleep(100_000)
        guard let failure = overdue() else { continue }
        if Interrupt.isRequested { _exit(130) }
        tell(failure)
        _exit(1)
      }
    }
  }
}
