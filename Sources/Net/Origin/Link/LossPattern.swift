/// Which packets of a connection are lost: a function of seed, connection and the packet's number, so that each run with
/// the same bytes loses the same packets.
package struct LossPattern {
  /// Bytes of a full packet on Ethernet, without its headers.
  package static let packetBytes = 1460

  private let stream: UInt64

  package init(seed: UInt64, connection: Int) {
    stream = Self.mixed(seed ^ Self.mixed(UInt64(truncatingIfNeeded: connection)))
  }

  /// - Parameter rate: the share of lost packets, 0 to 1.
  package func loses(packet: Int, rate: Double) -> Bool {
    guard rate > 0 else { return false }
    let bits = Self.mixed(stream &+ UInt64(truncatingIfNeeded: packet) &* 0x9E37_79B9_7F4A_7C15) >> 11
    return Double(bits) * 0x1p-53 < rate
  }

  /// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
  private static func mixed(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
