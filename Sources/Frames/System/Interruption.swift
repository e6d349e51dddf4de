import Frames
import Synchronization

/// Lets another thread, or a deadline, end a blocking read of a file or the network.
///
/// Any thread may call any member.
public final class Interruption: Sendable {
  private static let isEverythingStopped = Atomic<Bool>(false)
  private let wasRequested = Atomic<Bool>(false)
  private let deadline = Atomic<Int64>(.max)
  private let wasSuperseded = Atomic<Bool>(false)

  public init() {}

  /// Ends the current and every later read.
  public func request() { wasRequested.store(true, ordering: .releasing) }

  /// Ends the current wait for media that is still to be loaded, for the reader is wanted elsewhere: it can be used on.
  package func supersede() { wasSuperseded.store(true, ordering: .releasing) }

  /// The reader goes where it is wanted.
  package func follow() { wasSuperseded.store(false, ordering: .relaxed) }

  /// Whether `supersede` was called since the last `follow`.
  package var isSuperseded: Bool { wasSuperseded.load(ordering: .acquiring) }

  /// Ends every read of this process, now and later; a signal handler may call it.
  public static func stopEverything() { isEverythingStopped.store(true, ordering: .releasing) }

  /// Reads that are still going on at this instant fail; nil takes the limit away.
  public func setDeadline(_ time: MonotonicTime?) {
    deadline.store(time?.nanoseconds ?? .max, ordering: .relaxed)
  }

  /// Sets a deadline unless one is set; true when it did.
  func limit(seconds: Double) -> Bool {
    let limit = MonotonicTime.now.advanced(byMilliseconds: seconds * 1000).nanoseconds
    return deadline.compareExchange(expected: .max, desired: limit, ordering: .relaxed).exchanged
  }

  /// Moves the deadline, where one is set, to so many seconds from now, unless it is later.
  func postpone(seconds: Double) {
    let later = MonotonicTime.now.advanced(byMilliseconds: seconds * 1000).nanoseconds
    var known = deadline.load(ordering: .relaxed)
    while known != .max, known < later {
      let (exchanged, original) = deadline.compareExchange(expected: known, desired: later, ordering: .relaxed)
      guard !exchanged else { return }
      known = original
    }
  }

  public var shouldStop: Bool {
    isRequested || MonotonicTime.now.nanoseconds > deadline.load(ordering: .relaxed)
  }

  /// `request` or `stopEverything` was called; an expired deadline does not count.
  public var isRequested: Bool {
    Interruption.isEverythingStopped.load(ordering: .acquiring) || wasRequested.load(ordering: .acquiring)
  }
}
