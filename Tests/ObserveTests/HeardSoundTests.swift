import Frames
import Support
import TestPicture
import Testing
import Verdict

import Observe

/// The clip's sound as a monitor delivers it: blocks of 10 ms that come late by chance.
@Suite struct HeardSoundTests {
  private static let rate = SoundLog.rate
  private static let tone = TonePosition.Generator(rate: rate, track: 0)

  /// - Parameters:
  ///   - silence: before the sound, s.
  ///   - gaps: silence in the sound: from when in the clip, and how long, s.
  private func log(
    silence: Double, seconds: Double, gaps: [(at: Double, length: Double)] = [], using generator: inout SeededGenerator
  ) -> SoundLog {
    func count(_ seconds: Double) -> Int { Int((seconds * Double(Self.rate)).rounded()) }
    var samples = [Float](repeating: 0, count: count(silence))
    var position = 0
    for gap in gaps + [(seconds, 0.2)] {
      samples += Self.tone.samples(from: position, count: count(gap.at) - position)
      samples += [Float](repeating: 0, count: count(gap.length))
      position = count(gap.at)
    }
    var log = SoundLog()
    let size = Self.rate / 100
    for start in stride(from: 0, to: samples.count - size, by: size) {
      let complete = Double(start + size) / Double(Self.rate) * 1000
      let delay = Double.random(in: 0..<15, using: &generator)
      log.add(Array(samples[start..<(start + size)]), at: PaintedScreen.instant(complete + delay))
    }
    return log
  }

  private func milliseconds(_ time: MonotonicTime) -> Double { time.milliseconds(since: PaintedScreen.instant(0)) }

  @Test func aPositionIsHeardWhenItIsPlayed() throws {
    var generator = SeededGenerator(for: #function)
    let heard = HeardSound(log(silence: 0.73, seconds: 3.5, using: &generator), ofClip: 4)
    for position in [0.1, 1.0, 1.37, 2.9] {
      let time = milliseconds(try #require(heard.time(of: position)))
      #expect(abs(time - (730 + position * 1000)) < 1, "position \(position)")
    }
    #expect(heard.gap == 0)
    #expect(heard.time(of: 9) == nil, "that was never played")
  }

  @Test(arguments: [20.0, 50, 200]) func silenceWithinTheSoundIsAGap(_ length: Double) throws {
    var generator = SeededGenerator(for: #function)
    let heard = HeardSound(log(silence: 0.4, seconds: 3, gaps: [(1.5, length / 1000)], using: &generator), ofClip: 3)
    #expect(abs(heard.gap - length) <= 2)
    let after = milliseconds(try #require(heard.time(of: 2.5)))
    #expect(abs(after - (400 + 2500 + length)) < 1)
  }

  @Test(arguments: [-200.0, -40, 0, 20, 120]) func soundThatIsEarlyOrLateIsMeasured(_ late: Double) throws {
    var generator = SeededGenerator(for: #function)
    let heard = HeardSound(log(silence: (500 + late) / 1000, seconds: 3, using: &generator), ofClip: 3)
    let period = 1000.0 / 30
    let paints = (0..<90).map { PaintedScreen.Paint(time: 500 + Double($0) * period, number: $0) }
    let log = PaintedScreen(paints: paints).log(until: 3600, using: &generator)
    let measures = ObservedMeasures(
      ScreenTimeline(log, until: PaintedScreen.instant(3600)), heard, of: .init(frames: 90, rate: 30),
      from: .start(PaintedScreen.instant(0)))
    let offsets = try #require(measures.samples[.avSync])
    #expect(offsets.count > 80)
    #expect(offsets.allSatisfy { abs($0 - late) < 2 })
    #expect(measures.samples[.audioGap] == [0])
  }

  @Test func withoutSoundThereIsNoOffset() {
    var generator = SeededGenerator(for: #function)
    var silent = SoundLog()
    for block in 1..<200 {
      silent.add([Float](repeating: 0, count: 480), at: PaintedScreen.instant(Double(block) * 10))
    }
    let heard = HeardSound(silent, ofClip: 3)
    #expect(heard.points.isEmpty && heard.gap == 0)
    let paints = (0..<10).map { PaintedScreen.Paint(time: 100 + Double($0) * 40, number: $0) }
    let log = PaintedScreen(paints: paints).log(until: 600, using: &generator)
    let measures = ObservedMeasures(
      ScreenTimeline(log, until: PaintedScreen.instant(600)), heard, of: .init(frames: 10, rate: 25),
      from: .start(PaintedScreen.instant(0)))
    #expect(measures.samples[.avSync] == nil && measures.samples[.audioGap] == nil)
  }
}
