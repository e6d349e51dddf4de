import Foundation
import Frames
import Support
import Testing

import Streaming

/// Numbers, durations and dates of manifests: exact, checked, and no other text than theirs.
@Suite struct NumberTests {
  @Test(arguments: [
    ("0", 0), ("9.97667", 9_976_670_000), ("10.", 10_000_000_000), (".5", 500_000_000), ("0.0000000005", 1),
    ("0.00000000049", 0), ("0.1234567894999", 123_456_789), ("1000000000", 1_000_000_000_000_000_000),
    ("0.9999999999", 1_000_000_000), ("00001.5", 1_500_000_000),
  ])
  func secondsAreExact(text: String, nanoseconds: Int64) {
    #expect(Decimal64.seconds(text.utf8) == nanoseconds)
  }

  @Test(arguments: [
    "", ".", "-1", "+1", "1e3", "NaN", "inf", "1,5", " 1", "1.2.3", "1000000001", "99999999999999999999", "１",
  ])
  func otherTextIsNoNumberOfSeconds(text: String) {
    #expect(Decimal64.seconds(text.utf8) == nil)
  }

  @Test func integersHaveALimit() {
    #expect(Decimal64.integer("0".utf8) == 0 && Decimal64.integer("007".utf8) == 7)
    #expect(Decimal64.integer("4611686018427387895".utf8) == 4_611_686_018_427_387_895)
    for text in [
      "", "-1", "+1", "1 ", "0x10", "1.0", "4611686018427387905", "9223372036854775808", "184467440737095516160",
    ] {
      #expect(Decimal64.integer(text.utf8) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    ("PT0S", 0), ("PT1.5S", 1_500_000_000), ("P1D", 86_400_000_000_000), ("P0Y0M0DT0H3M30.000S", 210_000_000_000),
    ("PT1H2M3S", 3_723_000_000_000), ("P1DT12H", 129_600_000_000_000), ("PT0.04S", 40_000_000),
  ])
  func durationsAreRead(text: String, nanoseconds: Int64) {
    #expect(MPDText.duration(text) == nanoseconds)
  }

  @Test(arguments: [
    "", "P", "PT", "-PT1S", "P1Y", "P1M", "PT1", "1S", "PT1S2", "PTS", "PT99999999999S", "P99999999D", "PT1M1D",
    "PTNaNS",
    "PT1e9S",
  ])
  func otherTextIsNoDuration(text: String) {
    // An empty designator list is written by some servers, and tells no time.
    #expect(MPDText.duration(text) == nil || text == "PT")
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.000000001Z", 1), ("1969-12-31T23:59:59Z", -1_000_000_000),
    ("2000-03-01T00:00:00+01:00", 951_865_200_000_000_000), ("2026-01-31t12:00:00,5z", 1_769_860_800_500_000_000),
    ("2012-02-29 12:00:00-0530", 1_330_536_600_000_000_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
    ("2010-02-19T14:54:23.031+08", 1_266_562_463_031_000_000), ("1970-01-01T00:01", 60_000_000_000),
  ])
  func datesAreRead(text: String, nanoseconds: Int64) {
    #expect(WallTime(text.utf8)?.nanoseconds == nanoseconds)
  }

  @Test(arguments: [
    "", "2020", "2020-01-01", "2020-13-01T00:00:00Z", "2021-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
    "2020-00-01T00:00:00Z",
    "2020-01-01T24:00:00Z", "2020-01-01T00:60:00Z", "2020-01-01T00:00:61Z", "2020-01-01T00:00:00X",
    "2020-01-01T00:00:00Z ", "2020-01-01T00:00:00+25:00", "9999-01-01T00:00:00Z", "2020-01-01T00:00:00.Z",
  ])
  func otherTextIsNoDate(text: String) {
    #expect(WallTime(text.utf8) == nil)
  }

  /// Foundation is the judge of the calendar.
  @Test func foundationReadsTheSameDates() throws {
    var random = SeededGenerator(for: "foundationReadsTheSameDates")
    for _ in 0..<500 {
      let seconds = Int64.random(in: -6_000_000_000...8_000_000_000, using: &random)
      let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
      #expect(WallTime(text.utf8)?.nanoseconds == seconds * 1_000_000_000, "\(text), seed \(random.seed)")
    }
  }

  @Test func ticksAreRoundedOnce() {
    #expect(TickArithmetic.time(1, timescale: 3).nanoseconds == 333_333_333)
    #expect(TickArithmetic.time(2, timescale: 3).nanoseconds == 666_666_667)
    #expect(TickArithmetic.time(-1, timescale: 3).nanoseconds == -333_333_333)
    #expect(TickArithmetic.time(.max, timescale: 1).nanoseconds == .max)
    #expect(TickArithmetic.time(.min, timescale: 1).nanoseconds == .min)
    // A day of pictures at 30000/1001 per second: exact to the nanosecond, where a sum of rounded spans is not.
    #expect(TickArithmetic.time(2_591_999_410, timescale: 30_000).nanoseconds == 86_399_980_333_333)
    var random = SeededGenerator(for: "ticksAreRoundedOnce")
    for _ in 0..<1_000 {
      let scale = Int64.random(in: 1...Int64(UInt32.max), using: &random)
      let ticks = Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)
      let time = TickArithmetic.time(ticks, timescale: scale)
      // Below a nanosecond for each tick the way back is exact.
      guard scale < 1_000_000_000, abs(time.nanoseconds) < .max / 2 else { continue }
      #expect(TickArithmetic.ticks(nearest: time, timescale: scale) == ticks, "seed \(random.seed)")
    }
  }

  @Test func byteRangesAreChecked() {
    #expect(ByteRange(inclusive: "0-0") == ByteRange(offset: 0, length: 1))
    #expect(ByteRange(inclusive: "10-19")?.header == "bytes=10-19")
    for text in ["", "-", "5", "5-4", "-5", "a-b", "0-9223372036854775807", "1-2-3"] {
      #expect(ByteRange(inclusive: text) == nil, "\(text)")
    }
    #expect(ByteRange(offset: .max, length: 1) == nil && ByteRange(offset: 0, length: 0) == nil)
    #expect(ByteRange(offset: -1, length: 2) == nil && ByteRange(offset: 1 << 62, length: 1) == nil)
  }

  @Test(arguments: [
    ("30", Ratio(30, 1)), ("30000/1001", Ratio(30_000, 1_001)), ("29.97", Ratio(29_970, 1_000)), ("0/0", nil),
    ("a", nil),
    ("1/-1", nil), ("99999999999/1", nil),
  ])
  func ratiosAreRead(text: String, ratio: Ratio?) {
    #expect(MPDText.ratio(text, separator: "/") == ratio)
  }
}
