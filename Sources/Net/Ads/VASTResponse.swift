import Frames

/// What an ad server answers: VAST 2.0 to 4.3, as far as a player of pictures needs it. Companions and non-linear ads are left out.
public struct VASTResponse: Sendable, Hashable {
  /// `4.2`
  public var version: String
  /// In the server's order.
  public var ads: [VASTAd] = []
  /// Requested where none of them can be played.
  public var errors: [String] = []

  /// One ad that plays a file, and tells no one.
  public static func playing(_ file: String) -> VASTResponse {
    var linear = VASTLinear()
    linear.files = [VASTFile(url: file, type: "video/mp4")]
    return VASTResponse(version: "4.2", ads: [VASTAd(linear: linear)])
  }
}

/// One ad, or a wrapper around those of another server.
public struct VASTAd: Sendable, Hashable {
  public var id: String?
  /// Its place in a pod: ads with one are played one after the other. Nil: it stands alone.
  public var sequence: Int?
  public var title: String?
  /// Nil: the ad itself.
  public var wrapper: VASTWrapper?
  /// What is played; of a wrapper, only what is told of it. Nil: it has nothing to play.
  public var linear: VASTLinear?
  /// Requested at the first picture.
  public var impressions: [String] = []
  /// Requested where it cannot be played.
  public var errors: [String] = []
}

/// Where the ads of another server are.
public struct VASTWrapper: Sendable, Hashable {
  public var tag: String
  /// Those ads may be wrappers as well.
  public var followsWrappers = true
  /// Of a pod all ads are played, not the first alone.
  public var allowsSeveral = false
}

/// Pictures that take the place of the clip's for a while.
public struct VASTLinear: Sendable, Hashable {
  /// As the server tells; the file is played to its own end.
  public var duration: MediaTime?
  /// The viewer may leave it from there on; nil: may not.
  public var skips: AdPlace?
  public var files: [VASTFile] = []
  public var requests: [VASTRequest] = []
}

/// The pictures in one form.
public struct VASTFile: Sendable, Hashable {
  /// As the server writes it.
  public var url: String
  /// `video/mp4`
  public var type: String
  public var width: Int?
  public var height: Int?
  /// Bits per second.
  public var bitrate: Int?
  /// A program that is to be run, such as `VPAID`; nil: pictures.
  public var program: String?
  /// `mediaType="360"`, of VAST 4.1.
  public var isSpherical = false
}

/// A URL that is requested when something happens.
public struct VASTRequest: Sendable, Hashable {
  public var event: AdEvent
  public var url: String

  public init(event: AdEvent, url: String) { (self.event, self.url) = (event, url) }
}

/// What is told of an ad that is played.
public enum AdEvent: Sendable, Hashable {
  case impression
  case start, firstQuartile, midpoint, thirdQuartile, complete
  case progress(AdPlace)
  case pause, resume, mute, unmute, skip
  /// Of a break.
  case breakStart, breakEnd, error

  /// Nil for events that this player has no occasion for.
  init?(_ name: String, at place: AdPlace?) {
    switch name {
    case "start", "creativeView", "loaded": self = .start
    case "firstQuartile": self = .firstQuartile
    case "midpoint": self = .midpoint
    case "thirdQuartile": self = .thirdQuartile
    case "complete": self = .complete
    case "progress":
      guard let place else { return nil }
      self = .progress(place)
    case "pause": self = .pause
    case "resume": self = .resume
    case "mute": self = .mute
    case "unmute": self = .unmute
    case "skip": self = .skip
    case "breakStart": self = .breakStart
    case "breakEnd": self = .breakEnd
    case "error": self = .error
    default: return nil
    }
  }
}

/// A place in an ad, or in a clip.
public enum AdPlace: Sendable, Hashable {
  case time(MediaTime)
  /// Of the duration, 0 … 1.
  case share(Double)

  /// `00:00:05`, `00:00:05.250`, `25%`; nil for other text.
  init?(_ text: String) {
    if text.hasSuffix("%") {
      guard let percent = Double(text.dropLast()), (0...100).contains(percent) else { return nil }
      self = .share(percent / 100)
    } else {
      guard let time = Self.clock(text) else { return nil }
      self = .time(time)
    }
  }

  /// `HH:MM:SS` with or without a fraction.
  static func clock(_ text: String) -> MediaTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = Int(parts[0]), let minutes = Int(parts[1]), let seconds = Double(parts[2]),
      (0..<1000).contains(hours), (0..<60).contains(minutes), seconds >= 0, seconds < 61
    else { return nil }
    return MediaTime(seconds: Double(hours * 3600 + minutes * 60) + seconds)
  }

  /// - Parameter duration: of the whole; nil where it is not known.
  public func time(in duration: MediaTime?) -> MediaTime? {
    switch self {
    case .time(let time): time
    case .share(let share): duration.map { MediaTime(seconds: $0.seconds * share) }
    }
  }
}
