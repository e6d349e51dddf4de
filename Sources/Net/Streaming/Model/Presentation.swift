import Frames

/// One stream from HLS or DASH: periods of adaptation sets of renditions.
///
/// HLS has one period, and its segments carry discontinuity numbers. A rendition's segments are known at once, or after
/// one more resource is loaded: `Rendition.source` names it.
public struct Presentation: Sendable {
  public enum Format: String, Sendable {
    case hls, dash
  }

  public let format: Format
  /// The address it was loaded from, after redirects.
  public var address: StreamAddress
  public var periods: [Period]
  /// Nil in a multivariant playlist, and for a stream without an end.
  public var duration: MediaTime?
  /// The timing of a dynamic manifest; nil for static ones and for HLS, whose media playlists hold it.
  public var live: LiveFacts?
  /// The preferred start of playback.
  public var startPoint: StartPoint?
  /// All segments begin with a sync sample.
  public var hasIndependentSegments = false
  /// What it was made of, as its maker says: HLS's session data `bench360.synthetic`, DASH's `ProgramInformation`.
  public var source: String?
  /// The wall clock where the axis is 0, where the maker says so: HLS's session data `bench360.zero`; in DASH its
  /// `availabilityStartTime`.
  public var zero: WallTime?
  /// Variables for media playlists that import them.
  public var variables = PlaylistVariables()
  /// Keys that media playlists will name, so that they can be loaded early.
  public var sessionKeys: [SegmentKey] = []
  /// What the manifest marks as breaks, on the presentation's axis, by their starts; those of HLS's variants lie in their playlists.
  public var breaks: [StreamBreak] = []
  /// Of DASH: segments hold events that tell of further breaks.
  var hasSplicesInSegments = false
  /// Sentences about omitted tracks: protected, unknown or refused.
  public var notes: [String] = []

  init(format: Format, address: StreamAddress, periods: [Period]) {
    self.format = format
    self.address = address
    self.periods = periods
  }
}

/// A span of the presentation with its own adaptation sets.
public struct Period: Sendable {
  /// Unique in the presentation where the manifest gives it; else empty.
  public var id: String
  /// On the presentation's axis.
  public var start: MediaTime
  /// Nil for a period without a known end.
  public var duration: MediaTime?
  public var adaptationSets: [AdaptationSet]
}

/// The preferred start of playback (`EXT-X-START`).
public struct StartPoint: Sendable, Hashable {
  /// From the beginning; where negative, from the end.
  public var offset: MediaTime
  /// Do not show the segment's pictures before the offset.
  public var isPrecise: Bool

  public init(offset: MediaTime, isPrecise: Bool) {
    self.offset = offset
    self.isPrecise = isPrecise
  }
}

/// Renditions of the same content among which a player may switch, or one language's renditions in several groups.
public struct AdaptationSet: Sendable {
  public enum Kind: String, Sendable {
    case video, audio, subtitles
    /// Captions inside the video (CEA-608, CEA-708).
    case captions
    /// Pictures in tiles.
    case thumbnails
    /// Sync samples of the video alone: for fast playback and scrubbing.
    case trickPlay
  }

  /// In HLS the name of the track; else the manifest's identifier, which may be empty.
  public var id: String
  public var kind: Kind
  /// RFC 5646, as the manifest writes it.
  public var language: String?
  /// For people to read.
  public var name: String?
  /// `main`, `alternate`, `commentary`, `dub`, `caption`, `forced-subtitle`, `public.accessibility.…`.
  public var roles: [String] = []
  /// Played unless the user chose another.
  public var isDefault = false
  /// May be chosen by the user's language.
  public var isAutomatic = false
  /// Subtitles of speech in another language than the audio's.
  public var isForced = false
  /// Of captions: `CC1`, `SERVICE1`.
  public var channel: String?
  /// Of trick play: the identifiers of the adaptation sets that it belongs to.
  public var trickPlayOf: [String] = []
  public var renditions: [Rendition]

  public init(id: String, kind: Kind, renditions: [Rendition] = []) {
    self.id = id
    self.kind = kind
    self.renditions = renditions
  }
}
