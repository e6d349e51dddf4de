import Decode
import Frames
import Testing

@Suite struct SampleClockTests {
  private static func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds) }

  @Test func samplesFollowEachOther() {
    var clock = SampleClock()
    #expect(clock.next == nil)
    #expect(clock.place(Self.time(1), samples: 1000, rate: 1000) == .start && clock.next == Self.time(2))
    #expect(clock.place(nil, samples: 500, rate: 1000) == .goesOn(dropping: 0) && clock.next == Self.time(2.5))
    // Rounded stamps neither move the time nor add up.
    for number in 0..<100 {
      let stamp = Self.time(2.5 + Double(number) + (number % 2 == 0 ? 0.0079 : -0.0079))
      #expect(clock.place(stamp, samples: 1000, rate: 1000) == .goesOn(dropping: 0))
    }
    #expect(clock.next == Self.time(102.5))
  }

  @Test func gapsOverlapsAndJumpsAreTold() {
    var clock = SampleClock()
    _ = clock.place(.zero, samples: 1000, rate: 1000)
    #expect(clock.place(Self.time(1.009), samples: 1000, rate: 1000) == .afterGap && clock.next == Self.time(2.009))
    #expect(clock.place(Self.time(11), samples: 1000, rate: 1000) == .afterGap && clock.next == Self.time(12))
    #expect(clock.place(Self.time(11.9), samples: 1000, rate: 1000) == .goesOn(dropping: 100))
    #expect(clock.next == Self.time(12.9))
    #expect(
      clock.place(Self.time(5), samples: 1000, rate: 1000) == .goesOn(dropping: 1000) && clock.next == Self.time(12.9))
    #expect(clock.place(Self.time(22.91), samples: 1000, rate: 1000) == .start && clock.next == Self.time(23.91))
    #expect(clock.place(Self.time(1), samples: 1000, rate: 1000) == .start && clock.next == Self.time(2))
  }

  /// Two rounds of AAC: the last frame of one reaches 8 ms into the other, which stamps that are rounded may differ by.
  @Test func aSeamIsWhereItsStampSays() {
    var clock = SampleClock()
    _ = clock.place(.zero, samples: 141 * 1024, rate: 48_000)
    #expect(clock.place(Self.time(3), samples: 1024, rate: 48_000, isSeam: true) == .goesOn(dropping: 384))
    #expect(clock.next == Self.time(3) + MediaTime(ticks: 1024, timeBase: Ratio(1, 48_000)))
    let gap = (clock.next ?? .zero) + Self.time(0.004)
    #expect(clock.place(gap, samples: 1024, rate: 48_000, isSeam: true) == .afterGap)
    let rounded = (clock.next ?? .zero) + Self.time(0.0004)
    #expect(clock.place(rounded, samples: 1024, rate: 48_000, isSeam: true) == .goesOn(dropping: 0))
  }

  @Test func theRateMayChange() {
    var clock = SampleClock()
    _ = clock.place(.zero, samples: 1000, rate: 1000)
    #expect(clock.place(Self.time(1), samples: 4000, rate: 2000) == .goesOn(dropping: 0) && clock.next == Self.time(3))
  }

  @Test func contradictionsAreTold() {
    var clock = SampleClock()
    #expect(!clock.contradicts(Self.time(5), rate: 1000))
    _ = clock.place(Self.time(1), samples: 1000, rate: 1000)
    #expect(!clock.contradicts(Self.time(1.9921), rate: 1000) && clock.contradicts(Self.time(1.9919), rate: 1000))
    #expect(!clock.contradicts(Self.time(9), rate: 1000) && clock.contradicts(Self.time(2), rate: 2000))
  }

  @Test func anyStampIsSafe() {
    var clock = SampleClock()
    for nanoseconds: Int64 in [.min, .max, 0, .max, .min, -1] {
      _ = clock.place(MediaTime(nanoseconds: nanoseconds), samples: 65_536, rate: 768_000)
    }
    #expect(clock.next != nil)
  }
}
