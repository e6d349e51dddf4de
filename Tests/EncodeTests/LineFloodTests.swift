import Frames
import Media
import Testing

/// A damaged clip has FFmpeg complain tens of thousands of times a second; a log that tells each is of no use, and fills disks.
@Suite struct LineFloodTests {
  private static func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 7_000_000_000 + milliseconds * 1_000_000)
  }

  @Test func theFirstOfEachSecondAreToldAndTheLastOfThemSaysSo() {
    var flood = LineFlood()
    for second in 0..<3 {
      let fates = (0..<1000).map { flood.fate(of: 1, at: Self.at(Int64(second * 1000 + $0))) }
      #expect(fates.prefix(LineFlood.most - 1).allSatisfy { $0 == .told })
      #expect(fates[LineFlood.most - 1] == .toldAsLast)
      #expect(fates.dropFirst(LineFlood.most).allSatisfy { $0 == .leftOut })
    }
  }

  @Test func aKindDoesNotHideAnother() {
    var flood = LineFlood()
    for _ in 0..<1000 { _ = flood.fate(of: 1, at: Self.at(0)) }
    #expect(flood.fate(of: 2, at: Self.at(1)) == .told)
    #expect(flood.fate(of: 1, at: Self.at(1)) == .leftOut)
  }

  @Test func linesThatComeSlowlyAreAllTold() {
    var flood = LineFlood()
    for line in 0..<1000 { #expect(flood.fate(of: 1, at: Self.at(Int64(line) * 100)) == .told) }
  }
}
