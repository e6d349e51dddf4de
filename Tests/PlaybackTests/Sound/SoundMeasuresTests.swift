import Frames
import Playback
import Testing

/// What is told of sound and picture together.
@Suite struct SoundMeasuresTests {
  private static func instant(_ milliseconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: 1_000_000_000 + Int64(milliseconds * 1e6))
  }

  private static func view(_ frame: Int, at milliseconds: Double, isNew: Bool = true) -> SeenView {
    let time = MediaTime(seconds: Double(frame) / 30)
    return SeenView(
      frame: frame, time: time, moment: time, due: instant(milliseconds), ready: instant(milliseconds),
      seen: instant(milliseconds), isNew: isNew)
  }

  /// Periods of 10 ms from an instant on.
  private static func sound(_ count: Int, from milliseconds: Double, lost: Set<Int> = []) -> [HeardSound] {
    var place = 0.0
    return (0..<count).map { index in
      let isLost = lost.contains(index)
      defer { place += isLost ? 0 : 0.01 }
      return HeardSound(
        instant: instant(milliseconds + Double(index) * 10), place: MediaTime(seconds: place),
        length: isLost ? .zero : MediaTime(seconds: 0.01), gap: isLost ? MediaTime(seconds: 0.01) : .zero)
    }
  }

  @Test func soundThatComesLaterIsPositive() {
    let views = (0..<30).map { Self.view($0, at: Double($0) * 1000 / 30) }
    let late = SoundMeasures(views: views, heard: Self.sound(100, from: 20))
    #expect(late.offsets.count == 30 && late.offsets.allSatisfy { abs($0.milliseconds - 20) < 0.01 })
    #expect(late.startMilliseconds == -20 && late.gaps.isEmpty)
    let early = SoundMeasures(views: views, heard: Self.sound(100, from: -50))
    #expect(early.offsets.allSatisfy { abs($0.milliseconds + 50) < 0.01 } && early.startMilliseconds == 50)
  }

  @Test func driftIsTheSlopeOfTheOffsets() throws {
    // On a display of 60 Hz; the sound is 100 ppm slow.
    let views = (0..<1800).map { Self.view($0, at: (Double($0) * 2 + 0.4).rounded(.up) * 1000 / 60) }
    let slow = Self.sound(6000, from: 0).map { sound in
      var sound = sound
      sound.instant = Self.instant(sound.place.milliseconds * 1.0001)
      return sound
    }
    let drift = try #require(SoundMeasures(views: views, heard: slow).driftPPM)
    #expect(abs(drift - 100) < 1, "\(drift)")
    let steady = SoundMeasures(
      views: (0..<1800).map { Self.view($0, at: Double($0) * 1000 / 30) }, heard: Self.sound(6000, from: 3))
    #expect(abs(try #require(steady.driftPPM)) < 0.01)
    #expect(SoundMeasures(views: Array(views.prefix(9)), heard: Self.sound(6000, from: 0)).driftPPM == nil)
  }

  @Test func periodsThatFollowEachOtherAreOneGap() {
    let heard = Self.sound(100, from: 0, lost: [10, 11, 12, 40])
    let measures = SoundMeasures(views: [Self.view(0, at: 0), Self.view(20, at: 700)], heard: heard)
    #expect(measures.gaps.map { ($0 * 100).rounded() / 100 } == [30, 10])
    // What follows a gap is heard that much later.
    #expect(measures.offsets.map { $0.milliseconds.rounded() } == [0, 7])
  }

  /// Told stretches that follow each other, with jitter, are one; gaps and pauses end it.
  @Test func stretchesAreJoined() {
    func sound(_ start: Double, _ length: Double, gap: Double = 0) -> HeardSound {
      HeardSound(
        instant: MonotonicTime(nanoseconds: Int64((start * 1e6).rounded())), place: MediaTime(seconds: start / 1000),
        length: MediaTime(seconds: length / 1000), gap: MediaTime(seconds: gap / 1000))
    }
    let stretches = SoundMeasures.stretches([
      sound(100, 10), sound(110.4, 10), sound(119.8, 10, gap: 5), sound(134.8, 0, gap: 20), sound(154.8, 10),
      sound(300, 10),
    ])
    let told = stretches.map { ($0.name, $0.span.start.nanoseconds / 100_000, $0.span.nanoseconds / 100_000) }
    let expected = [("sound", 1000, 298), ("gap", 1298, 250), ("sound", 1548, 100), ("sound", 3000, 100)]
    #expect(
      told.count == expected.count && zip(told, expected).allSatisfy { $0.0 == $1.0 && $0.1 == $1.1 && $0.2 == $1.2 },
      "\(told)")
  }

  @Test func repeatedViewsAndSilentTimesHaveNoOffset() {
    let views = [Self.view(0, at: 0), Self.view(0, at: 16, isNew: false), Self.view(60, at: 2000)]
    let measures = SoundMeasures(views: views, heard: Self.sound(50, from: 0))
    #expect(measures.offsets.count == 1)
    #expect(SoundMeasures(views: [], heard: []).startMilliseconds == nil)
  }

  /// Behind a seek the same place comes again: each picture belongs to the sound that was heard at about its time.
  @Test func aPlaceThatComesAgainIsKeptApart() {
    let views = [Self.view(3, at: 100), Self.view(3, at: 60_100)]
    let again = Self.sound(20, from: 60_005)
    let measures = SoundMeasures(views: views, heard: Self.sound(20, from: 0) + again)
    #expect(measures.offsets.map { $0.milliseconds.rounded() } == [0, 5])
  }
}
