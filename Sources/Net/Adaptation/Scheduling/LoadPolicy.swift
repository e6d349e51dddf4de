/// When a player loads and plays, whichever controller chooses the rungs.
public struct LoadPolicy: Sendable, Hashable, Codable {
  /// What is loaded after a download was abandoned.
  public enum AfterAbandoning: String, Sendable, Hashable, Codable {
    /// The controller decides again, as in sabre.
    case decidesAgain
    /// The rung that the controller abandoned the download for, as in dash.js.
    case takesLowerRung
  }

  /// A player with a full buffer loads again once a segment fits below this, s. As high as `maximum`: as soon as one fits.
  public var minimum: Double
  /// Most media that is kept ahead of the playhead, s.
  public var maximum: Double
  /// Media that starts playing, and that ends rebuffering, s; always at least a segment, and at most what is left.
  public var resume: Double
  /// Rungs above this are never loaded, bit/s; the lowest stays. Nil: no limit.
  public var peakBitrate: Double?
  /// The first segment's rung is the highest up to this, bit/s. Nil: the lowest.
  public var startBitrate: Double?
  public var afterAbandoning = AfterAbandoning.decidesAgain

  /// Values of buffers, s.
  public static let limits = 1.0...86_400.0

  /// Sabre's: 25 s, filled up as soon as a segment fits, played from the first segment on.
  public init(minimum: Double = 25, maximum: Double = 25, resume: Double = 0) {
    (self.minimum, self.maximum, self.resume) = (minimum, maximum, resume)
  }

  /// How long to load nothing before a segment of `seconds` is requested; 0: at once. Never so long that the buffer runs empty.
  public func wait(buffer: Double, segment seconds: Double) -> Double {
    // Rounding is no excess.
    guard buffer + seconds > maximum + Self.rounding else { return 0 }
    let wait = min(buffer + seconds - min(minimum, maximum), buffer)
    return wait > Self.rounding ? wait : 0
  }

  /// The buffer that starts playing, s: `resume`, but no more than a player loads with segments of `seconds`.
  public func enough(segment seconds: Double) -> Double { max(0, min(resume, maximum - seconds)) }

  /// s
  private static let rounding = 1e-6
}
