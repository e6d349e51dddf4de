import Frames
import Media
import Playback
import Streaming

/// What is to be seen of a playing clip at one refresh, for `AnalyticsLog`. A value.
package struct PlayerSample: Sendable, Equatable {
  package var status = PlaybackState.opening
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

extension PlayerSample {
  /// Of a clip that is played.
  package init(_ play: PlaySession, _ tick: PlayTick) {
    status = tick.state
    (isPlaying, position, rate) = (play.willPlay, play.clipPosition, play.player.rate)
    seeks = play.seekCount
    (presented, dropped) = (play.log.presented, play.log.dropped)
  }

  /// What is known of a stream that is played.
  ///
  /// - Parameters:
  ///   - picture: where the picture is, on the stream's axis.
  ///   - follows: it is played at its live edge, where it has one.
  package mutating func note(_ stream: LoadedStream, picture: MediaTime, follows: Bool) {
    if let rung = stream.segment(at: picture)?.rung, stream.rungs.indices.contains(rung) {
      self.rung = Rung(number: rung, bitrate: stream.rungs[rung].bitrate, height: stream.rungs[rung].height)
    }
    if stream.liveEdge != nil, let edge = stream.livePlace {
      live = Live(behindSeconds: max(0, (edge - position).seconds), isAtEdge: follows)
    }
  }
}
