/// A part of a resource: `length` bytes from `offset`. Neither is negative, and their sum does not overflow.
public struct ByteRange: Sendable, Hashable {
  public let offset: Int64
  public let length: Int64
  /// The first byte behind the range.
  public var end: Int64 { offset + length }

  /// Nil for a negative number, an empty range, or an end beyond 2⁶².
  public init?(offset: Int64, length: Int64) {
    guard offset >= 0, length > 0, let end = offset.adding(length), end <= ManifestLimits.number else { return nil }
    self.offset = offset
    self.length = length
  }

  /// `FIRST-LAST`, both inclusive, as DASH and HTTP write ranges.
  package init?(inclusive text: some StringProtocol) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Decimal64.integer(parts[0]), let last = Decimal64.integer(parts[1]),
      last >= first, let length = (last - first).adding(1)
    else { return nil }
    self.init(offset: first, length: length)
  }

  /// The value of an HTTP `Range` header.
  public var header: String { "bytes=\(offset)-\(end - 1)" }
}

/// Decimal numbers of playlists and manifests: ASCII digits alone.
package enum Decimal64 {
  /// Nil for an empty text, another character than a digit, or more than 2⁶².
  package static func integer(_ digits: some Collection<UInt8>) -> Int64? {
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in digits {
      let digit = byte &- 0x30
      guard digit <= 9 else { return nil }
      let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
      guard !overflow, scaled <= ManifestLimits.number - 9 else { return nil }
      value = scaled + Int64(digit)
    }
    return value
  }

  /// Seconds with a fraction as nanoseconds, rounded half up at the tenth decimal; nil for other text, or beyond 10⁹
  /// seconds.
  package static func seconds(_ text: some Collection<UInt8>) -> Int64? {
    var (whole, fraction, weight): (Int64, Int64, Int64) = (0, 0, 100_000_000)
    var (digits, isBehindPoint) = (0, false)
    for byte in text {
      if byte == 0x2E, !isBehindPoint {
        isBehindPoint = true
        continue
      }
      let digit = Int64(byte &- 0x30)
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      digits += 1
      if !isBehindPoint {
        whole = whole * 10 + digit
        guard whole <= 1_000_000_000 else { return nil }
      } else if weight > 0 {
        fraction += digit * weight
        weight = weight == 1 ? 0 : weight / 10
      } else if weight == 0 {
        if digit >= 5 { fraction += 1 }
        weight = -1
      }
    }
    return digits > 0 ? whole * 1_000_000_000 + fraction : nil
  }
}
