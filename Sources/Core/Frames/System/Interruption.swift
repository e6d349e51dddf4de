import Glibc
import Synchronization

/// Asks work to stop, from another thread or at an instant: reads of files and of the network end early, and so do waits on a `Monitor`.
///
/// Any thread may call any member.
public final class Interruption: Sendable {
  /// Every other one is within it: see `stopEverything`.
  package static let everything = Interruption(parents: [])

  private let parents: [Interruption]
  private let wasRequested = Atomic<Bool>(false)
  private let deadline = Atomic<Int64>(.max)
  private let wasSuperseded = Atomic<Bool>(false)
  /// In seconds; 0: an outage does not move the deadline.
  private let outageAllowance = Atomic<Int>(0)
  private let onOutage: (@Sendable () -> Void)?
  private let sleepers = Mutex<[any Sleeper]>([])

  private init(parents: [Interruption], onOutage: (@Sendable () -> Void)? = nil) {
    (self.parents, self.onOutage) = (parents, onOutage)
  }

  public convenience init() { self.init(parents: [.everything]) }

  /// - Parameter onOutage: called by `noteOutage` of this interruption or of one within it, on the caller's thread.
  package convenience init(onOutage: @escaping @Sendable () -> Void) {
    self.init(parents: [.everything], onOutage: onOutage)
  }

  /// Stops on a request of its own, and whenever one of its parents stops.
  package convenience init(within parents: Interruption...) { self.init(parents: parents) }

  /// Ends the current and every later read.
  public func request() {
    wasRequested.store(true, ordering: .releasing)
    wakeSleepers()
  }

  public var shouldStop: Bool {
    wasRequested.load(ordering: .acquiring) || MonotonicTime.now.nanoseconds > deadline.load(ordering: .relaxed)
      || parents.contains(where: \.shouldStop)
  }

  /// `request` or `stopEverything` was called; an expired deadline does not count.
  public var isRequested: Bool {
    wasRequested.load(ordering: .acquiring) || parents.contains(where: \.isRequested)
  }

  // MARK: - Superseding

  /// Ends the current wait for media that is still to be loaded, for the reader is wanted elsewhere: it can be used on.
  package func supersede() {
    wasSuperseded.store(true, ordering: .releasing)
    wakeSleepers()
  }

  /// The reader goes where it is wanted.
  package func follow() { wasSuperseded.store(false, ordering: .relaxed) }

  /// True from a call of `supersede` until the next call of `follow`.
  package var isSuperseded: Bool { wasSuperseded.load(ordering: .acquiring) }

  // MARK: - Deadlines

  /// Reads that are still going on at this instant fail; nil takes the limit away.
  public func setDeadline(_ time: MonotonicTime?) {
    deadline.store(time?.nanoseconds ?? .max, ordering: .relaxed)
    if time != nil { wakeSleepers() }
  }

  /// Sets a deadline unless one is set; true when it did.
  ///
  /// - Parameter outlastsOutages: `noteOutage` moves it.
  package func limit(seconds: Int, outlastsOutages: Bool = false) -> Bool {
    let limit = MonotonicTime.now.advanced(byMilliseconds: Double(seconds) * 1000).nanoseconds
    guard deadline.compareExchange(expected: .max, desired: limit, ordering: .relaxed).exchanged else { return false }
    outageAllowance.store(outlastsOutages ? seconds : 0, ordering: .relaxed)
    return true
  }

  /// A network or server is out of order: the time until now does not count for limits that outlast outages, of this one and of its parents.
  package func noteOutage() {
    onOutage?()
    for parent in parents { parent.noteOutage() }
    let seconds = outageAllowance.load(ordering: .relaxed)
    guard seconds > 0 else { return }
    let later = MonotonicTime.now.advanced(byMilliseconds: Double(seconds) * 1000).nanoseconds
    var known = deadline.load(ordering: .relaxed)
    while known != .max, known < later {
      let (exchanged, original) = deadline.compareExchange(expected: known, desired: later, ordering: .relaxed)
      guard !exchanged else { return }
      known = original
    }
  }

  /// The earliest deadline of this interruption and its parents; nil: there is none.
  var nextDeadline: MonotonicTime? {
    let own = deadline.load(ordering: .relaxed)
    let ends = parents.compactMap(\.nextDeadline) + (own == .max ? [] : [MonotonicTime(nanoseconds: own)])
    return ends.min { $0.nanoseconds < $1.nanoseconds }
  }

  // MARK: - Signals

  /// Posted by a signal handler, which may wake no thread itself.
  nonisolated(unsafe) private static let signalled: UnsafeMutablePointer<sem_t> = {
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
    return semaphore
  }()

  /// Makes `stopEverything` wake what waits. Called once, before a signal can arrive; without a thread for it waits go on.
  public static func prepareToStopEverything() {
    nonisolated(unsafe) let semaphore = signalled
    _ = everything.isRequested
    _ = try? WorkerThread {
      while true {
        while sem_wait(semaphore) != 0 {}
        everything.wakeSleepers()
      }
    }
  }

  /// Ends every read and wait of this process, now and later; a signal handler may call it after `prepareToStopEverything`.
  public static func stopEverything() {
    everything.wasRequested.store(true, ordering: .releasing)
    sem_post(signalled)
  }
}

/// A waiting thread that an interruption can wake. Any thread.
protocol Sleeper: AnyObject, Sendable {
  /// Looks again whether it is to stop.
  func wake()
}

extension Interruption {
  /// From now on `sleeper` is woken when there may be a reason to stop, once for each call.
  func add(_ sleeper: any Sleeper) {
    sleepers.withLock { $0.append(sleeper) }
    for parent in parents { parent.add(sleeper) }
  }

  func remove(_ sleeper: any Sleeper) {
    sleepers.withLock { sleepers in
      if let place = sleepers.firstIndex(where: { $0 === sleeper }) { sleepers.remove(at: place) }
    }
    for parent in parents { parent.remove(sleeper) }
  }

  /// Without the lock: what is woken has locks of its own.
  private func wakeSleepers() {
    for sleeper in sleepers.withLock({ $0 }) { sleeper.wake() }
  }
}
