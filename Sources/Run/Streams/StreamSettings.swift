import Adaptation
import Frames
import HTTP
import Media
import Streaming

/// How a stream is loaded, as requested.
public struct StreamSettings: Sendable, Codable {
  /// As `ControllerChoice` reads it.
  public var controller = "dynamic"
  public var load = LoadPolicy()
  public var retries = RetryPolicy()
  /// Playing begins here, in seconds from the stream's start.
  public var startTime = 0.0
  /// Of the link to an origin of the run's own; nil: as fast as the machine is.
  public var link: LinkSettings?
  /// A file with rules of faults of that origin; nil: it has none.
  public var faults: String?
  /// Which of a ladder's presentations is played.
  public var packaging = Packaging.hlsFragmented

  public init() {}

  /// For a person who watches: an outage of minutes is no reason to end.
  public static var watching: StreamSettings {
    var settings = StreamSettings()
    (settings.retries.retryLimit, settings.retries.limitSeconds) = (1000, 600)
    return settings
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

  /// Throws `.usage` for a controller that there is not.
  public func options(seed: UInt64, network: NetworkOptions) throws(Failure) -> StreamOptions {
    guard let choice = ControllerChoice(controller) else {
      throw Failure(
        .usage, "cannot use controller '\(controller)'", cause: "there is none of that name",
        remedy: "there are: " + ControllerChoice.forms)
    }
    var options = StreamOptions(controller: choice)
    (options.load, options.retries, options.startTime, options.seed) = (load, retries, startTime, seed)
    options.verifiesCertificates = network.verifiesCertificates
    return options
  }
}
