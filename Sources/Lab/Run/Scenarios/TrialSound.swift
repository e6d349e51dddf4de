import Decode
import Frames
import Media
import Playback
import Render
import Session
import Sound
import Verdict

/// The sound of a trial's clip: played as the picture is, and held against it afterwards.
final class TrialSound {
  let player: SoundPlayer
  /// Of all outputs: that of most devices.
  private static let sampleRate = 48_000

  /// Nil where the clip has no sound that can be played, or none is wanted. A device that cannot be opened is a warning: the
  /// picture is measured without it.
  ///
  /// - Parameter turns: sound that turns with the view is played, and no other.
  init?(of session: RenderSession, _ trial: Trial, turns: Bool = false) {
    let settings = trial.request.settings.sound
    guard let sound = session.sound, let wanted = settings.output ?? (sound.isLoaded ? nil : "null"),
      let number = Self.number(of: AudioWish(settings.track) ?? .auto, in: sound.tracks, turns: turns)
    else { return nil }
    let track = sound.tracks[number]
    do throws(Failure) {
      let choice = try AudioOutputChoice(wanted)
      let format = SoundFormat(sampleRate: Self.sampleRate, layout: track.layout ?? .stereo)
      guard let output = try choice.open(format: format) else { return nil }
      let reader = try sound.reader(number, format: output.format, interruption: trial.interruption)
      player = SoundPlayer(
        reader, output: output, start: sound.start, turn: sound.isLoaded ? nil : session.reader.info.turn)
      player.delay(by: MediaTime(seconds: settings.delay / 1000))
      (trial.facts.sound, trial.facts.soundTrack) = (choice.description, track.streamIndex)
    } catch {
      trial.facts.warnings.append(.init(code: .audio, text: "the clip is played without its sound: \(error)"))
      return nil
    }
    if !sound.isLoaded { player.waitUntilReady() }
  }

  private static func number(of wish: AudioWish, in tracks: [AudioTrack], turns: Bool) -> Int? {
    guard turns else { return wish.choose(tracks, locale: nil) }
    let turning = tracks.indices.filter { tracks[$0].layout?.isAmbisonic == true && tracks[$0].refusal == nil }
    return wish == .auto ? turning.first : wish.choose(tracks, locale: nil).flatMap { turning.contains($0) ? $0 : nil }
  }

  /// A frame came from the decoder.
  func follow(_ queued: QueuedFrame) {
    player.follow(place: queued.place.time, time: queued.frame.presentationTime)
  }

  /// The view has turned: the head does, and what waited for that is heard. Adds how long each event took.
  func turn(to camera: Camera, after events: some Collection<MonotonicTime>, _ trial: Trial) {
    guard let heard = player.turn(pan: camera.pan, tilt: camera.tilt, roll: camera.roll) else { return }
    for event in events { trial.add(.soundTurn, heard.milliseconds(since: event)) }
  }

  /// Ends it, and adds the measures of the sound heard to the trial.
  func finish(_ trial: Trial, _ log: PlayLog) {
    player.stop()
    if let failure = player.failure {
      trial.facts.warnings.append(.init(code: .audio, text: "the clip's sound ended early: \(failure)"))
    }
    let heard = player.takeHeard()
    let measures = SoundMeasures(views: log.views, heard: heard)
    trial.add(measures)
    trial.trace?.sound.stretches = SoundMeasures.stretches(heard)
    trial.trace?.sound.offsets = measures.offsets
  }
}

extension Trial {
  func add(_ measures: SoundMeasures) {
    for offset in measures.offsets { add(.avSync, offset.milliseconds) }
    add(.avDrift, measures.driftPPM)
    add(.audioGap, measures.gaps.reduce(0, +))
    count(.audioUnderruns, measures.gaps.count)
    add(.audioStart, measures.startMilliseconds)
  }
}

extension MediaInfo {
  /// How long the video is, to the frame where the container counts them: it begins anew behind that.
  fileprivate var turn: MediaTime? {
    if let frames = video.frameCount, let rate = video.frameRate.value {
      return MediaTime(seconds: Double(frames) / rate)
    }
    return durationSeconds.map { MediaTime(seconds: $0) }
  }
}
