import Glibc

/// Whether the system lets a thread of ours run before all others.
public enum RealTimeScheduling: Sendable, Hashable {
  case granted
  /// In a few words, for the record.
  case refused(reason: String)

  /// Asks for it for the calling thread: first in, first out, at the lowest of the real-time priorities.
  public static func request() -> RealTimeScheduling {
    var parameters = sched_param()
    parameters.sched_priority = sched_get_priority_min(SCHED_FIFO)
    let status = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
    if status == 0 { return .granted }
    return .refused(
      reason: status == EPERM
        ? "the system does not allow it to this user (ulimit -r)" : String(cString: strerror(status)))
  }

  /// Returns the calling thread to normal scheduling, also where it inherited real time.
  public static func giveUp() {
    var parameters = sched_param()
    pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters)
  }
}
