import Frames

extension Record {
  /// Everything on the command line that can change a number, resolved: no "auto" is left.
  ///
  /// Nil is what no scenario of the run used (a decode-only run shades nothing), or, where it says so, "not asked for".
  public struct Settings: Hashable, Sendable, Codable {
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

    /// Nil when scenarios, trials and duration were all given.
    @Nullable public var suite: String?
    public var scenarios: [String] = []
    /// Fresh processes per scenario.
    public var trials = 1
    /// Media seconds per trial.
    public var durationSeconds = 0.0
    @Nullable public var size: PictureSize?
    @Nullable public var view: View?
    /// `still`, `pan`, `orbit`, or the name of a file.
    @Nullable public var camera: String?
    /// Of that file, in lower-case hexadecimal; nil when there is none.
    @Nullable public var cameraSha256: String?
    @Nullable public var projection: String?
    /// The part of the sphere that one eye's picture covers; nil: all of it, or it is flat.
    @Nullable public var bounds: SphereBounds?
    /// How the sphere's content is turned; nil when it is flat.
    @Nullable public var pose: Pose?
    @Nullable public var geometry: String?
    @Nullable public var stereo: String?
    @Nullable public var eye: String?
    /// Degrees across the circle of a fisheye picture; nil for other projections.
    @Nullable public var lensFov: Double?
    @Nullable public var decoder: String?
    /// Decoder threads in use.
    @Nullable public var threads: Int?
    /// `frame`, `slice`, `own` (the decoder library makes its own threads) or `none`.
    @Nullable public var threadType: String?
    public var lowDelay = false
    /// The pixel format that frames were converted from before upload; nil when they were taken as decoded.
    @Nullable public var convertedFrom: String?
    /// What was done to colours after the matrix. Absent, not null, where nothing was drawn and from before it was told.
    public var colorConversion: String?
    @Nullable public var upload: String?
    @Nullable public var shading: String?
    @Nullable public var refreshHz: Double?
    /// Frames decoded ahead of the display. Absent, not null, where nothing was played and from before it was told.
    public var lookAhead: Int?
    /// The file of what a hand did, and its SHA-256 in lower-case hexadecimal. Absent, not null, where there was none.
    public var inputEvents: String?
    public var inputEventsSha256: String?
    public var seed: UInt64 = 0
    @Nullable public var present: String?
    public var validate = false
    public var requireGpu = false
    /// UUID or name of the device asked for or chosen.
    @Nullable public var device: String?
    /// The CPUs asked for; nil when not pinned.
    @Nullable public var pin: String?
    public var stress = "none"
    /// A hung trial is ended after this; nil when there is no limit.
    @Nullable public var timeoutSeconds: Double?
    /// Setting → why it has its value, for each that "auto" or a fallback chose.
    public var reasons: [String: String] = [:]

    /// Nothing resolved yet: set what the run uses.
    public init() {}
  }
}
