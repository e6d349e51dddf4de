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
  let tellsEvents = true

  /// Of the duration, for each ad that the clip itself stands for; three of them and two parts of the clip make up a trial.
  static let share = 0.2

  func run(_ trial: Trial) throws(Failure) {
    try TrialEvents.tell(of: trial) { events throws(Failure) in
      try trial.withPlayWindow { window throws(Failure) in
        trial.stage("open")
        let clip = try ClipWithAds(trial, in: window, events)
        trial.stage("play")
        try clip.play()
        window?.finish()
      }
    }
  }
}

/// A clip and its breaks on one display link. One thread.
private final class ClipWithAds {
  private let trial: Trial
  private let window: PlayWindow?
  private let events: TrialEvents
  private let options: RenderSession.Options
  private let device: DeviceOpening
  private let link: any DisplayLink
  private let screen: PlaySession.Screen?
  private let content: PlayedPart
  private let ads: TrialAds
  private let playback: AdPlayback<OpenedClip>
  /// The ad that is shown.
  private var ad: PlayedPart?
  private var passed: [PlayedPart] = []
  /// When the last picture of what played before was over.
  private var pictureEnd: MonotonicTime?
  private var failure: Failure?

  init(_ trial: Trial, in window: PlayWindow?, _ events: TrialEvents) throws(Failure) {
    var options = trial.request.settings.sessionOptions()
    options.surface = try window?.surface()
    (self.trial, self.window, self.events, self.options) = (trial, window, events, options)
    let device = DeviceOpening(options)
    self.device = device
    let ads = try TrialAds(trial.request)
    self.ads = ads
    let opened = try OpenedClip(trial.request.input, options, on: device, interruption: trial.interruption)
    let session = try RenderSession(opened, options: options, on: device)
    (screen, link) = try trial.display(in: window, on: session.device)
    let prepared = PreparedPart(session, trial, loops: true)
    content = PlayedPart(prepared, trial, link, screen, end: ads.contentEnd)
    playback = AdPlayback(
      ads.plan, AdBreaks(ads.plan.schedule, duration: ads.contentEnd),
      open: { [options] (ad, interruption) throws(Failure) in
        var options = options
        options.decoder.network.policy = ad.policy
        return try OpenedClip(ad.file.url, options, on: device, interruption: interruption)
      },
      onTurn: { turn in
        events.note(turn)
        if case .failed(let failure) = turn { TrialAds.note(failure, in: trial) }
      })
    trial.add(session)
    prepared.fill()
  }

  func play() throws(Failure) {
    try content.play.begin()
    content.play.pause()
    if !playback.begin(before: .zero) { content.play.play() }
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
    if playback.isBreak, try refreshBreak(tick) { return }
    let play = content.play
    // What this refresh would show.
    if play.player.state == .playing, playback.begin(before: play.player.position + tick.period) {
      play.pause()
      leave(content)
      if try refreshBreak(tick) { return }
    }
    try show(content, tick)
    playback.loadNext(after: play.player.position)
    guard play.player.state.isAtEnd else { return }
    leave(content)
    guard playback.beginAtEnd(play.player.position) else { return link.stop() }
    _ = try refreshBreak(tick)
  }

  private func show(_ part: PlayedPart, _ tick: DisplayTick) throws(Failure) {
    let result = try part.refresh(tick)
    // An ad is nothing that happens to the clip.
    if part === content { events.look(part.play, result) }
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

  /// Returns false where the break is over: the same refresh is the clip's.
  private func refreshBreak(_ tick: DisplayTick) throws(Failure) -> Bool {
    if let ad {
      try show(ad, tick)
      playback.played(to: ad.play.clipPosition)
      guard ad.play.player.state.isAtEnd else { return true }
      playback.end()
      leave(ad)
      passed.append(ad)
      self.ad = nil
    }
    switch playback.next(at: .now) {
    case .waiting: return true
    case .ad(let found, let clip):
      let ad = try open(found, clip)
      self.ad = ad
      try show(ad, tick)
      return true
    case .over: return goOn()
    }
  }

  private func open(_ found: PlayableAd, _ clip: OpenedClip) throws(Failure) -> PlayedPart {
    let session = try RenderSession(clip, options: options, on: device)
    let prepared = PreparedPart(session, trial)
    let part = PlayedPart(prepared, trial, link, screen, end: ads.adEnd)
    prepared.fill()
    try part.play.begin()
    playback.begin(found, duration: ads.adEnd ?? session.reader.info.durationSeconds.map { MediaTime(seconds: $0) })
    trial.count(.adsPlayed, 1)
    return part
  }

  private func goOn() -> Bool {
    let player = content.play.player
    guard player.state.isAtEnd else {
      content.play.play()
      return false
    }
    if !playback.beginAtEnd(player.position) { link.stop() }
    return true
  }
}
