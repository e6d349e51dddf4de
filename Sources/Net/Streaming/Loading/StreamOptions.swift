import Adaptation
import HTTP
import Media

/// How a stream is loaded.
public struct StreamOptions: Sendable {
  public var controller: ControllerChoice
  public var estimator = EstimatorRow.all[0]
  public var load = LoadPolicy()
  public var retries = RetryPolicy()
  /// Playing begins here, in seconds from the stream's start.
  public var startTime = 0.0
  /// How a live stream is played.
  public var live = LiveChoice()
  /// What a player does with a seek over a break.
  public var breakRule = BreakRule.watch
  /// What is remembered of loading.
  public var history = HistoryOptions()
  /// Of the waits between retries.
  public var seed: UInt64 = 1
  /// What servers are told; nil: nothing.
  public var cmcd: CMCDOptions?
  /// As `NetworkOptions` has it.
  public var verifiesCertificates = true
  /// Where the stream's server is the program's own; nil: it is another one.
  public var served: ServedFolder?
  /// The hosts that the stream's URL may lead to.
  public var policy = AddressPolicy.named
  /// Come before those of the stream's own licence server.
  public var keys = ContentKeys()
  public var limits = StreamLimits()

  public init(controller: ControllerChoice) { self.controller = controller }
}

/// What a stream remembers of its loading.
public struct HistoryOptions: Sendable, Hashable {
  /// So many requests, decisions and segments; those of a stream of days would fill the memory.
  public var limit = 100_000
  /// `LoadedStream.steps` has the actions of the video's loader.
  package var keepsSteps = false

  public init() {}
}

/// How a live stream is played.
public struct LiveChoice: Sendable, Hashable {
  /// Where playing goes on once the window has slid past it.
  public enum Fallback: String, Sendable, Codable, CaseIterable {
    case windowStart = "window-start"
    case edge
  }

  /// Seconds from the moment of a picture to its display; nil: what the stream asks for.
  public var latency: Double?
  /// Playing begins with the picture of this time of day; nil: at the live edge.
  public var startDate: WallTime?
  public var fallback = Fallback.windowStart
  /// A stream that brings nothing new for so long, in seconds, has failed.
  public var stuckSeconds = 60.0

  public init() {}
}

/// How long a resource of a stream may take, and how large it may be: past any of them its request fails.
///
/// Playlists and manifests have the limit of bytes that `ManifestLimits` says, keys 16 bytes.
public struct StreamLimits: Sendable, Hashable {
  /// Of the steps of each request; its `whole` is not used.
  public var timeouts = HTTPTimeouts()
  /// All of a playlist, manifest, index, key or initialisation section, in seconds.
  public var headerSeconds = 30.0
  /// A segment must bring more than `leastBytes` in each so many seconds: less counts as a stall.
  public var slowSeconds = 30.0
  public var leastBytes: Int64 = 4096
  /// Of a segment.
  public var segmentBytes: Int64 = 256 << 20
  /// Of an initialisation section or index.
  public var headerBytes: Int64 = 16 << 20
  /// Of a licence.
  public var licenceBytes: Int64 = 64 << 10

  public init() {}
}
