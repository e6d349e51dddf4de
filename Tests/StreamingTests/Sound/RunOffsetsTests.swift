import Frames
import Testing

import Streaming

/// Where the runs of a stream lie on its axis.
@Suite struct RunOffsetsTests {
  @Test func whatIsFoundFirstIsKept() {
    let runs = RunOffsets()
    #expect(runs.offset(of: 3) == nil)
    #expect(runs.offset(of: 3, orKeep: 40) == 40 && runs.offset(of: 3, orKeep: 50) == 40 && runs.offset(of: 3) == 40)
  }

  /// A live stream of days has ever new runs; the runs that a player has at hand stay, also behind a jump back.
  @Test func theNewestOnesStay() {
    let runs = RunOffsets()
    for run in Int64(0)..<100_000 { _ = runs.offset(of: run, orKeep: run * 2) }
    #expect(runs.count == RunOffsets.limit)
    #expect(runs.offset(of: 99_999) == 199_998 && runs.offset(of: 100_000 - Int64(RunOffsets.limit)) != nil)
    #expect(runs.offset(of: 0) == nil)
    for run in Int64(7)..<20 { _ = runs.offset(of: run, orKeep: -run) }
    #expect((7..<20).allSatisfy { runs.offset(of: $0) == -$0 } && runs.count == RunOffsets.limit)
  }
}
