import Glibc

/// A value behind a lock, and threads that wait until it is as they want it. Any thread.
///
/// POSIX's own lock and condition: `Mutex` has no waiting, and a semaphore wakes threads that no longer wait.
package final class Monitor<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Both by `mutex`.
  private var state: State
  private var waiting = 0

  package init(_ state: State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Reads or changes the value, and lets every waiting thread look again.
  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      if waiting > 0 { pthread_cond_broadcast(condition) }
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Looks again and again, after every change, until there is a result; nil where there was none at `end`.
  package func wait<Result>(until end: MonotonicTime? = nil, _ look: (inout State) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = look(&state) { return result }
      waiting += 1
      defer { waiting -= 1 }
      guard let end else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      var time = timespec(tv_sec: Int(end.nanoseconds / 1_000_000_000), tv_nsec: Int(end.nanoseconds % 1_000_000_000))
      if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { return look(&state) }
    }
  }

  /// The same, and asks `shouldStop` a hundred times a second; nil once that says so.
  package func wait<Result>(unless shouldStop: () -> Bool, _ look: (inout State) -> Result?) -> Result? {
    while !shouldStop() {
      if let result = wait(until: MonotonicTime.now.advanced(byMilliseconds: 10), look) { return result }
    }
    return nil
  }
}

/// Waits so long, or until `shouldStop` says so: false then.
package func wait(seconds: Double, unless shouldStop: () -> Bool) -> Bool {
  let end = MonotonicTime.now.advanced(byMilliseconds: min(seconds, 1e6) * 1000)
  let hasPassed: Void? = Monitor(()).wait(unless: shouldStop) { _ in MonotonicTime.now >= end ? () : nil }
  return hasPassed != nil
}
