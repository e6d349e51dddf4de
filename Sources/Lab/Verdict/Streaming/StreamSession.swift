/// What one trial loaded from a stream and showed of it: requests, states, rungs and buffer on one clock.
///
/// Times are in seconds since the stream was opened, when the first request was queued; they are kept to microseconds. Rungs and
/// segments count from 0, rungs in the order of `rungs`. The lists ascend by time. Nil is unknown, or not applicable; `StreamMeasures`
/// derives the metrics.
public struct StreamSession: Hashable, Sendable, Codable {
  public enum Format: String, Hashable, Sendable, Codable, CaseIterable {
    case hls, dash
  }

  /// What tells how good the pictures of a segment are, dB.
  public enum Quality: String, Hashable, Sendable, Codable, CaseIterable {
    /// −10 log10(1 − SSIM).
    case ssim
    /// Of spheres.
    case weightedPSNR = "ws_psnr"
  }

  /// A quality that the controller could choose.
  public struct Rung: Hashable, Sendable, Codable {
    /// The manifest's name of it, or one made of its place.
    public var id: String
    /// As the manifest declares it, bit/s.
    public var bitrate: Double
    /// As RFC 6381 writes it: `avc1.42c01e`.
    @Nullable public var codec: String?
    @Nullable public var width: Int?
    @Nullable public var height: Int?
    /// Pictures per second.
    @Nullable public var frameRate: Double?
    /// How good the pictures of each segment are, dB, as `StreamSession.quality` names it; nil: unknown.
    @Nullable public var qualityDb: [Double]?

    public init(
      id: String, bitrate: Double, codec: String? = nil, width: Int? = nil, height: Int? = nil, frameRate: Double? = nil
    ) {
      (self.id, self.bitrate) = (id, bitrate)
      self.codec = codec
      self.width = width
      self.height = height
      self.frameRate = frameRate
    }
  }

  public var format: Format
  /// As given on the command line: `bola`, `fixed:2`.
  public var controller: String
  /// Ascending by bit rate.
  public var rungs: [Rung]
  /// In the order in which they were queued. An attempt is a request of its own.
  public var requests: [Request]
  /// Each state lasts until the next one, the last until `end`.
  public var states: [StateChange]
  public var stalls: [Stall]
  /// The rung whose pictures were on screen from then on.
  public var shown: [RungChange]
  public var buffer: [BufferLevel]
  /// When the first picture was shown; nil: none was.
  @Nullable public var firstFrame: Double?
  /// When the trial stopped watching.
  public var end: Double
  /// Media seconds that were shown in all.
  public var position: Double
  public var decisions: [Decision]
  /// What `Rung.qualityDb` is; nil where the quality of the segments is unknown.
  @Nullable public var quality: Quality?
  /// How far behind life the pictures were; nil for a stream on demand.
  public var live: [LiveLevel]?
  /// How often the packager of a live stream began again; nil: it did not.
  public var restarts: [Restart]?

  public init(
    format: Format, controller: String, rungs: [Rung], requests: [Request] = [], states: [StateChange] = [],
    stalls: [Stall] = [], shown: [RungChange] = [], buffer: [BufferLevel] = [], firstFrame: Double? = nil, end: Double,
    position: Double, decisions: [Decision] = []
  ) {
    (self.format, self.controller, self.rungs) = (format, controller, rungs)
    (self.requests, self.states, self.stalls, self.shown) = (requests, states, stalls, shown)
    (self.buffer, self.decisions) = (buffer, decisions)
    (self.end, self.position) = (roundedToMicroseconds(end), roundedToMicroseconds(position))
    self.firstFrame = firstFrame.map(roundedToMicroseconds)
  }
}

extension StreamSession {
  /// What the player does, in the words of Media3's `PlaybackStats`.
  public enum State: String, Hashable, Sendable, Codable, CaseIterable {
    /// Before the first picture.
    case joining
    case playing, paused, seeking
    /// After the first picture: the buffer ran empty.
    case rebuffering
    case ended, failed
  }

  public struct StateChange: Hashable, Sendable, Codable {
    public var time: Double
    public var state: State

    public init(time: Double, state: State) {
      (self.time, self.state) = (roundedToMicroseconds(time), state)
    }
  }

  /// A span after the first picture in which nothing new was there to show: empty buffer → playing again.
  /// The packager of a live stream began again.
  public struct Restart: Hashable, Sendable, Codable {
    /// When the first segment behind it began to arrive.
    public var time: Double
    /// Where its pictures begin in the stream, media seconds.
    public var position: Double

    public init(time: Double, position: Double) {
      (self.time, self.position) = (roundedToMicroseconds(time), roundedToMicroseconds(position))
    }
  }

  public struct Stall: Hashable, Sendable, Codable {
    public enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
      /// Media was not downloaded in time.
      case network
      /// It was downloaded, and not decoded in time.
      case decode
      /// It was decoded, and not drawn in time.
      case render
    }

    public var start: Double
    public var seconds: Double
    public var cause: Cause

    public init(start: Double, seconds: Double, cause: Cause) {
      (self.start, self.seconds) = (roundedToMicroseconds(start), roundedToMicroseconds(seconds))
      self.cause = cause
    }
  }

  /// Another rung's first picture on screen.
  public struct RungChange: Hashable, Sendable, Codable {
    public var time: Double
    public var rung: Int
    /// Of that picture, media seconds.
    public var position: Double

    public init(time: Double, rung: Int, position: Double) {
      (self.time, self.rung) = (roundedToMicroseconds(time), rung)
      self.position = roundedToMicroseconds(position)
    }
  }

  /// Media downloaded ahead of the picture on screen.
  public struct BufferLevel: Hashable, Sendable, Codable {
    public var time: Double
    /// Of media.
    public var seconds: Double

    public init(time: Double, seconds: Double) {
      (self.time, self.seconds) = (roundedToMicroseconds(time), roundedToMicroseconds(seconds))
    }
  }

  /// How far behind life the picture on screen is.
  public struct LiveLevel: Hashable, Sendable, Codable {
    public var time: Double
    /// The wall clock coded in the picture → the picture shown, s; nil where pictures carry no number.
    @Nullable public var latency: Double?
    /// The same by the time of day that the stream tells; nil where it tells none.
    @Nullable public var dateLatency: Double?
    /// Media between the picture and the live edge, s.
    public var edgeDistance: Double
    /// Media seconds per second.
    public var rate: Double
    /// The latency that the player keeps, s. Absent, not null, before playing has begun, and in records of earlier builds.
    public var target: Double?

    public init(
      time: Double, latency: Double?, dateLatency: Double?, edgeDistance: Double, rate: Double, target: Double? = nil
    ) {
      (self.time, self.rate) = (roundedToMicroseconds(time), rate)
      self.target = target.map(roundedToMicroseconds)
      self.edgeDistance = roundedToMicroseconds(edgeDistance)
      self.latency = latency.map(roundedToMicroseconds)
      self.dateLatency = dateLatency.map(roundedToMicroseconds)
    }
  }

  /// The controller's choice of a rung for a segment.
  public struct Decision: Hashable, Sendable, Codable {
    public var time: Double
    public var segment: Int
    public var rung: Int

    public init(time: Double, segment: Int, rung: Int) {
      (self.time, self.segment, self.rung) = (roundedToMicroseconds(time), segment, rung)
    }
  }
}

/// Six decimals, which print short.
func roundedToMicroseconds(_ seconds: Double) -> Double {
  abs(seconds) < 1e9 ? (seconds * 1e6).rounded() / 1e6 : seconds
}
