import FoundationEssentials
import Frames
import Media

/// What became of an ad. A value.
public enum AdTurn: Sendable {
  /// The first picture is about to be shown. Its number among those of its break, from 1.
  case began(number: Int)
  case ended(number: Int, End)
  /// It is left out, or broken off.
  case failed(AdFailure)

  /// How one that began is over.
  public enum End: String, Sendable {
    case played, skipped
    case brokenOff = "broken_off"
  }
}

/// The breaks of one clip while it plays: which one is on, which of its ads comes next, and what servers are told. One thread, on which
/// nothing waits.
public final class AdPlayback<Clip> {
  /// What a break shows next.
  public enum Next {
    /// It is being loaded.
    case waiting
    case ad(PlayableAd, Clip)
    /// The clip goes on.
    case over
  }

  /// The ad that is shown.
  public struct Current {
    public let ad: PlayableAd
    /// Among those of its break, from 1.
    public let number: Int
    fileprivate var progress: AdProgress
  }

  /// Which breaks were played, and are to come.
  public private(set) var breaks: AdBreaks
  public private(set) var current: Current?
  private let plan: AdPlan
  private let wishes: AdWishes
  private let open: Opening
  private let onTurn: (AdTurn) -> Void
  /// The break that comes next, or is on.
  private var pause: Pause?
  /// Of the clip, where the last break began.
  private var contentPlace: MediaTime?

  /// Opens an ad on a thread of its own; must not use the result afterwards.
  public typealias Opening = @Sendable (PlayableAd, Interruption) throws(Failure) -> Clip

  private struct Pause {
    let pause: AdBreak
    let loader: BreakLoader<Clip>
    /// Since when its next ad is waited for; nil: it is not on yet.
    var waitsSince: MonotonicTime?
    var count = 0
  }

  /// - Parameters:
  ///   - breaks: of the plan's schedule; it knows which of them were played.
  ///   - onTurn: told what becomes of each ad, on the caller's thread.
  public init(
    _ plan: AdPlan, _ breaks: AdBreaks, _ wishes: AdWishes = AdWishes(), open: @escaping Opening,
    onTurn: @escaping (AdTurn) -> Void
  ) {
    (self.plan, self.breaks, self.wishes, self.open, self.onTurn) = (plan, breaks, wishes, open, onTurn)
  }

  // MARK: - Breaks

  /// A break is on: the clip stands.
  public var isBreak: Bool { pause?.waitsSince != nil }

  /// Begins the break that is due before the picture of a place; returns whether one is on.
  public func begin(before place: MediaTime) -> Bool {
    guard !isBreak else { return true }
    // Rounding is no reason to show a frame behind the break.
    guard let due = breaks.due(at: place + MediaTime(nanoseconds: 1_000_000)) else { return false }
    begin(due, at: place)
    return true
  }

  /// The same for the clip's end.
  public func beginAtEnd(_ place: MediaTime) -> Bool {
    guard !isBreak else { return true }
    guard let due = breaks.dueAtEnd() else { return false }
    begin(due, at: place)
    return true
  }

  private func begin(_ due: AdBreak, at place: MediaTime) {
    load(due)
    pause?.waitsSince = .now
    contentPlace = place
    tell(plan.urls(due.requests, of: .breakStart))
  }

  /// Loads the ads of the next break ahead.
  public func loadNext(after place: MediaTime) {
    guard pause == nil, let next = breaks.next(after: place) else { return }
    load(next.pause)
  }

  private func load(_ next: AdBreak) {
    guard pause?.pause != next else { return }
    pause = Pause(pause: next, loader: plan.loader(of: next, wishes, open: open))
  }

  /// What follows in the break that is on: asked at each refresh that shows no ad.
  public func next(at now: MonotonicTime) -> Next {
    while let pause, let since = pause.waitsSince {
      switch pause.loader.next() {
      case .waiting:
        guard now.milliseconds(since: since) >= AdPlan.patience * 1000 else { return .waiting }
        fail(.late(errors: []))
        return endBreak()
      case .failure(let failure): fail(failure)
      case .over: return endBreak()
      case .ad(let ad, let clip): return .ad(ad, clip)
      }
    }
    return .over
  }

  private func endBreak() -> Next {
    if let pause { tell(plan.urls(pause.pause.requests, of: .breakEnd)) }
    pause = nil
    return .over
  }

  // MARK: - An ad

  /// An ad is shown from now on.
  ///
  /// - Parameter duration: of what is shown of it; nil: as its server tells.
  public func begin(_ ad: PlayableAd, duration: MediaTime?) {
    pause?.count += 1
    let number = pause?.count ?? 1
    current = Current(ad: ad, number: number, progress: AdProgress(ad, duration: duration))
    onTurn(.began(number: number))
  }

  /// It is shown up to a place of its own.
  public func played(to place: MediaTime) {
    guard let urls = current?.progress.played(to: place), !urls.isEmpty else { return }
    tell(urls, at: place)
  }

  /// It was shown to its end.
  public func end() {
    if let urls = current?.progress.end() { tell(urls) }
    leave(.played)
  }

  /// The user leaves it: false, and nothing happens, where that is not allowed yet.
  public func skip(at place: MediaTime) -> Bool {
    guard secondsToSkip(at: place) == 0 else { return false }
    if let urls = current?.progress.skip() { tell(urls, at: place) }
    leave(.skipped)
    return true
  }

  /// It cannot be shown, or not on.
  ///
  /// - Parameters:
  ///   - failure: nil: it takes too long.
  ///   - ad: one that did not begin; nil: the one that is shown.
  public func giveUp(_ failure: Failure?, of ad: PlayableAd? = nil) {
    let errors = (ad ?? current?.ad)?.errors ?? []
    leave(.brokenOff)
    fail(failure.map { AdFailure(.cannotPlay, $0, errors: errors) } ?? .late(errors: errors))
  }

  /// Seconds until the user may leave it, 0 from then on; nil: may not.
  public func secondsToSkip(at place: MediaTime) -> Double? { current?.progress.secondsToSkip(at: place) }

  /// Pause, resume, mute, unmute.
  public func happened(_ event: AdEvent, at place: MediaTime) {
    if let urls = current?.progress.happened(event) { tell(urls, at: place) }
  }

  private func leave(_ end: AdTurn.End) {
    if let current { onTurn(.ended(number: current.number, end)) }
    current = nil
    pause?.waitsSince = .now
  }

  // MARK: - Servers

  private func fail(_ failure: AdFailure) {
    var macros = macros()
    macros.errorCode = failure.code
    plan.network.tell(failure.errors, macros)
    onTurn(.failed(failure))
  }

  private func tell(_ urls: [AdURL], at place: MediaTime? = nil) {
    var macros = macros()
    macros.adPlace = place
    plan.network.tell(urls, macros)
  }

  private func macros() -> AdMacros {
    var macros = AdMacros(time: Int64(Date().timeIntervalSince1970 * 1e9), random: .random(in: 0...UInt32.max))
    macros.contentPlace = contentPlace
    return macros
  }
}

extension AdFailure {
  /// It was not there in time, or stopped.
  fileprivate static func late(errors: [AdURL]) -> AdFailure {
    let failure = Failure(
      .input, "cannot play an ad", cause: "it was not there after \(Int(AdPlan.patience)) s",
      remedy: "the clip goes on without it")
    return AdFailure(.slow, failure, errors: errors)
  }
}
