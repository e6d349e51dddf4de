/// What a stream tells its servers with each request: Common Media Client Data (CTA-5004, version 1).
public struct CMCDOptions: Sendable, Hashable {
  /// Where the keys are written.
  public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
    /// The fields `CMCD-Object`, `CMCD-Request`, `CMCD-Session` and `CMCD-Status`.
    case headers
    /// The query argument `CMCD`.
    case query
  }

  public var mode: Mode
  /// Names the playback session, a UUID.
  public var session: String

  /// With a random session.
  public init(_ mode: Mode) {
    var random = SystemRandomNumberGenerator()
    self.init(mode, using: &random)
  }

  /// The session is drawn from a generator: the same one for the same seed.
  public init(_ mode: Mode, using generator: inout some RandomNumberGenerator) {
    self.mode = mode
    session = Self.identifier(generator.next(), generator.next())
  }

  /// A UUID of version 4 (RFC 9562) from 128 random bits.
  private static func identifier(_ high: UInt64, _ low: UInt64) -> String {
    let version = high & ~0xF000 | 0x4000
    let variant = low & ~(0b11 << 62) | 0b10 << 62
    let digits = [version, variant].map { bits in
      let text = String(bits, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var groups: [Substring] = []
    var rest = digits[...]
    for count in [8, 4, 4, 4, 12] {
      groups.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return groups.joined(separator: "-")
  }
}
