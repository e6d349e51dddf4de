import Frames
import HTTP
import Media

/// Loads the ads of one break, and opens each ahead of its turn, on a thread of its own. Any thread; nothing but its end waits.
public final class BreakLoader<Clip>: Sendable {
  /// What comes next.
  public enum Step {
    /// It is being loaded.
    case waiting
    case ad(PlayableAd, Clip)
    /// One that is left out.
    case failure(AdFailure)
    case over
  }

  /// A clip goes from the thread that opens it to the one that takes it.
  private struct Shared: @unchecked Sendable {
    /// Handed over from the thread to the one that takes them.
    var steps: [Step] = []
    var isOver = false
    /// Of the ad that is being opened: its clip keeps it.
    var opening: Interruption?

    var hasAd: Bool { steps.contains { if case .ad = $0 { true } else { false } } }
  }

  private let shared = Monitor(Shared())
  private let interruption = Interruption()
  private let thread: WorkerThread?

  /// - Parameters:
  ///   - base: where the schedule lies.
  ///   - load: an answer of a server, or a file.
  ///   - open: opens an ad, whose interruption is its own; it must not use its result afterwards. Both end soon after an interruption was
  ///     requested.
  public init(
    _ pause: AdBreak, from base: AdBase, _ wishes: AdWishes,
    load: @escaping @Sendable (_ place: String, AddressPolicy, Interruption) throws(Failure) -> AdDocument,
    open: @escaping @Sendable (PlayableAd, Interruption) throws(Failure) -> Clip
  ) {
    let (shared, interruption) = (shared, interruption)
    do throws(Failure) {
      thread = try WorkerThread {
        let resolver = AdResolver(wishes) { (place, policy) throws(Failure) in try load(place, policy, interruption) }
        let pod = resolver.pod(of: pause, from: base)
        shared.withLock { $0.steps += pod.failures.map { .failure($0) } }
        for ad in pod.ads where !interruption.isRequested {
          // One ahead: opened clips take memory.
          guard shared.wait(unless: interruption, { $0.hasAd ? nil : () }) != nil else { break }
          let own = Interruption()
          shared.withLock { $0.opening = own }
          // Its end may have come before that.
          if interruption.isRequested { break }
          let step = Self.opened(ad) { () throws(Failure) in try open(ad, own) }
          shared.withLock { shared in
            shared.steps.append(step)
            shared.opening = nil
          }
        }
        shared.withLock { $0.isOver = true }
      }
    } catch {
      thread = nil
      shared.withLock { $0 = Shared(steps: [.failure(AdFailure(.cannotPlay, error, errors: []))], isOver: true) }
    }
  }

  deinit {
    interruption.request()
    shared.withLock { $0.opening?.request() }
    thread?.join()
  }

  private static func opened(_ ad: PlayableAd, _ open: () throws(Failure) -> Clip) -> Step {
    do throws(Failure) {
      return .ad(ad, try open())
    } catch {
      return .failure(AdFailure(.noFile, error, errors: ad.errors))
    }
  }

  /// Takes it. Each once, in the order in which they are played; failures before the ads.
  public func next() -> Step {
    shared.withLock { shared in
      if !shared.steps.isEmpty { return shared.steps.removeFirst() }
      return shared.isOver ? .over : .waiting
    }
  }
}
