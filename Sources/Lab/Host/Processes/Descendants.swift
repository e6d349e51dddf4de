import FoundationEssentials
import Frames
import Glibc

/// All processes that descend from a command, also in the background, in another session, or orphaned.
///
/// This process becomes the subreaper of its descendants: an orphan becomes its child, and the kernel does not reuse a
/// child's number before it is waited for. So it never searches other processes, and ends none of them. One command at
/// a time, and no other child process may be started meanwhile.
struct Descendants {
  /// Children that were there before: a shell that was replaced by this program may have left some.
  private let others: Set<pid_t>

  /// What is started from now on.
  init() {
    Self.becomeSubreaper()
    others = Self.children()
  }

  /// Waits for children that have ended by themselves; not for `child`, whose status the caller asks for.
  func reap(allBut child: pid_t) {
    while true {
      var info = siginfo_t()
      guard waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return }
      let id = info._sifields._sigchld.si_pid
      guard id != 0, id != child, !others.contains(id) else { return }
      waitpid(id, nil, WNOHANG)
    }
  }

  /// Ends and waits for all of them. A process that ends leaves its children to this one, so it repeats until there are
  /// none, or the time is over: processes of another user, or blocked in the kernel, stay.
  func end(withinMilliseconds milliseconds: Double) {
    let deadline = MonotonicTime.now.advanced(byMilliseconds: milliseconds)
    var looksWithoutAny = 0
    var told: Set<pid_t> = []
    while hasChildren, looksWithoutAny < 2 {
      // A list that is read while it changes may lack some: an empty one is read twice.
      let left = Self.children().subtracting(others)
      looksWithoutAny = left.isEmpty ? looksWithoutAny + 1 : 0
      for id in left {
        guard waitpid(id, nil, WNOHANG) == 0 else { continue }
        kill(id, SIGKILL)
        if told.insert(id).inserted { hostLog.debug("ended what a command left", metadata: ["id": "\(id)"]) }
      }
      guard MonotonicTime.now < deadline else { return }
      usleep(1000)
    }
  }

  private var hasChildren: Bool {
    var info = siginfo_t()
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD
  }

  /// This process's children, including zombies, as the kernel lists them by thread.
  private static func children() -> Set<pid_t> {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return Set(
      threads.flatMap { thread -> [pid_t] in
        let list = FileManager.default.contents(atPath: "/proc/self/task/\(thread)/children") ?? Data()
        return String(decoding: list, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
      })
  }

  /// Orphans come to the first process after their parents; nothing changes where the kernel (before 3.4) knows no such thing.
  private static func becomeSubreaper() {
    // It takes any number of arguments, which Swift does not import.
    guard let symbol = dlsym(nil, "prctl") else { return }
    typealias Function = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
    let setChildSubreaper: Int32 = 36
    _ = unsafeBitCast(symbol, to: Function.self)(setChildSubreaper, 1, 0, 0, 0)
  }
}
