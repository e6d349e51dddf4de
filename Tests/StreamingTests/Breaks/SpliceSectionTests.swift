import Frames
import Support
import Testing

import Streaming

/// Messages of SCTE 35, as its §14 has them, and damaged ones.
@Suite struct SpliceSectionTests {
  enum Sample {
    static let opportunity =
      "/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg=="
    static let opportunityEnd = "/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g="
    static let insert = "/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo="
    /// A program ends, and another begins.
    static let programs =
      "/DBIAAAAAAAA///wBQb+ek2ItgAyAhdDVUVJSAAAGH+fCAgAAAAALMvDRBEAAAIXQ1VFSUgAABl/nwgIAAAAACyk26AQAACZcuND"
    static let all = [opportunity, opportunityEnd, insert, programs]
  }

  @Test func readsTheStandardsSamples() throws {
    let opportunity = try #require(SpliceSection(text: Sample.opportunity))
    #expect(opportunity.command == .timeSignal)
    #expect(
      opportunity.segmentations == [
        SpliceSegmentation(event: 0x4800_008E, duration: .milliseconds(307_000), type: 0x34)
      ])
    #expect(opportunity.segmentations[0].beginsBreak && !opportunity.segmentations[0].endsBreak)
    let end = try #require(SpliceSection(text: Sample.opportunityEnd))
    #expect(end.segmentations == [SpliceSegmentation(event: 0x4800_008E, type: 0x35)])
    #expect(end.segmentations[0].endsBreak && !end.segmentations[0].beginsBreak)
    let insert = try #require(SpliceSection(text: Sample.insert))
    let duration = MediaTime(nanoseconds: 60_293_566_667)
    #expect(insert.command == .insert(SpliceInsert(event: 0x4800_008F, isOut: true, duration: duration)))
    #expect(insert.segmentations.isEmpty, "an avail descriptor is none")
    let programs = try #require(SpliceSection(text: Sample.programs))
    #expect(programs.segmentations.map(\.type) == [0x11, 0x10])
    #expect(!programs.segmentations.contains { $0.beginsBreak || $0.endsBreak })
  }

  @Test func readsHexadecimalDigitsToo() {
    let hex =
      "0xFC302F000000000000FFFFF014054800008F7FEFFE7369C02EFE0052CCF500000000000A0008435545490000013562DBA30A"
    #expect(SpliceSection(text: hex) == SpliceSection(text: Sample.insert))
    #expect(SpliceSection(text: hex.lowercased()) == SpliceSection(text: Sample.insert))
    #expect(SpliceSection(text: String(hex.dropLast())) == nil)
  }

  @Test(arguments: [
    "", "0x", "0xZZ", "0xFC", "no base64 at all", "/DA0", "AAAA", "0x" + String(repeating: "F", count: 9000),
  ])
  func otherTextsAreNone(text: String) {
    #expect(SpliceSection(text: text) == nil)
  }

  /// Cut, longer and damaged ones end in a value, or nil.
  @Test func damagedBytesTrapNowhere() throws {
    var random = SeededGenerator(for: "damagedBytesTrapNowhere")
    let samples = try Sample.all.map { text in
      try #require(decoded(base64: text))
    }
    for bytes in samples {
      for count in 0..<bytes.count { #expect(SpliceSection(Array(bytes.prefix(count))) == nil, "\(count)") }
    }
    var read = 0
    for _ in 0..<20_000 {
      var bytes = samples.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      read += SpliceSection(bytes) == nil ? 0 : 1
    }
    #expect(read > 1_000, "damage behind the head is no end")
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...300, using: &random)
      _ = SpliceSection([0xFC] + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  /// An encrypted message tells nothing.
  @Test func encryptedOnesAreNone() throws {
    var bytes = try #require(decoded(base64: Sample.insert))
    bytes[4] |= 0x80
    #expect(SpliceSection(bytes) == nil)
  }

  private func decoded(base64 text: String) -> [UInt8]? {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (bits, count, bytes) = (UInt32(0), 0, [UInt8]())
    for byte in text.utf8 where byte != UInt8(ascii: "=") {
      guard let value = letters.firstIndex(of: byte) else { return nil }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
