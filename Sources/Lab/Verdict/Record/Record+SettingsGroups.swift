import Frames

extension Record.Settings {
  /// The scope of the measurement.
  public struct Repetition: Hashable, Sendable, Codable {
    /// Nil if scenarios, trials and duration were all given.
    @Nullable public var suite: String?
    public var scenarios: [String] = []
    /// Fresh processes per scenario.
    public var trials = 1
    /// Media seconds per trial.
    public var durationSeconds = 0.0
    /// Time after which a hung trial is killed; nil: no limit.
    @Nullable public var timeoutSeconds: Double?
    public var seed: UInt64 = 0

    public init() {}
  }

  public struct Decoding: Hashable, Sendable, Codable {
    @Nullable public var decoder: String?
    /// Decoder threads in use.
    @Nullable public var threads: Int?
    /// `frame`, `slice`, `own` (the decoder library makes its own threads) or `none`.
    @Nullable public var threadType: String?
    public var lowDelay = false
    /// The pixel format that frames were converted from before upload; nil if they were uploaded as decoded.
    @Nullable public var convertedFrom: String?
    /// The pictures that every frame was held against: `software`, or the name of a file of frame hashes. Absent, not null, if none were.
    public var expect: String?

    public init() {}
  }

  /// Where the camera looks, in degrees; `fov` is vertical.
  public struct View: Hashable, Sendable, Codable {
    public var pan: Double
    public var tilt: Double
    public var fov: Double
    public var roll: Double

    public init(pan: Double = 0, tilt: Double = 0, fov: Double = 85, roll: Double = 0) {
      self.pan = pan
      self.tilt = tilt
      self.fov = fov
      self.roll = roll
    }
  }

  /// The camera and its motion.
  public struct Viewing: Hashable, Sendable, Codable {
    @Nullable public var size: PictureSize?
    @Nullable public var view: View?
    /// `still`, `pan`, `orbit`, or the name of a file.
    @Nullable public var camera: String?
    /// Of that file, in lower-case hexadecimal; nil when there is none.
    @Nullable public var cameraSha256: String?
    /// The file of input events, and its SHA-256 in lower-case hexadecimal. Absent, not null, if there was none.
    public var inputEvents: String?
    public var inputEventsSha256: String?

    public init() {}
  }

  /// The mapping of the picture to the sphere, and the target.
  public struct Geometry: Hashable, Sendable, Codable {
    @Nullable public var projection: String?
    /// The part of the sphere that one eye's picture covers; nil: all of it, or a flat picture.
    @Nullable public var bounds: SphereBounds?
    /// How the sphere's content is turned; nil when it is flat.
    @Nullable public var pose: Pose?
    /// The key is `geometry`.
    @Nullable public var sphere: String?
    @Nullable public var stereo: String?
    @Nullable public var eye: String?
    /// Degrees across the circle of a fisheye picture; nil for other projections.
    @Nullable public var lensFov: Double?

    public init() {}

    private enum CodingKeys: String, CodingKey {
      case projection, bounds, pose, stereo, eye, lensFov
      case sphere = "geometry"
    }
  }

  /// The device that drew, and the upload strategy.
  public struct Drawing: Hashable, Sendable, Codable {
    /// UUID or name of the device asked for or chosen.
    @Nullable public var device: String?
    public var requireGpu = false
    public var validate = false
    @Nullable public var upload: String?
    @Nullable public var shading: String?
    /// Colour processing after the matrix. Absent, not null, if no view was drawn, and in records of earlier builds.
    public var colorConversion: String?

    public init() {}
  }

  /// The display, and how far decoding ran ahead of it.
  public struct Pacing: Hashable, Sendable, Codable {
    /// `offscreen` or `window`; nil if no view was drawn.
    @Nullable public var present: String?
    @Nullable public var refreshHz: Double?
    /// Frames decoded ahead of the display. Absent, not null, if no clip was played, and in records of earlier builds.
    public var lookAhead: Int?
    /// The output that played the clip's sound, as `--audio` names it, and the number of the track's stream. Absent, not null, if no
    /// sound was played, and in records of earlier builds.
    public var audio: String?
    public var audioTrack: Int?
    /// How much later the sound was to be heard. Absent, not null, where it was not moved.
    public var audioDelayMs: Double?
    /// The schedule of ads, without user, password and query. Absent, not null, if no ads were played.
    public var ads: String?

    public init() {}
  }

  /// How many players loaded the stream of a trial, and what they did with it.
  public struct Clients: Hashable, Sendable, Codable {
    public var count: Int
    /// `real`: frames are decoded and drawn; `virtual`: they are consumed at their times.
    public var decoding: String
    /// From one client's start to the next one's, s.
    public var stagger: Double

    public init(count: Int, decoding: String, stagger: Double) {
      (self.count, self.decoding, self.stagger) = (count, decoding, stagger)
    }
  }

  /// How a stream was loaded, and over which link. Nil: not asked for.
  public struct Streaming: Hashable, Sendable, Codable {
    /// As the command line takes it: `bola`, `fixed:2`.
    public var controller = ""
    /// How throughput was estimated: `ewma`, `sliding`.
    public var estimator = ""
    /// Media ahead of the picture that is kept, that loading goes on below, and that ends a stall, s.
    public var bufferMaximum = 0.0
    public var bufferMinimum = 0.0
    public var bufferResume = 0.0
    /// bit/s
    @Nullable public var peakBitrate: Double?
    @Nullable public var startBitrate: Double?
    /// s
    public var startTime = 0.0
    /// Absent where nothing of it was asked for.
    public var live: Live?
    public var retries = 0
    public var retryLimit = 0.0
    /// How servers were told of each request (CTA-5004): `headers`, `query`; nil: not at all.
    @Nullable public var cmcd: String?
    /// Nil: not shaped by the run.
    @Nullable public var link: Link?
    /// The name of a file of faults.
    @Nullable public var faults: String?
    /// Of a ladder: `hls-fmp4`, `hls-ts`, `dash`; nil for a stream of another server.
    @Nullable public var packaging: String?

    public init() {}

    /// How a live stream was to be played.
    public struct Live: Hashable, Sendable, Codable {
      /// From the moment of a picture to its display, s; nil: what the stream asks for.
      @Nullable public var latency: Double?
      /// Where playing began, in ISO 8601; nil: at the live edge.
      @Nullable public var startDate: String?

      /// Nil where nothing is asked for.
      public init?(latency: Double?, startDate: String?) {
        guard latency != nil || startDate != nil else { return nil }
        (self.latency, self.startDate) = (latency, startDate)
      }
    }

    /// Over which the origin of the run was reached.
    public struct Link: Hashable, Sendable, Codable {
      /// The name of a trace, or `constant`.
      public var network: String
      @Nullable public var rateMbps: Double?
      @Nullable public var rttMs: Double?
      @Nullable public var lossPct: Double?

      public init(network: String) { self.network = network }
    }
  }
}
