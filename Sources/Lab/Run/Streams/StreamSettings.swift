import Adaptation
import Frames
import HTTP
import Media
import Origin
import Streaming
import Verdict

/// How a stream is loaded, as requested.
public struct StreamSettings: Sendable, Codable {
  /// As `ControllerChoice` reads it; of several clients, several of them with commas between.
  public var controller = "dynamic"
  /// As `EstimatorRow` names it.
  public var estimator = EstimatorRow.all[0].name
  public var load = LoadPolicy()
  public var retries = RetryPolicy()
  /// Where playing goes on once a window has slid past it.
  public typealias LiveFallback = LiveChoice.Fallback
  /// Where the keys of CMCD are written.
  public typealias CMCDMode = CMCDOptions.Mode
  /// How servers are told of each request; nil: not at all.
  public var cmcd: CMCDMode?
  /// Playing begins here, in seconds from the stream's start.
  public var startTime = 0.0
  /// Playing begins with the picture of this time of day, in ISO 8601; nil: it does not.
  public var startDate: String?
  /// Seconds from the moment of a picture to its display; nil: what a live stream asks for.
  public var liveLatency: Double?
  public var liveFallback = LiveFallback.windowStart
  /// An origin of the run's own serves its ladder live; nil: as it is.
  public var serving: LiveServing?
  /// The players of a trial.
  public var clients = ClientSettings()
  /// Of the link to an origin of the run's own; nil: as fast as the machine is.
  public var link: LinkSettings?
  /// A file with rules of faults of that origin; nil: it has none.
  public var faults: String?
  /// Which of a ladder's presentations is played.
  public var packaging = Packaging.hlsFragmented

  public init() {}

  /// For a person who watches.
  public static var watching: StreamSettings {
    var settings = StreamSettings()
    settings.retries = .watching
    return settings
  }

  /// For the record: what a session has on the virtual clock too.
  var recorded: Record.Settings.Streaming {
    var record = Record.Settings.Streaming()
    (record.controller, record.estimator) = (controller, estimator)
    (record.bufferMinimum, record.bufferMaximum) = (load.minimum, load.maximum)
    record.bufferResume = load.resume
    (record.peakBitrate, record.startBitrate) = (load.peakBitrate, load.startBitrate)
    record.link = link.map { link in
      var recorded = Record.Settings.Streaming.Link(
        network: link.trace?.split(separator: "/").last.map(String.init) ?? "constant")
      (recorded.rateMbps, recorded.rttMs, recorded.lossPct) = (link.rate, link.roundTrip, link.loss)
      return recorded
    }
    return record
  }

  /// How an origin of the run's own serves a ladder live.
  public struct LiveServing: Sendable, Codable {
    /// Media that is listed, s; nil: as `LiveOptions` has it.
    public var window: Double?
    /// Seconds of a part; nil: segments are published whole.
    public var parts: Double?
    public var keepsAll = false
    /// s; nil: it does not end.
    public var endsAfter: Double?

    public init() {}

    var options: LiveOptions {
      var options = LiveOptions()
      options.windowSeconds = window ?? options.windowSeconds
      (options.partSeconds, options.keepsAll, options.endsAfter) = (parts, keepsAll, endsAfter)
      return options
    }
  }

  /// A ladder's presentations.
  public enum Packaging: String, Sendable, Codable, CaseIterable {
    case hlsFragmented = "hls-fmp4"
    case hlsTransport = "hls-ts"
    case dash

    /// Its playlist or manifest, below the ladder's folder.
    var manifest: String {
      switch self {
      case .hlsFragmented, .hlsTransport: rawValue + "/main.m3u8"
      case .dash: "manifest.mpd"
      }
    }
  }

  /// Whether text is a time of day that `startDate` takes.
  public static func isDate(_ text: String) -> Bool { WallTime(text.utf8) != nil }

  /// Of the first client.
  ///
  /// Throws `.usage` for a controller that there is not.
  public func options(seed: UInt64, network: NetworkOptions) throws(Failure) -> StreamOptions {
    let name = controllers[0]
    guard let choice = ControllerChoice(name) else {
      throw Failure(
        .usage, "cannot use controller '\(name)'", cause: "there is none of that name",
        remedy: "there are: " + ControllerChoice.forms)
    }
    var options = StreamOptions(controller: choice)
    options.estimator = EstimatorRow.named(estimator) ?? options.estimator
    (options.load, options.retries, options.startTime, options.seed) = (load, retries, startTime, seed)
    (options.live.latency, options.live.fallback) = (liveLatency, liveFallback)
    options.live.stuckSeconds = max(options.live.stuckSeconds, retries.limitSeconds)
    options.live.startDate = startDate.flatMap { WallTime($0.utf8) }
    options.cmcd = cmcd.map { CMCDOptions($0) }
    (options.verifiesCertificates, options.keys) = (network.verifiesCertificates, network.keys)
    options.policy = network.policy
    return options
  }
}
