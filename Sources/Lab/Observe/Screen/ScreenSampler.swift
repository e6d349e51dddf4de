import Frames
import Glibc
import Synchronization

/// Samples the cells of a clip's code on a screen, more than a thousand times a second, on a thread of its own, and logs the changes.
final class ScreenSampler: Sendable {
  /// From one sample to the next, ns.
  static let period: Int64 = 750_000

  private let state = State()
  private let thread: WorkerThread

  private final class State: Sendable {
    let log = Mutex(ScreenLog())
    let isStopped = Atomic<Bool>(false)
    /// Time on processors, ns.
    let cpuTime = Atomic<Int64>(0)
  }

  /// Begins to sample.
  init(_ source: any ScreenSource, grid: CodeGrid) throws(Failure) {
    let pixels = grid.cellCentres
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

  /// The changes so far.
  var log: ScreenLog { state.log.withLock { $0 } }

  /// The highest number that a tile showed so far; nil: none.
  var highestNumber: Int? { state.log.withLock { $0.highestNumber } }

  /// Ends sampling, and returns the changes, and the seconds on processors that it took.
  func stop() -> (log: ScreenLog, cpuSeconds: Double) {
    state.isStopped.store(true, ordering: .relaxed)
    thread.join()
    return (log, Double(state.cpuTime.load(ordering: .relaxed)) / 1e9)
  }
}
