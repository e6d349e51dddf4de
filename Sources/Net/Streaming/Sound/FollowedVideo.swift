/// The live stream whose video another track follows: sound, subtitles, small pictures.
struct FollowedVideo {
  var live: LiveMonitor
  /// The track as a later manifest of DASH has it.
  var renewed: @Sendable (Presentation) -> StreamTrack
}

extension OpenedManifest {
  /// Goes over to a track of sound.
  ///
  /// - Parameter live: of the video; nil: on demand.
  mutating func follow(_ sound: SoundTracksFound.Track, of live: LiveMonitor?) {
    let format = presentation.format
    @Sendable func track(_ presentation: Presentation) -> StreamTrack {
      StreamTrack(sound: sound.key?.renditions(in: presentation) ?? sound.renditions, format)
    }
    followed = live.map { FollowedVideo(live: $0, renewed: track) }
    self.track = live?.manifest.map { track($0.presentation) } ?? StreamTrack(sound: sound.renditions, format)
  }
}
