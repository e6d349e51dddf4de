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

  /// - Parameters:
  ///   - chosen: one of the clip's tracks, which can be heard.
  ///   - keepsAll: the sound heard is kept to the end.
  ///   - fallback: plays where the output stops for good.
  package init(
    _ sound: SoundTracks, chosen: Int, output: any AudioOutput, keepsAll: Bool,
    fallback: @escaping @Sendable (SoundFormat) -> any AudioOutput
  ) throws(Failure) {
    (self.sound, tracks, self.chosen, format) = (sound, sound.tracks, chosen, output.format)
    let reader = try sound.reader(chosen, format: output.format, interruption: interruption)
    player = SoundPlayer(
      reader, output: output, fallback: fallback, start: sound.start, keeps: keepsAll ? nil : 0,
      hasLevels: sound.isSoundOnly)
  }

  /// The output, and the number of the stream that is heard.
  package var description: (output: String, track: Int) { (player.outputName, tracks[chosen].streamIndex) }

  /// A frame came from the decoder.
  package func follow(_ queued: QueuedFrame) {
    player.follow(place: queued.place.time, time: queued.frame.presentationTime)
  }

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
