import Frames
import HTTP

/// An ad that can be played, and whom its events are told to.
public struct PlayableAd: Sendable, Hashable {
  public var id: String?
  public var title: String?
  /// With a URL, or a path where the schedule is a file of this machine.
  public var file: VASTFile
  /// The hosts that the file's URL may lead to.
  public var policy: AddressPolicy
  /// As the server tells.
  public var duration: MediaTime?
  public var skips: AdPlace?
  /// Of the wrappers, the outermost first, then of the ad.
  public var requests: [AdRequest] = []
  public var errors: [AdURL] = []
}

/// A URL that is requested when something happens, of the document that names it.
public struct AdRequest: Sendable, Hashable {
  public var event: AdEvent
  public var url: AdURL

  public init(event: AdEvent, url: AdURL) { (self.event, self.url) = (event, url) }
}

/// Why an ad is not played.
public struct AdFailure: Sendable, Hashable {
  /// Of VAST 4.2, section 2.3.6.3.
  public enum Code: Int, Sendable {
    case badXML = 100
    case badVersion = 102
    case notLinear = 201
    case noAnswer = 301
    case tooManyWrappers = 302
    case noAd = 303
    case noFile = 401
    case slow = 402
    case noPlayableFile = 403
    case cannotPlay = 405
    case program = 901
  }

  public var code: Code
  /// For the user.
  public var failure: Failure
  /// Requested with the code.
  public var errors: [AdURL]

  public init(_ code: Code, _ failure: Failure, errors: [AdURL]) {
    (self.code, self.failure, self.errors) = (code, failure, errors)
  }
}

/// The ads of one break.
public struct AdPod: Sendable, Hashable {
  /// In the order in which they are played.
  public var ads: [PlayableAd] = []
  public var failures: [AdFailure] = []
}

/// Which of an ad's files is played.
public struct AdWishes: Sendable, Hashable {
  /// The highest one up to this is taken, else the lowest.
  public var bitrate: Int?
  /// Of the place where it is shown: no more lines than needed, where there are several.
  public var height: Int?

  public init(bitrate: Int? = nil, height: Int? = nil) { (self.bitrate, self.height) = (bitrate, height) }

  private static let playable: Set<String> = [
    "video/mp4", "video/webm", "video/quicktime", "video/x-m4v", "video/mp2t", "video/ogg", "video/3gpp", "video/mpeg",
    "video/x-matroska", "application/x-mpegurl", "application/vnd.apple.mpegurl", "application/dash+xml",
  ]

  /// Nil: none of them can be played.
  func choose(_ files: [VASTFile]) -> VASTFile? {
    let files = files.filter { $0.program == nil && Self.playable.contains($0.type) }
    let fitting = files.filter { file in
      (bitrate.map { file.bitrate ?? 0 <= $0 } ?? true) && (height.map { file.height ?? 0 <= $0 } ?? true)
    }
    func rank(_ file: VASTFile) -> (Int, Int) { (file.bitrate ?? 0, file.height ?? 0) }
    return fitting.max { rank($0) < rank($1) } ?? files.min { rank($0) < rank($1) }
  }
}
