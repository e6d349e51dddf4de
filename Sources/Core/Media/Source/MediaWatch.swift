import Frames
import Glibc
import Synchronization

/// Tracks calls into libavformat, and reports calls that ignore their interruption or take memory without bound.
///
/// Some demuxers spin below their reads, where libavformat neither asks for the interruption nor returns: only the end of the
/// process ends those. A program asks `overdue` a few times a second while there are calls, and ends itself; see `Watchdog`. Any thread.
public enum MediaWatch {
  /// Opening may add this much to the process's memory.
  public static let openingByteLimit = 1 << 30
  /// A call that was told to stop may take this much longer.
  static let graceSeconds = 1.0

  private static let calls = Monitor<[ObjectIdentifier: MediaCall]>([:])

  static func add(_ call: MediaCall) { calls.withLock { $0[ObjectIdentifier(call)] = call } }

  static func remove(_ call: MediaCall) { calls.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(call)) } }

  /// Waits until there is an input to be watched.
  ///
  /// - Parameter endsOverdueCalls: as for `overdue`: else an input is watched until it has been opened.
  public static func waitForCalls(endsOverdueCalls: Bool) {
    calls.wait { calls in calls.values.contains { endsOverdueCalls || $0.isOpening } ? () : nil }
  }

  /// The reason to end the process; nil while there is none.
  ///
  /// - Parameter endsOverdueCalls: tell of calls that go on after they were told to stop; else of memory only.
  public static func overdue(endsOverdueCalls: Bool) -> Failure? {
    let calls = calls.read { Array($0.values) }
    return calls.lazy.compactMap {
      $0.failure(endsOverdue: endsOverdueCalls, now: .now, residentBytes: residentBytes)
    }.first
  }
}

/// One input's calls into libavformat, of which one at a time is under way. Its thread calls `begin` and `end`; any thread the rest.
package final class MediaCall: Sendable {
  package let path: String
  private let bytesBefore = residentBytes()
  private let interruption: Interruption
  private let opening = Atomic<Bool>(true)
  private let isInside = Atomic<Bool>(false)
  /// When the watch first saw that the call under way was told to stop; 0: not yet.
  private let told = Atomic<Int64>(0)

  package init(_ path: String, _ interruption: Interruption) {
    (self.path, self.interruption) = (path, interruption)
    MediaWatch.add(self)
  }

  /// The input is closed: stops watching it.
  package func close() { MediaWatch.remove(self) }

  fileprivate var isOpening: Bool { opening.load(ordering: .relaxed) }

  package func hasOpened() { opening.store(false, ordering: .relaxed) }

  package func begin() { isInside.store(true, ordering: .relaxed) }

  package func end() {
    isInside.store(false, ordering: .relaxed)
    told.store(0, ordering: .relaxed)
  }

  /// Why the process should end because of the call under way; nil while it need not. To be asked again and again: a call is
  /// overdue a second after it was first seen to go on although it was told to stop.
  package func failure(endsOverdue: Bool, now: MonotonicTime, residentBytes: () -> Int) -> Failure? {
    if isOpening, residentBytes() - bytesBefore > MediaWatch.openingByteLimit { return tookMemory() }
    return endsOverdue && isOverdue(now) ? overstayed() : nil
  }

  private func isOverdue(_ now: MonotonicTime) -> Bool {
    guard isInside.load(ordering: .relaxed), interruption.shouldStop else { return false }
    let since = told.load(ordering: .relaxed)
    guard since != 0 else {
      told.store(now.nanoseconds, ordering: .relaxed)
      return false
    }
    return now.seconds(since: MonotonicTime(nanoseconds: since)) > MediaWatch.graceSeconds
  }

  private func overstayed() -> Failure {
    Failure(
      .timeout, "cannot \(isOpening ? "open" : "read") '\(path)'",
      cause: isOpening
        ? "FFmpeg did not finish opening it within \(Demuxer.openingSeconds) s, nor stop when told to"
        : "FFmpeg gave no packet within \(Demuxer.readingSeconds) s, nor stopped when told to",
      remedy: "the file or playlist is damaged, or keeps FFmpeg's demuxer busy without end")
  }

  private func tookMemory() -> Failure {
    Failure(
      .media, "cannot open '\(path)'",
      cause: "opening it took more than \(MediaWatch.openingByteLimit >> 20) MiB of memory",
      remedy: "the file or playlist is damaged, or made to fill memory")
  }
}

/// Resident memory of this process; 0 where the kernel does not tell.
func residentBytes() -> Int {
  let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var text = [UInt8](repeating: 0, count: 128)
  let count = read(file, &text, text.count)
  let fields = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
  let pages = fields.count > 1 ? Int(String(decoding: fields[1], as: UTF8.self)) ?? 0 : 0
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
