import Glibc

/// An address of the Internet protocols, version 4 or 6.
public struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
  /// Of version 4 or 6: 4 or 16 bytes, the first of the address first.
  let bytes: [UInt8]

  /// An address as text, `127.0.0.1` or `::1`, brackets and zone allowed; nil for names.
  public init?(_ text: String) {
    var text = Substring(text)
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    let plain = String(text.prefix { $0 != "%" })
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, plain, &bytes) == 1 {
      self.bytes = Array(bytes[..<4])
    } else if inet_pton(AF_INET6, plain, &bytes) == 1 {
      self.bytes = bytes
    } else {
      return nil
    }
  }

  /// - Parameter address: of a `sockaddr_in` or `sockaddr_in6`. Nil for other families.
  init?(_ address: UnsafeRawPointer, family: Int32) {
    switch family {
    case AF_INET:
      let value = address.loadUnaligned(as: sockaddr_in.self).sin_addr
      bytes = withUnsafeBytes(of: value) { Array($0) }
    case AF_INET6:
      let value = address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      bytes = withUnsafeBytes(of: value) { Array($0) }
    default: return nil
    }
  }

  public var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
      return ""
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// From where the address can be reached. An address of version 4 inside one of version 6 counts as what it is.
  public var scope: AddressScope {
    if let embedded { return Self.scope(version4: embedded) }
    if bytes.count == 4 { return Self.scope(version4: bytes[...]) }
    if bytes[..<15].allSatisfy({ $0 == 0 }) && bytes[15] <= 1 { return .loopback }
    switch (bytes[0], bytes[1] & 0xC0) {
    case (0xFE, 0x80): return .linkLocal
    case (0xFE, 0xC0), (0xFC, _), (0xFD, _): return .privateUse
    case (0xFF, _): return .reserved
    default: return .global
    }
  }

  /// Of `::ffff:a.b.c.d`, `::a.b.c.d`, NAT64 (RFC 6052) and 6to4 (RFC 3056).
  private var embedded: ArraySlice<UInt8>? {
    guard bytes.count == 16 else { return nil }
    if bytes[..<10].allSatisfy({ $0 == 0 }) {
      if bytes[10] == 0xFF, bytes[11] == 0xFF { return bytes[12...] }
      if bytes[10] == 0, bytes[11] == 0, bytes[12...].contains(where: { $0 != 0 }), bytes[12...14] != [0, 0, 0] {
        return bytes[12...]
      }
    }
    if bytes[..<4] == [0x00, 0x64, 0xFF, 0x9B], bytes[4..<12].allSatisfy({ $0 == 0 }) { return bytes[12...] }
    return bytes[..<2] == [0x20, 0x02] ? bytes[2..<6] : nil
  }

  /// By the registries of RFC 6890. `0.0.0.0/8` leads to this machine.
  private static func scope(version4 bytes: ArraySlice<UInt8>) -> AddressScope {
    let (a, b) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1])
    switch (a, b) {
    case (0, _), (127, _): return .loopback
    case (169, 254): return .linkLocal
    case (10, _), (172, 16...31), (192, 168), (100, 64...127): return .privateUse
    case (224..., _): return .reserved
    default: return .global
    }
  }

  /// Whether the first `bits` are those of `other`.
  func hasPrefix(_ other: PeerAddress, bits: Int) -> Bool {
    guard bytes.count == other.bytes.count, ClosedRange(from: 0, through: bytes.count * 8).contains(bits) else {
      return false
    }
    let whole = bits / 8
    guard bytes[..<whole] == other.bytes[..<whole] else { return false }
    guard bits % 8 != 0 else { return true }
    return (bytes[whole] ^ other.bytes[whole]) >> UInt8(8 - bits % 8) == 0
  }
}

/// From where an address can be reached.
public enum AddressScope: String, Sendable, Hashable, Codable, CaseIterable {
  case global
  /// One organisation: RFC 1918, RFC 4193 (unique local), RFC 6598.
  case privateUse = "private"
  /// This machine; also addresses that name none.
  case loopback
  /// One network segment, where clouds serve their secrets.
  case linkLocal = "link-local"
  /// Multicast, broadcast, and what is kept for later.
  case reserved
}
