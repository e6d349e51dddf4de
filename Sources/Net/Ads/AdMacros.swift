import Frames
import Streaming

/// What a server asks to be put into its URLs (VAST 4.2, section 6): `[ERRORCODE]`, `[CACHEBUSTING]`. What a player has no answer to is `-1`;
/// nothing of the user is told.
public struct AdMacros: Sendable {
  public var errorCode: AdFailure.Code?
  /// In the clip, and in the ad.
  public var contentPlace: MediaTime?
  public var adPlace: MediaTime?
  /// Nanoseconds since 1970.
  public var time: Int64
  /// Differs from request to request.
  public var random: UInt32

  public init(time: Int64, random: UInt32) { (self.time, self.random) = (time, random) }

  /// The URL with the answers in place of all that stands in brackets.
  public func filled(_ url: String) -> String {
    var (result, rest) = ("", url[...])
    while let open = rest.firstIndex(of: "[") {
      let name = rest[rest.index(after: open)...].prefix { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
      guard name.endIndex < rest.endIndex, rest[name.endIndex] == "]", !name.isEmpty else {
        result += rest[...open]
        rest = rest[rest.index(after: open)...]
        continue
      }
      result += rest[..<open] + (answer(String(name)) ?? "-1")
      rest = rest[rest.index(after: name.endIndex)...]
    }
    return result + rest
  }

  private func answer(_ name: String) -> String? {
    switch name {
    case "ERRORCODE": errorCode.map { "\($0.rawValue)" }
    case "CACHEBUSTING": Self.padded(Int(random % 100_000_000), 8)
    case "TIMESTAMP": WallTime(nanoseconds: time).text
    case "CONTENTPLAYHEAD", "MEDIAPLAYHEAD": contentPlace.map(Self.clock)
    case "ADPLAYHEAD": adPlace.map(Self.clock)
    default: nil
    }
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  /// `00:10:05.250`
  private static func clock(_ time: MediaTime) -> String {
    let milliseconds = max(0, time.nanoseconds / 1_000_000)
    let parts = [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1000 % 60]
    return parts.map { padded(Int($0), 2) }.joined(separator: ":") + "." + padded(Int(milliseconds % 1000), 3)
  }
}
