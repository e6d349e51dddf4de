import Adaptation
import Frames

// What a window tells of the network, and does about it. Any thread.
extension LoadedStream {
  /// All requests so far, those of its sound, its subtitles and its previews among them.
  public var statistics: StreamStatistics { log.statistics.adding(sideLog.statistics) }
  /// What chooses the rungs, by its name.
  public var controller: String { options.controller.name }
  /// How much media is kept ahead.
  public var load: LoadPolicy { options.load }
  /// The server's name, with its port where that is not the usual one.
  public var serverName: String { StreamAddress.host(of: path) }

  /// Connections are not what they were, for the machine has slept: requests under way are made again, and all go over new connections.
  /// What is loaded stays.
  public func renewConnections() { transport.renew() }
}

extension StreamAddress {
  /// `server:8080` of a URL; the text itself where it is none.
  fileprivate static func host(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return String(authority.split(separator: "@").last ?? authority)
  }
}
