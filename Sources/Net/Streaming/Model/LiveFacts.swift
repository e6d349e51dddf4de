import Frames

/// The timing of a dynamic manifest (ISO/IEC 23009-1 §5.3.1).
public struct LiveFacts: Sendable, Hashable {
  /// The wall clock of the presentation's zero.
  public var availabilityStart: WallTime
  /// Segments vanish afterwards.
  public var availabilityEnd: WallTime?
  /// When this manifest was written.
  public var published: WallTime?
  /// Load the manifest again after this span; nil: it stays valid.
  public var updateInterval: MediaTime?
  /// How long segments stay; nil: until the end.
  public var window: MediaTime?
  /// Play this long behind the live edge.
  public var suggestedDelay: MediaTime?
  /// The latency that a service description aims at.
  public var targetLatency: MediaTime?
  /// Clocks to follow, best first.
  public var clocks: [ClockSource] = []
  /// Where to load the manifest from next time; empty: where it came from.
  public var locations: [StreamAddress] = []
}

/// A `UTCTiming` element.
public struct ClockSource: Sendable, Hashable {
  public enum Method: Sendable, Hashable {
    /// The `Date` header of the response to a HEAD request.
    case head([StreamAddress])
    /// A body with an ISO 8601 date.
    case iso([StreamAddress])
    /// The instant itself.
    case direct(WallTime)
  }

  public var method: Method
}

/// Whether and how a playlist or manifest changes, for HLS and DASH alike.
public struct Liveness: Sendable, Hashable {
  public enum Kind: String, Sendable {
    /// Complete.
    case onDemand
    /// Segments are added at the end, and stay.
    case event
    /// Segments are added at the end and removed at the beginning.
    case window
  }

  public var kind: Kind
  /// No segment is added any more.
  public var isEnded: Bool
  /// When to load it again, counted from the last load that brought something new; nil: never.
  public var updateInterval: MediaTime?
  /// How far behind the end playback stays.
  public var holdBack: MediaTime?

  public init(
    kind: Kind, isEnded: Bool, updateInterval: MediaTime? = nil, holdBack: MediaTime? = nil
  ) {
    self.kind = kind
    self.isEnded = isEnded
    self.updateInterval = updateInterval
    self.holdBack = holdBack
  }
}
