import Frames
import Support
import Testing

@Suite struct MediaTimeTests {
  /// Ticks in nanoseconds by exact arithmetic, rounded half away from zero, nil beyond 64 bits.
  private static func exact(_ ticks: Int64, _ base: Ratio) -> Int64? {
    let product = Int128(ticks.magnitude) * Int128(base.numerator) * 1_000_000_000
    let magnitude = (2 * product + Int128(base.denominator)) / (2 * Int128(base.denominator))
    return Int64(exactly: ticks < 0 ? -magnitude : magnitude)
  }

  @Test func ticksBecomeTheNearestNanosecond() {
    var random = SeededGenerator(for: "ticksBecomeTheNearestNanosecond")
    for _ in 0..<100_000 {
      let bits = Int64.random(in: 0..<64, using: &random)
      let ticks = Int64(bitPattern: random.next()) >> bits
      let base = Ratio(
        Int32.max >> Int32.random(in: 0..<31, using: &random), Int32.random(in: 1 ... .max, using: &random))
      let time = MediaTime(ticks: ticks, timeBase: base).nanoseconds
      if let exact = Self.exact(ticks, base) {
        #expect(time == exact || exact == .min, "\(ticks) · \(base)")
      } else {
        #expect(ticks < 0 ? time <= -.max : time == .max, "\(ticks) · \(base) saturates")
      }
    }
  }

  @Test func hostileTicksSaturate() {
    let seconds = Ratio(1, 1)
    #expect(MediaTime(ticks: .max, timeBase: seconds).nanoseconds == .max)
    #expect(MediaTime(ticks: .min, timeBase: seconds).nanoseconds <= -.max)
    #expect(MediaTime(ticks: .min, timeBase: Ratio(.max, 1)).nanoseconds <= -.max)
    #expect(MediaTime(ticks: .max, timeBase: Ratio(.max, .max)).nanoseconds == .max)
    #expect(MediaTime(ticks: 9_223_372_036, timeBase: seconds).nanoseconds == 9_223_372_036_000_000_000)
    #expect(MediaTime(ticks: 9_223_372_037, timeBase: seconds).nanoseconds == .max)
  }

  @Test func invalidTimeBasesGiveZero() {
    for base in [Ratio(0, 1), Ratio(1, 0), Ratio(-1, 25), Ratio(1, -25), Ratio(.min, .min)] {
      #expect(MediaTime(ticks: 12345, timeBase: base) == .zero)
    }
  }

  @Test func roundingIsToTheNearest() {
    // 1/3 and 2/3 of a nanosecond, and a half either way.
    #expect(MediaTime(ticks: 1, timeBase: Ratio(1, 2_000_000_000)).nanoseconds == 1)
    #expect(MediaTime(ticks: -1, timeBase: Ratio(1, 2_000_000_000)).nanoseconds == -1)
    #expect(MediaTime(ticks: 1, timeBase: Ratio(1, 2_000_000_001)).nanoseconds == 0)
    #expect(MediaTime(ticks: 1, timeBase: Ratio(1001, 30000)).nanoseconds == 33_366_667)
    #expect(MediaTime(ticks: -1, timeBase: Ratio(1001, 30000)).nanoseconds == -33_366_667)
  }

  @Test func equalStampsStayEqual() {
    // One frame period in the clocks of MP4, Matroska-like nanoseconds and MPEG-TS.
    #expect(MediaTime(ticks: 3003, timeBase: Ratio(1, 90000)) == MediaTime(ticks: 1001, timeBase: Ratio(1, 30000)))
    #expect(MediaTime(ticks: 512, timeBase: Ratio(1, 12800)) == MediaTime(seconds: 0.04))
  }

  @Test func secondsSaturateAndNotANumberIsZero() {
    #expect(MediaTime(seconds: .nan) == .zero)
    #expect(MediaTime(seconds: .infinity).nanoseconds == .max)
    #expect(MediaTime(seconds: -.infinity).nanoseconds == .min)
    #expect(MediaTime(seconds: 1e300).nanoseconds == .max)
    #expect(MediaTime(seconds: -1.5).nanoseconds == -1_500_000_000)
    #expect(MediaTime(seconds: 0.1).milliseconds == 100)
  }

  @Test func sumsAndDifferencesSaturateAndOrderIsExact() {
    var random = SeededGenerator(for: "sumsAndDifferencesSaturate")
    let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    for round in 0..<20_000 {
      let a = round % 4 == 0 ? edges[round / 4 % edges.count] : Int64(bitPattern: random.next())
      let b = round % 3 == 0 ? edges[round / 3 % edges.count] : Int64(bitPattern: random.next())
      let (x, y) = (MediaTime(nanoseconds: a), MediaTime(nanoseconds: b))
      #expect((x + y).nanoseconds == Int64(clamping: Int128(a) + Int128(b)), "\(a) + \(b)")
      #expect((x - y).nanoseconds == Int64(clamping: Int128(a) - Int128(b)), "\(a) - \(b)")
      #expect((x < y) == (a < b) && (x == y) == (a == b))
    }
  }

  @Test func ratiosKnowWhenTheyAreUnknown() {
    #expect(Ratio(30000, 1001).value.map { abs($0 - 29.97) < 0.001 } ?? false)
    #expect(Ratio(0, 1).value == nil && Ratio(1, 0).value == nil && Ratio(-1, -1).value == nil)
    #expect(Ratio(30, 1).description == "30/1")
  }
}
