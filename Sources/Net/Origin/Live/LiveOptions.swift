/// How a ladder is served live: over and over again, each picture at its own time of day.
public struct LiveOptions: Sendable {
  /// Seconds of media that playlists and manifest list; older segments go.
  public var windowSeconds = 30.0
  /// HLS playlists keep all segments since the start (`EVENT`), and the manifest of DASH has no window.
  public var keepsAll = false
  /// Low latency: segments are published in parts that are at most so long, in seconds; nil: whole.
  public var partSeconds: Double?
  /// Seconds after the start of the origin at which the stream ends; nil: never.
  public var endsAfter: Double?
  /// Whether HLS playlists tell the time of day of their pictures.
  public var tellsDates = true
  /// The time of day.
  public var clock = LiveClock()
  /// When the first picture of the first round was live, in nanoseconds since 1970; nil: a window before the origin starts.
  public var start: Int64?

  public init() {}
}
