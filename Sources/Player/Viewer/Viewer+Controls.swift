import Bench360Player
import Frames
import Overlay
import Window

// The control bar in the window: its input, and its effects.
extension Viewer {
  /// Passes an event to the bar first; returns whether the bar consumed it.
  func offer(_ event: WindowEvent, at now: MonotonicTime) -> Bool {
    let answer = controls.handle(event, at: now)
    for effect in answer.effects { apply(effect) }
    return answer.isTaken
  }

  private func apply(_ effect: ControlEffect) {
    switch effect {
    case .perform(let action): perform(action)
    case .choose(let choice): choose(choice)
    case .beginScrubbing(let slider): showing?.clip.beginScrubbing(slider)
    case .scrub(let place):
      if let showing, let target = sought(place, showing) { showing.clip.scrub(to: target) }
    case .endScrubbing: showing?.clip.endScrubbing()
    case .setVolume(let volume): set(volume: volume)
    }
  }

  /// Applies a menu choice.
  private func choose(_ choice: MenuChoice) {
    switch choice {
    case .projection(let projection): project(projection)
    case .stereo(let stereo): reshape { $0.stereo = stereo }
    case .subtitles(let track): chooseSubtitles(track)
    case .quality(let rung): choose(quality: rung)
    case .audio(let track): choose(audio: track)
    case .rate(let rate): if let showing { change(rate: rate, showing) }
    case .playlist(let choice): choose(choice)
    }
  }

  /// Updates the bar with the playback state before each refresh.
  func advanceControls(to now: MonotonicTime, _ showing: Showing) {
    guard let painter = painter() else { return }
    let hasChanged = controls.advance(
      to: now, controlFacts(showing), size: showing.clip.size, scale: window.contentScale,
      measure: { painter.measure($0, $1) }, thumbnail: { showing.clip.thumbnail(at: $0) })
    if hasChanged { isStale = true }
    subtitles.bottom = Int(controls.height)
    if window.hidesPointer != controls.hidesPointer { window.hidesPointer = controls.hidesPointer }
  }

  private func controlFacts(_ showing: Showing) -> ControlFacts {
    var facts = ControlFacts()
    let geometry = showing.clip.geometry
    facts.isPlaying = showing.clip.willPlay
    facts.isAtEnd = showing.clip.state.isAtEnd
    facts.files = fileFacts
    facts.place = showing.place
    facts.duration = showing.duration
    facts.loadedTo = showing.clip.loadedTo
    facts.rate = showing.clip.speed
    facts.live = showing.liveWindow
    (facts.projection, facts.stereo) = (geometry.projection, geometry.stereo)
    facts.projections.order = ProjectionOrder.menu(likely: showing.likelyProjections)
    facts.showsBothEyes = geometry.eye == .both
    for (number, track) in subtitles.tracks.enumerated() where track.refusal == nil {
      facts.subtitles[number] = words.name(of: track)
    }
    facts.chosenSubtitles = subtitles.chosen
    facts.qualities = showing.qualities(words)
    facts.sound = soundFacts(showing)
    facts.marks = marks(showing)
    facts.ad = adFacts
    (facts.window.isMini, facts.window.isFullscreen) = (window.isMini, window.isFullscreen)
    facts.window.showsStatistics = hud.showsStatistics
    facts.window.textSize = options.settings.textSize
    facts.window.isHighContrast = options.settings.isHighContrast
    facts.window.words = words
    return facts
  }
}
