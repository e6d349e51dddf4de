import Glibc

/// A value behind a lock, and threads that wait until it is as they want it. Any thread.
///
/// POSIX's own lock and condition: `Mutex` has no waiting, and a semaphore wakes threads that no longer wait.
package final class Monitor<State: Sendable>: @unchecked Sendable {
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

  /// Looks at the value; wakes no thread.
  package func read<Result>(_ body: (State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(state)
  }

  /// Changes what no thread waits for; wakes none.
  package func withoutWaking<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// Changes the value, and lets every waiting thread look again.
  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      if waiting > 0 { pthread_cond_broadcast(condition) }
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Looks again and again, after every change, until there is a result; nil where there was none at `end`, or once `interruption` asks
  /// to stop, before a look.
  package func wait<Result>(
    until end: MonotonicTime? = nil, unless interruption: Interruption? = nil, _ look: (inout State) -> Result?
  ) -> Result? {
    if let interruption {
      // Most have nothing to wait for.
      guard !interruption.shouldStop else { return nil }
      if let result = lookOnce(look) { return result }
      interruption.add(self)
    }
    defer { interruption?.remove(self) }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if interruption?.shouldStop ?? false { return nil }
      if let result = look(&state) { return result }
      if let end, MonotonicTime.now >= end { return nil }
      sleep(until: [end, interruption?.nextDeadline].compactMap { $0?.nanoseconds }.min())
    }
  }

  private func lookOnce<Result>(_ look: (inout State) -> Result?) -> Result? {
    withoutWaking(look)
  }

  /// Until the condition is signalled; with the lock.
  private func sleep(until instant: Int64?) {
    waiting += 1
    defer { waiting -= 1 }
    guard let instant else {
      pthread_cond_wait(condition, mutex)
      return
    }
    // An interruption stops right behind its deadline.
    let end = instant.addingSaturated(1)
    var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    pthread_cond_timedwait(condition, mutex, &time)
  }
}

extension Monitor: Sleeper {
  func wake() { withLock { _ in } }
}

extension Interruption {
  /// Waits so long; false once it asks to stop.
  package func pause(seconds: Double) -> Bool {
    let end = MonotonicTime.now.advanced(byMilliseconds: min(max(0, seconds), 1e6) * 1000)
    _ = Monitor(()).wait(until: end, unless: self) { _ -> Void? in nil }
    return !shouldStop
  }
}
