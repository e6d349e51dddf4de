import Ads
import Frames
import Playback
import Session

/// Ads in a clip that is played: which of them, or the clip itself, each refresh shows. The clip stays open behind an ad, and goes on with its
/// next frame. One thread, the display link's.
package final class ClipAds {
  /// The ad that is shown; nil: the clip is, or an ad is waited for.
  package private(set) var clip: PlayedClip?
  private let content: PlayedClip
  private let playback: AdPlayback<OpenedClip>
  private let events: Events
  /// Where the clip begins.
  private let start: MediaTime
  /// The ad before, until the first picture of what follows: its end takes time.
  private var passed: PlayedClip?
  /// Since when the ad stands for want of media.
  private var standsSince: MonotonicTime?
  private var wasPaused = false
  /// The clip was at its end at the refresh before.
  private var hasEnded = false

  /// How ads are opened and made, and who is told of them.
  package struct Events {
    /// Opens one, on a thread of its own.
    package var open: AdPlayback<OpenedClip>.Opening
    /// Makes a clip of it, on the content's display, that cannot be sought in and has no `onFailure`.
    package var make: (OpenedClip, PlayableAd) throws(Failure) -> PlayedClip
    /// Another ad is shown; nil: the clip.
    package var onChange: (PlayedClip?) -> Void
    /// Why an ad is left out.
    package var onFailure: (Failure) -> Void
    /// What became of each.
    package var onTurn: (AdTurn) -> Void

    package init(
      open: @escaping AdPlayback<OpenedClip>.Opening,
      make: @escaping (OpenedClip, PlayableAd) throws(Failure) -> PlayedClip,
      onChange: @escaping (PlayedClip?) -> Void, onFailure: @escaping (Failure) -> Void,
      onTurn: @escaping (AdTurn) -> Void
    ) {
      (self.open, self.make, self.onChange, self.onFailure, self.onTurn) = (open, make, onChange, onFailure, onTurn)
    }
  }

  /// - Parameters:
  ///   - breaks: as they were left when the clip was shown before; nil: none was played, and what is left out is told.
  ///   - start: where the clip begins: breaks before it are over, but the last one.
  package init(
    _ content: PlayedClip, _ plan: AdPlan, _ breaks: AdBreaks?, from start: MediaTime, _ events: Events
  ) {
    let all = breaks ?? AdBreaks(plan.schedule, duration: content.duration)
    if breaks == nil { for note in all.notes { events.onFailure(.leftOut(note)) } }
    let wishes = AdWishes(height: content.session.renderer.targetSize.height)
    playback = AdPlayback(
      plan, all, wishes, open: events.open,
      onTurn: { turn in
        events.onTurn(turn)
        if case .failed(let failure) = turn { events.onFailure(failure.failure) }
      })
    (self.content, self.start, self.events) = (content, start, events)
  }

  /// An ad is shown, or waited for: the clip stands.
  package var isBreak: Bool { playback.isBreak }

  /// Which breaks were played, and are to come.
  package var breaks: AdBreaks { playback.breaks }

  /// The ad that is shown, for who watches it.
  package var shown: ShownAd? {
    guard let clip, let current = playback.current else { return nil }
    return ShownAd(
      title: current.ad.title, number: current.number, secondsToSkip: playback.secondsToSkip(at: clip.place))
  }

  /// The user leaves the ad; false where that is not allowed.
  package func skip() -> Bool {
    guard let clip, playback.skip(at: clip.place) else { return false }
    leave()
    return true
  }

  /// Sound was turned off or on.
  package func noteMuted(_ isMuted: Bool) {
    if let clip { playback.happened(isMuted ? .mute : .unmute, at: clip.place) }
  }
}

// Refresh by refresh.
extension ClipAds {
  /// Plays the clip with its ads, as `PlaySession.run` plays one without.
  package func run(
    beforeTick: (DisplayTick) -> Void, onFrame: (QueuedFrame) -> Void, onTick: (PlayTick) -> Void
  ) throws(Failure) {
    var failure: Failure?
    try content.play.begin(onFrame: onFrame)
    content.link.run { tick in
      do throws(Failure) {
        beforeTick(tick)
        if let result = try refresh(tick, onFrame) { onTick(result) }
      } catch {
        failure = error
        content.link.stop()
      }
    }
    leave()
    endPassed()
    if let failure { throw failure }
    try content.play.finish()
  }

  /// Nil where there is nothing to show yet.
  private func refresh(_ tick: DisplayTick, _ onFrame: (QueuedFrame) -> Void) throws(Failure) -> PlayTick? {
    if let result = try refreshBreak(tick) { return result }
    if isDue(tick) {
      content.pause()
      if let result = try refreshBreak(tick) { return result }
    }
    // Before the first picture there is none to stand behind an ad.
    if playback.isBreak, content.play.shownFrame == nil { return nil }
    let result = try content.play.refresh(tick, onFrame: onFrame)
    if result.frame != nil { endPassed() }
    if result.state == .playing { playback.loadNext(after: content.place) }
    if result.state.isAtEnd, !hasEnded { _ = playback.beginAtEnd(content.place) }
    hasEnded = result.state.isAtEnd
    return result
  }

  /// Whether an ad comes before the picture of this refresh.
  private func isDue(_ tick: DisplayTick) -> Bool {
    guard content.willPlay else { return false }
    let state = content.play.player.state
    if state == .playing { return playback.begin(before: content.place + tick.period) }
    guard content.play.shownFrame == nil, state != .seeking else { return false }
    return playback.begin(before: start)
  }

  /// A refresh of the break that is on; nil: it is the clip's, whose picture stands while an ad is waited for.
  private func refreshBreak(_ tick: DisplayTick) throws(Failure) -> PlayTick? {
    while playback.isBreak {
      if let clip {
        if let result = try refresh(clip, tick) { return result }
        leave()
      }
      // What a stream or a hand began in the meantime.
      if content.willPlay, !content.play.player.state.isAtEnd { content.pause() }
      switch playback.next(at: .now) {
      case .waiting: return nil
      case .over: goOn()
      case .ad(let ad, let opened): try begin(opened, ad)
      }
    }
    return nil
  }

  private func begin(_ opened: OpenedClip, _ ad: PlayableAd) throws(Failure) {
    let begun = try attempt(of: ad) { () throws(Failure) in
      let clip = try events.make(opened, ad)
      try clip.play.begin(onFrame: { clip.sound?.follow($0) })
      return clip
    }
    guard let begun else { return }
    playback.begin(ad, duration: begun.duration)
    (clip, standsSince, wasPaused) = (begun, nil, false)
    events.onChange(begun)
  }

  /// Nil where the ad is over: it was told how.
  private func refresh(_ ad: PlayedClip, _ tick: DisplayTick) throws(Failure) -> PlayTick? {
    _ = ad.followStream(at: tick.timestamp)
    let result = try attempt { () throws(Failure) in
      try ad.play.refresh(tick, onFrame: { ad.sound?.follow($0) })
    }
    guard let result else { return nil }
    if result.frame != nil { endPassed() }
    if ad.play.shownFrame != nil { playback.played(to: ad.place) }
    tellOfPause(ad)
    if result.state.isAtEnd {
      if try attempt({ () throws(Failure) in try ad.play.finish() }) != nil { playback.end() }
      return nil
    }
    return stands(ad, tick) ? nil : result
  }

  /// An ad that fails is left out; a lost device is not its fault.
  private func attempt<Result>(
    of ad: PlayableAd? = nil, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    do throws(Failure) {
      return try work()
    } catch {
      guard error.kind != .deviceLost else { throw error }
      playback.giveUp(error, of: ad)
      return nil
    }
  }

  /// An ad that does not go on is given up after a while.
  private func stands(_ ad: PlayedClip, _ tick: DisplayTick) -> Bool {
    switch ad.play.player.state {
    case .opening, .stalled, .seeking: standsSince = standsSince ?? tick.timestamp
    default: standsSince = ad.stream.holdsStart ? standsSince ?? tick.timestamp : nil
    }
    guard let since = standsSince, tick.timestamp.seconds(since: since) > AdPlan.patience else { return false }
    playback.giveUp(nil)
    return true
  }

  private func tellOfPause(_ ad: PlayedClip) {
    let isPaused = ad.play.shownFrame != nil && !ad.willPlay && !ad.play.player.state.isAtEnd
    guard isPaused != wasPaused else { return }
    wasPaused = isPaused
    playback.happened(isPaused ? .pause : .resume, at: ad.place)
  }

  private func goOn() {
    let state = content.play.player.state
    if !state.isAtEnd { return content.playWhenLoaded() }
    // Breaks at the end follow each other.
    _ = playback.beginAtEnd(content.place)
  }

  private func leave() {
    guard let clip else { return }
    endPassed()
    clip.sound?.stop()
    (self.clip, passed) = (nil, clip)
    events.onChange(nil)
  }

  private func endPassed() {
    passed?.end()
    passed = nil
  }
}

/// What a player tells of an ad. A value.
package struct ShownAd: Sendable, Hashable {
  package var title: String?
  /// Among those of its break, from 1.
  package var number: Int
  /// Until the user may leave it, 0 from then on; nil: may not.
  package var secondsToSkip: Double?
}

extension Failure {
  /// A part of a schedule.
  fileprivate static func leftOut(_ note: String) -> Failure {
    Failure(.media, "cannot play all ads", cause: note, remedy: "the clip goes on without them")
  }
}
