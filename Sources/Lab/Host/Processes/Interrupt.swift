import Glibc
import Synchronization

/// Whether the user has asked to stop (Ctrl-C, a polite kill, or a terminal that went away).
///
/// Work that takes long looks here and ends cleanly. A process that has not ended within 0.6 seconds ends at once; one that holds
/// measurements, within five. A second signal ends any at once.
public enum Interrupt {
  private static let count = Atomic<Int>(0)

  private static let first = Atomic<Int32>(0)

  private static let holdsMeasurements = Atomic<Bool>(false)

  /// The first signal that asked; nil while none has.
  public static var signal: Int32? {
    let number = first.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  public static var isRequested: Bool { count.load(ordering: .acquiring) > 0 }

  /// Ends every blocking call of the process. Written before a signal can arrive, read by the handler.
  nonisolated(unsafe) private static var stopEverything: @convention(c) () -> Void = {}

  /// Starts to listen. Called once, before any work.
  ///
  /// - Parameter stop: ends what blocks; called by the signal handler, which may only store to atomics.
  public static func install(stopping stop: @escaping @convention(c) () -> Void) {
    stopEverything = stop
    // Touched here, for a signal handler must not be the first to initialise a global.
    _ = (
      count.load(ordering: .relaxed), first.load(ordering: .relaxed), holdsMeasurements.load(ordering: .relaxed)
    )
    listen { number in
      // A terminal may say twice that it goes, by the kernel and by the shell: only people ask twice.
      let wasAsked = Interrupt.count.add(1, ordering: .acquiringAndReleasing).oldValue > 0
      if wasAsked, number != SIGHUP { _exit(130) }
      if !wasAsked { Interrupt.first.store(number, ordering: .releasing) }
      Interrupt.stopEverything()
      guard !wasAsked else { return }
      if Interrupt.holdsMeasurements.load(ordering: .acquiring) {
        alarm(5)
      } else {
        // Of the second that ending may take, the rest is the kernel's: a busy machine needs it to end twenty threads.
        ualarm(600_000, 0)
      }
    }
    Glibc.signal(SIGALRM) { _ in _exit(130) }
    // A parent that blocks them, as some test runners do, passes that on.
    var heard = sigset_t()
    sigemptyset(&heard)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGALRM] { sigaddset(&heard, number) }
    pthread_sigmask(SIG_UNBLOCK, &heard, nil)
    // A reader that goes away is noticed where we write, and so is a file that may not grow further.
    Glibc.signal(SIGPIPE, SIG_IGN)
    Glibc.signal(SIGXFSZ, SIG_IGN)
  }

  /// From now on there is something to lose: a first signal leaves five seconds to put it away, which a busy machine may need. Any thread.
  public static func keepMeasurements() { holdsMeasurements.store(true, ordering: .releasing) }

  /// Results are about to be written: a process that was asked to stop may take ten seconds for that. Any thread.
  public static func allowWriting() {
    if isRequested { alarm(10) }
  }

  /// Ends the process `seconds` from now, even while work still runs: its results are already safe.
  public static func endWithin(seconds: Int) { alarm(UInt32(seconds)) }

  /// From now on one signal ends the process at once: there is nothing to keep.
  public static func endAtOnce() {
    listen { _ in _exit(130) }
  }

  private static func listen(_ handler: @escaping @convention(c) (Int32) -> Void) {
    for number in [SIGINT, SIGTERM] { Glibc.signal(number, handler) }
    // Under nohup it is to be ignored.
    var current = sigaction()
    sigaction(SIGHUP, nil, &current)
    let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
    if unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) != ignored { Glibc.signal(SIGHUP, handler) }
  }
}
