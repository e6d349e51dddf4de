import FoundationEssentials
import Frames
import Glibc
import Synchronization

/// Concurrent load, so that a measurement shows playing under it.
///
/// It is done by threads of the trial's own process, and files that have no name: it ends with the trial, however that ends.
public final class Stress {
  public enum Kind: String, Sendable, Codable, CaseIterable {
    case none
    /// As many busy threads as the process has processors.
    case cpu
    /// A file that is written and flushed to its disk over and over.
    case io
  }

  private let state = State()
  private var threads: [WorkerThread] = []

  private final class State: Sendable {
    let isStopped = Atomic<Bool>(false)
    /// Processor time that the threads took.
    let nanoseconds = Atomic<Int64>(0)
  }

  public init(_ kind: Kind) throws(Failure) {
    switch kind {
    case .none: break
    case .cpu:
      let count = CPUSet.allowed?.cpus.count ?? sysconf(Int32(_SC_NPROCESSORS_ONLN))
      for _ in 0..<max(1, count) { try start { state in Stress.spin(state.isStopped) } }
    case .io:
      let file = try Stress.namelessFile()
      try start { state in Stress.write(to: file, state.isStopped) }
    }
  }

  deinit {
    stop()
  }

  /// Waits for its threads.
  ///
  /// - Returns: seconds of processor time that they took.
  @discardableResult
  public func stop() -> Double {
    state.isStopped.store(true, ordering: .relaxed)
    for thread in threads { thread.join() }
    threads = []
    return Double(state.nanoseconds.load(ordering: .relaxed)) / 1e9
  }

  private func start(_ work: @escaping @Sendable (State) -> Void) throws(Failure) {
    threads.append(
      try WorkerThread { [state] in
        // A busy loop at real-time priority would starve every other thread.
        RealTimeScheduling.giveUp()
        work(state)
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        state.nanoseconds.add(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec), ordering: .relaxed)
      })
  }

  private static func spin(_ isStopped: borrowing Atomic<Bool>) {
    while !isStopped.load(ordering: .relaxed) {}
  }

  private static let block = 4 << 20
  private static let blocks = 16

  private static func write(to file: Int32, _ isStopped: borrowing Atomic<Bool>) {
    let bytes = [UInt8](repeating: 0x5A, count: block)
    defer { close(file) }
    while !isStopped.load(ordering: .relaxed) {
      lseek(file, 0, SEEK_SET)
      for _ in 0..<blocks where !isStopped.load(ordering: .relaxed) {
        // A disk that is full is stress as well.
        _ = Glibc.write(file, bytes, bytes.count)
        fsync(file)
      }
    }
  }

  private static func namelessFile() throws(Failure) -> Int32 {
    var template = Array((temporaryFolder + "bench360-stress-XXXXXX").utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else {
      throw Failure(
        .output, "cannot stress the disk", cause: "no file can be made in '\(temporaryFolder)'",
        remedy: "set TMPDIR to a folder that can be written")
    }
    unlink(template)
    return file
  }
}
