/// Which of a decoder's packets another decoder needs to take over from it: a function of their sizes and sync samples.
package struct PacketLedger: Sendable {
  /// Frames may still be in the decoder of so many packets before the last: no codec holds back more than 16, and those
  /// of an open group that follow its sync sample need the group before.
  package static let longestDelay = 32

  /// What is kept begins with a sync sample, and nothing is missing whose frame may still be in the decoder.
  package private(set) var isWhole = true
  /// A sync sample and what follows it up to the next, oldest first.
  private var groups: [(packets: Int, bytes: Int)] = []
  private var packetCount = 0
  private var byteCount = 0
  private let byteLimit: Int

  package init(byteLimit: Int = 128 << 20) {
    self.byteLimit = byteLimit
  }

  /// Adds a packet.
  ///
  /// - Returns: how many of the oldest packets are dropped; the new one may be among them.
  package mutating func add(byteCount bytes: Int, isSyncSample: Bool) -> Int {
    if isSyncSample || groups.isEmpty && isWhole { groups.append((0, 0)) }
    // Behind a gap nothing can be decoded before the next sync sample.
    guard !groups.isEmpty else { return 1 }
    groups[groups.count - 1].packets += 1
    groups[groups.count - 1].bytes += bytes
    packetCount += 1
    byteCount += bytes
    var dropped = 0
    while groups.count > 1, packetCount - groups[0].packets >= Self.longestDelay { dropped += dropFirst() }
    if packetCount >= Self.longestDelay { isWhole = true }
    while byteCount > byteLimit, !groups.isEmpty {
      dropped += dropFirst()
      isWhole = false
    }
    return dropped
  }

  /// A packet cannot be kept, which makes all earlier ones useless.
  ///
  /// - Returns: how many were kept so far.
  package mutating func lose() -> Int {
    defer { self = PacketLedger(byteLimit: byteLimit, isWhole: false) }
    return packetCount
  }

  private init(byteLimit: Int, isWhole: Bool) {
    self.byteLimit = byteLimit
    self.isWhole = isWhole
  }

  private mutating func dropFirst() -> Int {
    let first = groups.removeFirst()
    packetCount -= first.packets
    byteCount -= first.bytes
    return first.packets
  }
}
