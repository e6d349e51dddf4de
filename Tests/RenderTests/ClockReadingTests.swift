import Frames
import GPU
import Testing

@Suite struct ClockReadingTests {
  private let now = MonotonicTime(nanoseconds: 10_000_000_000)

  @Test func ticksBeforeAndAfterAreInstantsBeforeAndAfter() {
    let reading = ClockReading(ticks: 1000, time: now)
    func offset(_ ticks: UInt64, _ period: Double) -> Int64 {
      reading.time(ofTicks: ticks, period: period, bits: 64).nanoseconds - now.nanoseconds
    }
    #expect(offset(1000, 1) == 0 && offset(1500, 1) == 500 && offset(500, 1) == -500)
    #expect(offset(1600, 52.08) == 31_248 && offset(400, 52.08) == -31_248)
  }

  /// Clocks of 36 bits come round every minute or so.
  @Test(arguments: [36, 40, 63, 64] as [UInt32]) func wrappedClocksContinue(bits: UInt32) {
    let largest: UInt64 = bits == 64 ? .max : (1 << UInt64(bits)) - 1
    let before = ClockReading(ticks: largest - 9, time: now)
    #expect(before.time(ofTicks: 20, period: 1, bits: bits).nanoseconds - now.nanoseconds == 30)
    let after = ClockReading(ticks: 20, time: now)
    #expect(after.time(ofTicks: largest - 9, period: 1, bits: bits).nanoseconds - now.nanoseconds == -30)
    // Bits that do not count may hold anything.
    guard bits < 63 else { return }
    let stray: UInt64 = 1 << UInt64(bits + 1)
    #expect(after.time(ofTicks: 50 | stray, period: 1, bits: bits).nanoseconds - now.nanoseconds == 30)
  }
}
