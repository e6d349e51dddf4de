import Decode
import Frames
import Media
import Playback
import Session
import Sound

/// The sound of a clip that is played: its tracks, and the one that is heard. One thread.
package final class ClipSound {
  package let tracks: [AudioTrack]
  /// The number of the track that is heard.
  package private(set) var chosen: Int
  package let player: SoundPlayer
  private let sound: SoundTracks
  private let format: SoundFormat
  private let interruption = Interruption()
  private var hasTold = false

  /// The sound of a clip, ready to be played; nil where it has none that is wanted.
  ///
  /// Throws what opening the output fails with, and as `AudioReader.init` does. A file of sound alone needs no device: without one it
  /// is played in silence.
  ///
  /// - Parameters:
  ///   - keepsAll: the sound heard is kept to the end.
  ///   - onSilence: told what opening the output failed with where it is played without.
  package static func open(
    of clip: OpenedClip, _ wish: AudioWish, locale: Language?, on choice: AudioOutputChoice, keepsAll: Bool,
    onSilence: (Failure) -> Void
  ) throws(Failure) -> ClipSound? {
    guard let sound = clip.sound, let chosen = wish.choose(sound.tracks, locale: locale) else { return nil }
    let format = SoundFormat(sampleRate: 48_000, layout: sound.tracks[chosen].layout ?? .stereo)
    let output: (any AudioOutput)?
    do throws(Failure) {
      output = try choice.open(format: format)
    } catch {
      guard sound.isSoundOnly else { throw error }
      onSilence(error)
      output = NullOutput(format: format)
    }
    guard let output else { return nil }
    return try ClipSound(sound, chosen, output, keepsAll, SoundRefuge(isDevice: choice.isDevice))
  }

  private init(
    _ sound: SoundTracks, _ chosen: Int, _ output: any AudioOutput, _ keepsAll: Bool, _ refuge: SoundRefuge
  ) throws(Failure) {
    (self.sound, tracks, self.chosen, format) = (sound, sound.tracks, chosen, output.format)
    let reader = try sound.reader(chosen, format: output.format, interruption: interruption)
    player = SoundPlayer(
      reader, output: output, fallback: { refuge.output($0) }, start: sound.start, keeps: keepsAll ? nil : 0,
      hasLevels: sound.isSoundOnly)
  }

  /// The output, and the number of the stream that is heard.
  package var description: (output: String, track: Int) { (player.outputName, tracks[chosen].streamIndex) }

  /// A frame came from the decoder.
  package func follow(_ queued: QueuedFrame) {
    player.follow(place: queued.place.time, time: queued.frame.presentationTime)
  }

  /// Loudness is heard in ratios: half of the scale is a quarter of the amplitude, as in other players.
  ///
  /// - Parameter volume: 0 … 1.
  package func set(volume: Double, isMuted: Bool) { player.setGain(isMuted ? 0 : Float(volume * volume)) }

  package func choose(_ track: Int) throws(Failure) {
    player.change(to: try sound.reader(track, format: format, interruption: interruption))
    chosen = track
  }

  /// The next track that can be heard.
  package var next: Int? {
    let playable = tracks.indices.filter { tracks[$0].refusal == nil }
    return playable.count > 1 ? playable.after(chosen) : nil
  }

  /// What is heard at an instant; nil where there is a picture to look at.
  package func peaks(at now: MonotonicTime) -> SoundLevels.Peaks? {
    player.levels.map { player.clock.isRunning ? $0.peaks(at: player.clock.position(at: now)) : .init() }
  }

  /// Why the sound is gone, once.
  package func takeFailure() -> Failure? {
    guard !hasTold, let failure = player.failure else { return nil }
    hasTold = true
    return failure
  }

  package func stop() {
    interruption.request()
    player.stop()
  }
}
