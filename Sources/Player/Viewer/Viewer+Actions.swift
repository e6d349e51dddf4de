import Bench360Player
import Frames

// User actions.
extension Viewer {
  func perform(_ action: ViewerAction) {
    switch action {
    case .turn: break
    case .resetView:
      hands.head.recentre()
      act(.reset, at: .now)
    case .screenshot:
      showing?.wantsScreenshot = true
      showing?.clip.capture()
    case .frameScreenshot: keepFrame()
    case .open: next = .browse
    case .statistics: hud.turnPage(hasNetwork: showing?.clip.loader != nil)
    case .remaining: controls.showsRemaining.toggle()
    case .controls: controls.toggle(at: .now)
    case .help: controls.toggleHelp()
    case .quality: chooseNextQuality()
    case .mute, .volume, .audioTrack, .audioDelay: hear(action)
    case .subtitles: say(words.text(subtitles.chooseNext()))
    case .subtitleDelay, .subtitleSize, .textSize, .highContrast: adjust(action)
    case .inertia:
      hands.look.hasInertia.toggle()
      say(.inertia, hands.look.hasInertia)
    case .fullscreen: window.setFullscreen(!window.isFullscreen)
    case .mini: window.setMini(!window.isMini, width: Int((480 * window.contentScale).rounded()))
    case .leave: if window.isFullscreen { window.setFullscreen(false) }
    case .quit: next = .quit
    case .skipAd: skipAd()
    case .next: leave(.way(1))
    case .previous: leave(.way(-1))
    case .loop, .shuffle, .playlist, .goOn: arrange(action)
    case .projection: if let showing { project(nextProjection(showing)) }
    case .stereo: reshape { $0.stereo = StereoLayout.allCases.after($0.stereo) }
    case .goggles: reshape { $0.eye = $0.eye == .both ? .left : .both }
    case .fill: toggleFill()
    default: if let showing { transport(action, showing) }
    }
  }

  /// Changes a setting for this session.
  private func adjust(_ action: ViewerAction) {
    switch action {
    case .subtitleDelay(let tenths):
      options.settings.delaySubtitles(tenths)
      say(.subtitleDelay, words.delay(options.settings.subtitleDelay))
    case .subtitleSize(let steps):
      options.settings.resize(\.subtitleSize, steps)
      say(.subtitleSize, words.percent(options.settings.subtitleSize))
    case .textSize(let steps):
      options.settings.resize(\.textSize, steps)
      say(.textSize, words.percent(options.settings.textSize))
    case .highContrast:
      options.settings.isHighContrast.toggle()
      say(.highContrast, options.settings.isHighContrast)
    default: break
    }
    applySubtitleSettings()
  }

  private func toggleFill() {
    guard let geometry = showing?.clip.geometry else { return }
    guard geometry.projection == .flat else { return say(.onlyFlatClips) }
    reshape(notice: geometry.fills ? .fit : .fill) { $0.fills.toggle() }
  }

  private func transport(_ action: ViewerAction, _ showing: Showing) {
    let clip = showing.clip
    if action != .playOrPause, refuseInAd(showing) { return }
    switch action {
    case .playOrPause: playOrPause(showing)
    case .skip(let seconds): seek(showing.place + MediaTime(seconds: Double(seconds)), showing)
    case .step(let frames):
      if frames > 0 { clip.stepForward() } else if !tellIfLive(showing) { clip.stepBack() }
    case .jump(let tenth): jump(toTenth: tenth, showing)
    case .toStart: seek(.zero, showing)
    case .toEnd:
      if let duration = showing.duration { seek(duration, showing) } else { goLive(showing) }
    case .goLive: goLive(showing)
    case .slower: change(rate: Self.rates.last { $0 < showing.clip.speed } ?? Self.rates[0], showing)
    case .faster:
      change(
        rate: Self.rates.first { $0 > showing.clip.speed } ?? Self.rates[Self.rates.count - 1], showing)
    case .normalSpeed: change(rate: 1, showing)
    case .chapter(let way): goToChapter(way, showing)
    case .abLoop:
      showing.loop.press(at: showing.place)
      say(showing.loop.notice(words))
    default: break
    }
  }

  private func playOrPause(_ showing: Showing) {
    showing.clip.willPlay ? showing.clip.pause() : showing.clip.startPlaying()
  }

  func change(rate: Double, _ showing: Showing) {
    guard !refuseInAd(showing) else { return }
    showing.clip.setRate(rate)
    say(.speed, words.rate(rate))
  }

  private func jump(toTenth tenth: Int, _ showing: Showing) {
    if let duration = showing.duration {
      seek(MediaTime(seconds: duration.seconds * Double(tenth) / 10), showing)
    } else if let edge = showing.clip.loader?.liveEdge {
      seek(edge.start + MediaTime(seconds: (edge.end - edge.start).seconds * Double(tenth) / 10), showing)
    }
  }

  func seek(_ place: MediaTime, _ showing: Showing) {
    guard !tellIfLive(showing), !refuseInAd(showing), let target = sought(place, showing) else { return }
    showing.clip.seek(to: target)
  }

  /// Says that a live stream cannot be sought in; returns false for other clips.
  private func tellIfLive(_ showing: Showing) -> Bool {
    guard showing.clip.info.isLive, showing.clip.loader?.liveEdge == nil else { return false }
    say(.cannotSeekLive)
    return true
  }

  static let rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]
}
