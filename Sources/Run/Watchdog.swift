import Decode
import Frames
import Glibc
import Playback

/// Ends this process when a call into libavformat cannot be ended otherwise, or fills memory.
public enum Watchdog {
  /// Starts a thread that looks ten times a second, for as long as the process lives. Where the system gives no thread, nothing is
  /// watched.
  ///
  /// - Parameters:
  ///   - endsOverdueCalls: a call that goes on after it was told to stop ends the process; else only a call that fills
  ///     memory does.
  ///   - tell: what is told of it, and to whom, on the watchdog's thread; the process ends with 1 after it, or with 130 where
  ///     the user had asked to stop.
  public static func start(endsOverdueCalls: Bool, tell: @escaping @Sendable (Failure) -> Void) {
    _ = try? WorkerThread {
      while true {
        usleep(100_000)
        guard let failure = MediaWatch.overdue(endsOverdueCalls: endsOverdueCalls) else { continue }
        if Interrupt.isRequested { _exit(130) }
        tell(failure)
        _exit(1)
      }
    }
  }
}
