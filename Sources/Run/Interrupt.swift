import Decode
import Glibc
import Synchronization

/// Whether the user has asked to stop (Ctrl-C, or a polite kill).
///
/// Work that takes long looks here and ends cleanly; a second signal ends the process at once.
public enum Interrupt {
  private static let count = Atomic<Int>(0)

  public static var isRequested: Bool { count.load(ordering: .acquiring) > 0 }

  /// Starts to listen. Called once, before any work.
  public static func install() {
    // Touched here, for a signal handler must not be the first to initialise a global.
    _ = count.load(ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in
        if Interrupt.count.add(1, ordering: .acquiringAndReleasing).oldValue > 0 { _exit(130) }
        Interruption.stopEverything()
      }
    }
    // A reader that goes away is noticed where we write.
    signal(SIGPIPE, SIG_IGN)
  }
}
