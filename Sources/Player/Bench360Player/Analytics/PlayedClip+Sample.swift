import Analytics
import Playback

extension PlayedClip {
  /// How the clip is doing at a refresh, for analytics.
  ///
  /// - Parameter subtitles: the number of the track that is shown.
  package func sample(_ tick: PlayTick, subtitles: Int?, volume: Double, isMuted: Bool) -> PlayerSample {
    var sample = PlayerSample(play, tick)
    (sample.isPlaying, sample.rate) = (willPlay, stream.pace.speed)
    sample.cause = isShortOfMedia ? .network : .decode
    (sample.tracks.sound, sample.tracks.subtitles) = (sound?.chosen, subtitles)
    (sample.volume, sample.isMuted) = (volume, isMuted)
    if let loaded = session.stream { sample.note(loaded, picture: pictureTime, follows: stream.pace.follows) }
    return sample
  }
}
