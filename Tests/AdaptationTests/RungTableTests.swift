import Adaptation
import Foundation
import Frames
import Support
import Testing

@Suite struct RungTableTests {
  private static func table(_ bytes: [[Int]]? = nil) throws -> RungTable {
    try RungTable(name: "x", bitrates: [1e6, 2e6, 4e6], durations: [4, 4, 1.5], bytes: bytes)
  }

  @Test func sizesFollowTheBitrateUnlessTheyAreKnown() throws {
    let table = try Self.table()
    #expect(table.bytes(segment: 0, rung: 2) == 2_000_000 && table.bytes(segment: 2, rung: 0) == 187_500)
    #expect(table.segmentSeconds == 4 && table.duration == 9.5)
    let known = try Self.table([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    #expect(known.bytes(segment: 1, rung: 2) == 6)
    #expect(try RungTable(name: "x", bitrates: [9], durations: [1]).bytes(segment: 0, rung: 0) == 2)
  }

  @Test func rungsAboveAPeakAreLeftOut() throws {
    let table = try Self.table([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    #expect(table.rung(upTo: 2e6) == 1 && table.rung(upTo: 1) == 0 && table.rung(upTo: 1e9) == 2)
    let limited = table.limited(to: 3e6)
    #expect(limited.bitrates == [1e6, 2e6] && limited.bytes(segment: 2, rung: 1) == 8)
    #expect(table.limited(to: 1).bitrates == [1e6])
    #expect(table.limited(to: 4e6) == table)
  }

  @Test func aTableIsRepeatedOrCutToALength() throws {
    let table = try Self.table([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    let long = table.lasting(15)
    #expect(long.durations == [4, 4, 1.5, 4, 4] && long.bytes(segment: 3, rung: 1) == 2)
    #expect(table.lasting(0.1).durations == [4])
    #expect(try RungTable(name: "x", bitrates: [9], durations: [0.01]).lasting(1e9).durations.count == 100_000)
  }

  @Test(
    arguments: [
      ([], [1.0], nil, "0 rungs"), ([1e6], [], nil, "0 segments"), ([2e6, 1e6], [1], nil, "do not ascend"),
      ([1e6, 1e6], [1], nil, "do not ascend"), ([0.5], [1], nil, "0.5 bit/s"), ([.nan], [1], nil, "nan bit/s"),
      ([1e6], [0], nil, "lasts 0.0 s"), ([1e6], [1], [[]], "segment 0 has 0 sizes, not 1"),
      ([1e6], [1], [[0]], "a size outside"), ([1e6], [1], [[1], [1]], "sizes of 2 segments, not of 1"),
    ] as [([Double], [Double], [[Int]]?, String)])
  func impossibleTablesAreRefused(bitrates: [Double], durations: [Double], bytes: [[Int]]?, cause: String) throws {
    let failure = try #require(throws: Failure.self) {
      try RungTable(name: "x", bitrates: bitrates, durations: durations, bytes: bytes)
    }
    #expect(failure.cause.contains(cause), "\(failure)")
  }

  @Test func readsOwnLadders() throws {
    let text =
      #"{"schema": "bench360-ladder/1", "name": "l", "bitrates": [1e6, 2e6], "seconds": [4, 2], "bytes": [[9, 10], [4, 5]]}"#
    let table = try LadderFile.read(Data(text.utf8), name: "x.json")
    #expect(table.name == "l" && table.durations == [4, 2] && table.bytes(segment: 1, rung: 1) == 5)
  }

  @Test func readsSabresMovies() throws {
    let text = #"{"segment_duration_ms": 3000, "bitrates_kbps": [230, 331], "segment_sizes_bits": [[886360, 1180513]]}"#
    let table = try LadderFile.read(Data(text.utf8), name: "dir/bbb.json")
    #expect(table.name == "bbb" && table.bitrates == [230_000, 331_000] && table.durations == [3])
    #expect(table.bytes(segment: 0, rung: 0) == 110_795 && table.bytes(segment: 0, rung: 1) == 147_565)
  }

  @Test(arguments: [
    ("", "it is not JSON"), ("[]", "its top level is of the wrong type"), ("{}", "names no schema"),
    (#"{"schema": "bench360-network/1"}"#, "'bench360-network/1'"),
    (#"{"schema": "bench360-ladder/1"}"#, "bitrates is missing"),
    (#"{"schema": "bench360-ladder/1", "bitrates": [1], "seconds": [1], "bytes": [[1e99]]}"#, "cannot read ladder"),
    (#"{"segment_duration_ms": 1, "bitrates_kbps": [1], "segment_sizes_bits": [[1]]}"#, "lasts 0.001 s"),
    (#"{"segment_duration_ms": 1000, "bitrates_kbps": [1], "segment_sizes_bits": [[1e300]]}"#, "a size outside"),
  ])
  func damagedLaddersAreRefused(text: String, cause: String) throws {
    let failure = try #require(throws: Failure.self) { try LadderFile.read(Data(text.utf8), name: "x.json") }
    #expect(failure.description.contains(cause) && failure.kind == .input, "\(failure)")
  }

  @Test func theBuiltInLadderLastsTenMinutes() {
    #expect(RungTable.builtIn.duration == 600 && RungTable.builtIn.count == 5)
  }
}
