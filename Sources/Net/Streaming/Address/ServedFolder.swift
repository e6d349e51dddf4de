import FoundationEssentials

/// A folder of this machine that an origin of the program's own serves: sentences name its files, for the user does not know the origin.
public struct ServedFolder: Sendable, Hashable, Codable {
  /// Of the origin, with a slash at its end.
  public var url: String
  /// As the user wrote it.
  public var path: String

  public init(url: String, path: String) { (self.url, self.path) = (url, path) }

  /// The file that an address names; nil for one of another server.
  func file(_ address: StreamAddress) -> String? {
    guard address.text.hasPrefix(url) else { return nil }
    let rest = address.text.dropFirst(url.count).prefix { $0 != "?" && $0 != "#" }
    let name = String(rest).withoutPercentEncoding
    return path == "." ? name : path.hasSuffix("/") ? path + name : path + "/" + name
  }
}
