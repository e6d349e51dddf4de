import Frames
import Media
import Playback

/// What is to be seen of a playing clip at one refresh, for `AnalyticsLog`. A value.
package struct PlayerSample: Sendable, Equatable {
  package var status = Player.Status.loading
  /// It plays, or will as soon as it can.
  package var isPlaying = false
  package var position = MediaTime.zero
  package var rate = 1.0
  /// Seeks so far.
  package var seeks = 0
  /// Of the clip: pictures that were seen, and ones that came too late to be.
  package var presented = 0
  package var dropped = 0
  package var cause = StallCause.decode
  /// Of a stream, the picture's rung; nil: of a file, or not known.
  package var rung: Rung?
  package var tracks = Tracks()
  package var volume = 1.0
  package var isMuted = false
  /// Of a live stream: seconds behind its edge, and whether it is followed.
  package var live: Live?

  package enum StallCause: String, Sendable { case network, decode }

  package struct Rung: Sendable, Equatable {
    package var number: Int
    package var bitrate: Double
    package var height: Int?

    package init(number: Int, bitrate: Double, height: Int? = nil) {
      (self.number, self.bitrate, self.height) = (number, bitrate, height)
    }
  }

  package struct Tracks: Sendable, Equatable {
    package var sound: Int?
    package var subtitles: Int?
  }

  package struct Live: Sendable, Equatable {
    package var behindSeconds: Double
    package var isAtEdge: Bool

    package init(behindSeconds: Double, isAtEdge: Bool) {
      (self.behindSeconds, self.isAtEdge) = (behindSeconds, isAtEdge)
    }
  }

  package init() {}
}

extension PlayedClip {
  /// - Parameter subtitles: the number of the track that is shown.
  package func sample(_ tick: PlayTick, subtitles: Int?, volume: Double, isMuted: Bool) -> PlayerSample {
    var sample = PlayerSample()
    sample.status = Player.Status(tick.state)
    (sample.isPlaying, sample.position, sample.rate) = (willPlay, place, stream.pace.speed)
    sample.seeks = play.seekCount
    (sample.presented, sample.dropped) = (play.log.presented, play.log.dropped)
    sample.cause = isShortOfMedia ? .network : .decode
    sample.tracks = PlayerSample.Tracks(sound: sound?.chosen, subtitles: subtitles)
    (sample.volume, sample.isMuted) = (volume, isMuted)
    guard let loaded = session.stream else { return sample }
    if let rung = loaded.segment(at: pictureTime)?.rung, loaded.rungs.indices.contains(rung) {
      sample.rung = PlayerSample.Rung(
        number: rung, bitrate: loaded.rungs[rung].bitrate, height: loaded.rungs[rung].height)
    }
    if loaded.liveEdge != nil, let edge = loaded.livePlace {
      sample.live = PlayerSample.Live(behindSeconds: max(0, (edge - place).seconds), isAtEdge: stream.pace.follows)
    }
    return sample
  }
}
