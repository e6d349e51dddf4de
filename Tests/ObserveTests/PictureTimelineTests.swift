import Frames
import Support
import Testing
import Verdict

import Observe

/// A clip without numbers on a screen that is sampled without a clock.
@Suite struct PictureTimelineTests {
  private static let clip = ObservedMeasures.Clip(frames: 90, rate: 30, isNumbered: false)
  private static let count = PictureLog.pixels(of: PictureSize(width: 640, height: 360)).count

  /// Paints a picture over several samples, from the first pixel to the last.
  private struct Paint {
    /// ms
    var time: Double
    var duration = 3.0
    var pixels: [UInt8]
  }

  private static func picture(using generator: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  private static func log(_ paints: [Paint], until end: Double) -> PictureLog {
    var log = PictureLog()
    var pixels = [UInt8](repeating: 0, count: count)
    var time = 0.0
    while time < end {
      for paint in paints where paint.time <= time && time <= paint.time + paint.duration + 1 {
        let share = paint.duration > 0 ? min(1, (time - paint.time) / paint.duration) : 1
        let painted = Int(Double(count) * share)
        pixels.replaceSubrange(0..<painted, with: paint.pixels[..<painted])
      }
      log.add(pixels, from: PaintedScreen.instant(time), to: PaintedScreen.instant(time + 0.01))
      time += 0.75
    }
    return log
  }

  private static func measures(_ log: PictureLog) -> ObservedMeasures {
    ObservedMeasures(
      PictureTimeline(log, period: clip.period), of: clip, started: PaintedScreen.instant(0))
  }

  @Test func picturesAreCountedWithoutTheWindowBeforeAndBehindThem() throws {
    var generator = SeededGenerator(for: #function)
    let period = Self.clip.period
    // A grey window, 60 pictures of which one stays for 400 ms more, and the empty screen.
    var paints = [Paint(time: 100, duration: 0, pixels: [UInt8](repeating: 90, count: Self.count))]
    for number in 0..<60 {
      let late = number > 20 ? 400.0 : 0
      paints.append(Paint(time: 500 + Double(number) * period + late, pixels: Self.picture(using: &generator)))
    }
    paints.append(Paint(time: 3500, duration: 0, pixels: [UInt8](repeating: 0, count: Self.count)))
    let log = Self.log(paints, until: 4000)
    let measures = Self.measures(log)
    #expect(measures.counters == [.presented: 60, .freezes: 1])
    let start = try #require(measures.samples[.timeToFirstFrame]?.first)
    #expect(abs(start - 503) < 1.5)
    #expect(measures.freezes.first?.number == 20)
    let freeze = try #require(measures.samples[.freeze]?.first)
    #expect(abs(freeze - 400 - period) < 1.5)
    #expect(measures.samples[.paint]?.allSatisfy { $0 > 1 && $0 < 5 } == true)
    let first = try #require(log.firstPicture)
    #expect(abs(first.milliseconds(since: PaintedScreen.instant(0)) - 501) < 2)
  }

  @Test func aSteadyPlayerIsEven() throws {
    var generator = SeededGenerator(for: #function)
    let paints = (0..<90).map { number in
      Paint(time: 200 + Double(number) * Self.clip.period, pixels: Self.picture(using: &generator))
    }
    let measures = Self.measures(Self.log(paints, until: 3500))
    #expect(measures.counters == [.presented: 90, .freezes: 0])
    #expect(try #require(measures.samples[.roughness]?.first) < 1.5)
    #expect(measures.samples[.lateness] == nil && measures.samples[.avSync] == nil)
  }

  @Test func aScreenWithoutAPictureHasNone() {
    let grey = Paint(time: 10, duration: 0, pixels: [UInt8](repeating: 200, count: Self.count))
    let log = Self.log([grey], until: 100)
    #expect(PictureTimeline(log, period: 33).pictures.isEmpty && log.firstPicture == nil && log.changes.count == 1)
  }
}
