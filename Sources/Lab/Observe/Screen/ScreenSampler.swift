import Frames
import Glibc
import Synchronization

/// A log to which a sampler adds the samples of a screen.
package protocol SampleLog: Sendable {
  init()

  /// Adds a sample.
  ///
  /// - Parameters:
  ///   - luma: of all pixels that are read, in their order.
  ///   - begin, end: when reading it began and ended.
  mutating func add(_ luma: [UInt8], from begin: MonotonicTime, to end: MonotonicTime)
}

/// Samples pixels of a screen, more than a thousand times a second, on a thread of its own, and logs the changes.
final class ScreenSampler<Log: SampleLog>: Sendable {
  /// From one sample to the next, ns.
  private static var period: Int64 { 750_000 }

  private let state = State()
  private let thread: WorkerThread

  private final class State: Sendable {
    let log = Mutex(Log())
    let isStopped = Atomic<Bool>(false)
    /// Time on processors, ns.
    let cpuTime = Atomic<Int64>(0)
  }

  /// Begins to sample.
  init(_ source: any ScreenSource, pixels: [(x: Int, y: Int)]) throws(Failure) {
    let read = source.reader(of: pixels)
    thread = try WorkerThread { [state] in
      var luma = [UInt8](repeating: 0, count: pixels.count)
      var next = MonotonicTime.now
      while !state.isStopped.load(ordering: .relaxed) {
        let begin = MonotonicTime.now
        read(&luma)
        let end = MonotonicTime.now
        state.log.withLock { $0.add(luma, from: begin, to: end) }
        // After a delay it does not catch up: the missed moments are over.
        next = max(MonotonicTime(nanoseconds: next.nanoseconds + Self.period), end)
        var time = timespec(
          tv_sec: Int(next.nanoseconds / 1_000_000_000), tv_nsec: Int(next.nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
      }
      var used = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used)
      state.cpuTime.store(Int64(used.tv_sec) * 1_000_000_000 + Int64(used.tv_nsec), ordering: .relaxed)
    }
  }

  deinit { state.isStopped.store(true, ordering: .relaxed) }

  /// Reads the log so far.
  func read<Result: Sendable>(_ body: (Log) -> Result) -> Result { state.log.withLock { body($0) } }

  /// Ends sampling, and returns the changes, and the seconds on processors that it took.
  func stop() -> (log: Log, cpuSeconds: Double) {
    state.isStopped.store(true, ordering: .relaxed)
    thread.join()
    return (read { $0 }, Double(state.cpuTime.load(ordering: .relaxed)) / 1e9)
  }
}
