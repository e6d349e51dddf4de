import Decode
import Glibc
import Synchronization

/// Whether the user has asked to stop (Ctrl-C, a polite kill, or a terminal that went away).
///
/// Work that takes long looks here and ends cleanly; a second signal ends the process at once.
public enum Interrupt {
  private static let count = Atomic<Int>(0)

  public static var isRequested: Bool { count.load(ordering: .acquiring) > 0 }

  /// Starts to listen. Called once, before any work.
  public static func install() {
    // Touched here, for a signal handler must not be the first to initialise a global.
    _ = count.load(ordering: .relaxed)
    listen { number in
      // A terminal may say twice that it goes, by the kernel and by the shell: only people ask twice.
      let wasAsked = Interrupt.count.add(1, ordering: .acquiringAndReleasing).oldValue > 0
      if wasAsked, number != SIGHUP { _exit(130) }
      Interruption.stopEverything()
    }
    // A reader that goes away is noticed where we write.
    signal(SIGPIPE, SIG_IGN)
  }

  /// From now on one signal ends the process at once: there is nothing to keep.
  public static func endAtOnce() {
    listen { _ in _exit(130) }
  }

  private static func listen(_ handler: @escaping @convention(c) (Int32) -> Void) {
    for number in [SIGINT, SIGTERM] { signal(number, handler) }
    // Under nohup it is to be ignored.
    var current = sigaction()
    sigaction(SIGHUP, nil, &current)
    let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
    if unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) != ignored { signal(SIGHUP, handler) }
  }
}
