import Bench360Player
import Frames

// Sound in the window.
extension Viewer {
  /// The sound of a clip, ready to be played; nil, with a message where the user should know why, if there is none.
  func openSound(of clip: OpenedClip) -> ClipSound? {
    do throws(Failure) {
      let sound = try ClipSound.open(
        of: clip, options.sound.track, locale: options.locale, on: options.sound.output,
        keepsAll: options.watch != nil, onSilence: { sayOnce($0) })
      if let sound { applyVolume(to: sound) }
      return sound
    } catch {
      sayOnce(error)
      return nil
    }
  }

  /// Once: without a device no clip has sound.
  private func sayOnce(_ failure: Failure) {
    guard hud.sayOnce(words[.noSound(cause: failure.cause)], at: .now) else { return }
    isStale = true
    openings.complaint = failure.description
  }

  /// At each refresh: sound turns with the view, its level is shown where there is no picture, and it tells where it fails.
  func followSound(_ showing: Showing, at now: MonotonicTime) {
    if showing.clip.shownFrame != nil, let complaint = openings.complaint {
      options.onMessage(complaint)
      openings.complaint = nil
    }
    guard let sound = showing.sound else { return }
    let camera = hands.look.camera
    sound.player.turn(pan: camera.pan, tilt: camera.tilt, roll: camera.roll)
    if hud.show(level: sound.peaks(at: now), at: now) { isStale = true }
    if let failure = sound.takeFailure() {
      tell(SoundRefuge.told(failure, goesOnAt: sound.player.outputName).description)
    }
  }

  /// Sound is silent, at any volume.
  var isMuted: Bool {
    get { options.sound.isMuted }
    set { options.sound.isMuted = newValue }
  }

  func soundFacts(_ showing: Showing) -> ControlFacts.Sound {
    var facts = ControlFacts.Sound()
    guard let sound = showing.sound else { return facts }
    for (number, track) in sound.tracks.enumerated() where track.refusal == nil {
      facts.tracks[number] = words.name(of: track)
    }
    (facts.chosen, facts.isMuted, facts.volume) = (sound.chosen, isMuted, options.settings.volume)
    return facts
  }

  func hear(_ action: ViewerAction) {
    guard let sound = showing?.sound else { return say(.noSound) }
    switch action {
    case .mute:
      isMuted.toggle()
      if isMuted { say(.muted) } else { sayVolume() }
    case .volume(let percent):
      set(volume: ((options.settings.volume * 100).rounded() + Double(percent)) / 100)
    case .audioTrack:
      guard let next = sound.next else { return say(.oneAudioTrack) }
      choose(audio: next)
    case .audioDelay(let tenths):
      options.settings.delaySound(tenths)
      sound.player.delay(by: MediaTime(seconds: options.settings.audioDelay))
      say(.audioDelay, words.delay(options.settings.audioDelay))
    default: break
    }
    applyVolume(to: sound)
  }

  /// Sets the volume, 0 … 1, and shows it; of further clips where this one has no sound.
  func set(volume: Double) {
    (options.settings.volume, isMuted) = (min(max(volume, 0), 1), false)
    guard let sound = showing?.sound else { return }
    sayVolume()
    applyVolume(to: sound)
  }

  /// Chooses a track, and shows a message.
  func choose(audio track: Int) {
    guard let sound = showing?.sound, sound.tracks.indices.contains(track) else { return }
    do throws(Failure) {
      try sound.choose(track)
      say(.audio, words.name(of: sound.tracks[track]))
    } catch {
      tell(error.description)
    }
  }

  private func sayVolume() { say(.volume, words.percent(options.settings.volume)) }

  func applyVolume(to sound: ClipSound) {
    sound.set(volume: options.settings.volume, isMuted: isMuted)
    sound.player.delay(by: MediaTime(seconds: options.settings.audioDelay))
  }
}
