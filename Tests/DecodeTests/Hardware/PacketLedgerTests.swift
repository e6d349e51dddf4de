import Decode
import Support
import Testing

/// What is kept of a decoder's packets, held against all of them.
@Suite struct PacketLedgerTests {
  private struct Packet {
    var bytes: Int
    var isSync: Bool
  }

  /// Every packet there was, and how many of them the ledger let go of.
  private struct Twin {
    var ledger: PacketLedger
    var packets: [Packet] = []
    var dropped = 0
    var kept: ArraySlice<Packet> { packets.dropFirst(dropped) }
    var keptBytes: Int { kept.reduce(0) { $0 + $1.bytes } }
    /// Of those whose frames may still be in a decoder, none is missing.
    var hasAll: Bool { kept.count >= min(packets.count, PacketLedger.longestDelay) }

    mutating func add(_ bytes: Int, isSync: Bool) {
      packets.append(Packet(bytes: bytes, isSync: isSync))
      dropped += ledger.add(byteCount: bytes, isSyncSample: isSync)
    }
  }

  @Test func whatIsWholeHasAllThatMayStillBeInTheDecoder() {
    var random = SeededGenerator()
    var wasCut = false
    for round in 0..<300 {
      let limit = Int.random(in: 20...4000, using: &random)
      let group = Int.random(in: 1...90, using: &random)
      var twin = Twin(ledger: PacketLedger(byteLimit: limit))
      for number in 0..<400 {
        twin.add(Int.random(in: 0...50, using: &random), isSync: number % group == 0)
        let place = "seed \(random.seed), round \(round), packet \(number)"
        #expect(twin.keptBytes <= limit && twin.dropped <= twin.packets.count, "\(place)")
        #expect(twin.kept.first?.isSync ?? true, "\(place)")
        #expect(!twin.ledger.isWhole || twin.hasAll, "\(place)")
        // Only needed packets are kept: without the first group too few would be left.
        let second = twin.kept.indices.dropFirst().first { twin.packets[$0].isSync }
        #expect(second.map { twin.packets.endIndex - $0 < PacketLedger.longestDelay } ?? true, "\(place)")
        wasCut = wasCut || !twin.ledger.isWhole
      }
    }
    #expect(wasCut)
  }

  /// A group that never ends takes no more memory than the limit, and what comes after it can be taken over again.
  @Test func aGroupThatIsTooLargeIsLetGoOf() {
    var twin = Twin(ledger: PacketLedger(byteLimit: 1000))
    for number in 0..<100 { twin.add(10, isSync: number == 0) }
    #expect(twin.ledger.isWhole && twin.kept.count == 100, "exactly the limit")
    twin.add(1, isSync: false)
    #expect(!twin.ledger.isWhole && twin.kept.isEmpty)
    for _ in 0..<100 { twin.add(1, isSync: false) }
    #expect(!twin.ledger.isWhole && twin.kept.isEmpty, "nothing can be decoded before the next sync sample")
    for number in 0..<PacketLedger.longestDelay {
      #expect(!twin.ledger.isWhole, "frames of the group before may still be in the decoder")
      twin.add(1, isSync: number == 0)
    }
    #expect(twin.ledger.isWhole && twin.kept.count == PacketLedger.longestDelay)
  }

  /// Groups come and go for hours; released ones count no more.
  @Test func bytesLetGoOfCountNoMore() {
    var twin = Twin(ledger: PacketLedger(byteLimit: 1000))
    for number in 0..<10_000 { twin.add(10, isSync: number % 12 == 0) }
    #expect(twin.ledger.isWhole && (32...44).contains(twin.kept.count))
  }

  @Test func aClipNeedNotBeginWithASyncSample() {
    var ledger = PacketLedger()
    for _ in 0..<5 { #expect(ledger.add(byteCount: 1, isSyncSample: false) == 0 && ledger.isWhole) }
    #expect(ledger.lose() == 5 && !ledger.isWhole)
    #expect(ledger.add(byteCount: 1, isSyncSample: false) == 1 && ledger.add(byteCount: 1, isSyncSample: true) == 0)
  }
}
