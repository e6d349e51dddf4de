import Ads
import Frames
import GPU
import Playback
import Render
import Session
import Verdict

/// A clip with ads before, within and after it: the gaps from one to the other. Ads are loaded and opened while the clip plays; the clip
/// stays open while they do, and goes on with the next frame. Without `--ads` the clip's own beginning stands for each ad.
struct AdsScenario: MeasuredScenario {
  let suites: [Suite: [String?]] = [.full: [nil]]

  /// Of the duration, for each ad that the clip itself stands for; three of them and two parts of the clip make up a trial.
  static let share = 0.2

  func run(_ trial: Trial) throws(Failure) {
    try trial.withPlayWindow { window throws(Failure) in
      trial.stage("open")
      let clip = try ClipWithAds(trial, in: window)
      trial.stage("play")
      try clip.play()
      window?.finish()
    }
  }
}

/// A clip and its breaks on one display link. One thread.
private final class ClipWithAds {
  private let trial: Trial
  private let window: PlayWindow?
  private let options: RenderSession.Options
  private let device: DeviceOpening
  private let link: any DisplayLink
  private let screen: PlaySession.Screen?
  private let content: PlayedPart
  private let ads: TrialAds
  private var breaks: AdBreaks
  /// The break that comes next, or is on.
  private var pause: Pause?
  private var passed: [PlayedPart] = []
  /// When the last picture of what played before was over.
  private var pictureEnd: MonotonicTime?
  private var failure: Failure?

  private struct Pause {
    let pause: AdBreak
    let loader: BreakLoader<OpenedClip>
    /// Since when its next ad is waited for; nil: it is not on yet.
    var waitsSince: MonotonicTime?
    var ad: PlayedPart?
  }

  init(_ trial: Trial, in window: PlayWindow?) throws(Failure) {
    var options = trial.request.settings.sessionOptions()
    options.surface = try window?.surface()
    (self.trial, self.window, self.options) = (trial, window, options)
    device = DeviceOpening(options)
    ads = try TrialAds(trial.request)
    let opened = try OpenedClip(trial.request.input, options, on: device, interruption: trial.interruption)
    let session = try RenderSession(opened, options: options, on: device)
    (screen, link) = try trial.display(in: window, on: session.device)
    let duration = MediaTime(seconds: trial.request.settings.repetition.duration)
    content = PlayedPart(session, trial, link, screen, end: ads.contentDuration(of: duration), loops: true)
    breaks = AdBreaks(ads.schedule, duration: ads.contentDuration(of: duration))
    trial.add(session)
    content.feed.fill()
  }

  func play() throws(Failure) {
    try content.play.begin()
    content.play.pause()
    startBreak(before: .zero)
    if !isBreak { content.play.play() }
    link.run { tick in
      do throws(Failure) {
        try refresh(tick)
        if trial.shouldStop { link.stop() }
      } catch {
        failure = error
        link.stop()
      }
    }
    // The user's stop cut a read short: all measurements so far are kept.
    if let failure, failure.kind != .cancelled || !trial.shouldStop { throw failure }
    for part in passed + [content] { try part.finish() }
  }

  private func refresh(_ tick: DisplayTick) throws(Failure) {
    if isBreak, try refreshBreak(tick) { return }
    let play = content.play
    if play.player.state == .playing {
      // What this refresh would show.
      startBreak(before: play.player.position + tick.period)
      if isBreak {
        play.pause()
        leave(content)
        if try refreshBreak(tick) { return }
      }
    }
    try show(content, tick)
    loadNext()
    guard play.player.state.isAtEnd else { return }
    leave(content)
    guard let last = breaks.dueAtEnd() else { return link.stop() }
    begin(last)
    _ = try refreshBreak(tick)
  }

  private func show(_ part: PlayedPart, _ tick: DisplayTick) throws(Failure) {
    let result = try part.refresh(tick)
    if let screen { window?.poll(screen.swapchain) }
    if let view = result.view { window?.note(view) }
    guard let end = pictureEnd, let seen = part.firstSeen else { return }
    trial.add(.clipGap, seen.milliseconds(since: end))
    pictureEnd = nil
  }

  /// A part is left for another.
  private func leave(_ part: PlayedPart) {
    pictureEnd = part.play.log.lastPictureEnd ?? pictureEnd
    part.leave()
  }

  // MARK: - Breaks

  private var isBreak: Bool { pause?.waitsSince != nil }

  private func startBreak(before place: MediaTime) {
    // Rounding is no reason to show a frame behind the break.
    if let due = breaks.due(at: place + MediaTime(nanoseconds: 1_000_000)) { begin(due) }
  }

  private func begin(_ due: AdBreak) {
    load(due)
    pause?.waitsSince = .now
    ads.tell(due.requests, .breakStart)
  }

  private func load(_ next: AdBreak) {
    if pause?.pause != next { pause = Pause(pause: next, loader: ads.loader(of: next, options, device)) }
  }

  /// Begins to load the ads of the next break.
  private func loadNext() {
    guard pause == nil, let next = breaks.next(after: content.play.player.position) else { return }
    load(next.pause)
  }

  /// Returns false where the break is over: the same refresh is the clip's.
  private func refreshBreak(_ tick: DisplayTick) throws(Failure) -> Bool {
    if let ad = pause?.ad {
      try show(ad, tick)
      ads.played(to: ad.play.clipPosition)
      guard ad.play.player.state.isAtEnd else { return true }
      ads.end()
      leave(ad)
      passed.append(ad)
      pause?.ad = nil
      pause?.waitsSince = .now
    }
    while let pause {
      switch pause.loader.next() {
      case .waiting:
        guard let since = pause.waitsSince, MonotonicTime.now.milliseconds(since: since) < TrialAds.patience * 1000
        else {
          ads.giveUp(trial)
          return endBreak()
        }
        return true
      case .failure(let failure): ads.fail(failure, trial)
      case .over: return endBreak()
      case .ad(let found, let clip):
        let ad = try open(found, clip)
        self.pause?.ad = ad
        try show(ad, tick)
        return true
      }
    }
    return false
  }

  private func open(_ found: PlayableAd, _ clip: OpenedClip) throws(Failure) -> PlayedPart {
    let session = try RenderSession(clip, options: options, on: device)
    let part = PlayedPart(session, trial, link, screen, end: ads.adEnd, loops: false)
    part.feed.fill()
    try part.play.begin()
    ads.begin(found, duration: session.reader.info.durationSeconds.map { MediaTime(seconds: $0) })
    trial.count(.adsPlayed, 1)
    return part
  }

  private func endBreak() -> Bool {
    if let pause { ads.tell(pause.pause.requests, .breakEnd) }
    pause = nil
    guard !content.play.player.state.isAtEnd else {
      if let last = breaks.dueAtEnd() { begin(last) } else { link.stop() }
      return true
    }
    content.play.play()
    return false
  }
}
