import Frames
import Playback
import Sound
import Support
import Testing

/// Sound and picture of one session, on a display that is advanced by hand and a device on the same clock.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct PlayedSoundTests {
  /// What three seconds of a clip of 50 frames came to, which starts over.
  private static func play(
    _ rate: Int32 = 30, on refresh: Int32 = 60, _ plant: (inout NullOutput.Options) -> Void = { _ in },
    commands: (PlaySession, Int) -> Void = { _, _ in }
  ) throws -> (log: PlayLog, measures: SoundMeasures) {
    let stage = try PlayStage(rate, on: refresh, cost: 0.1 / Double(rate))
    let link = stage.link
    var device = NullOutput.Options()
    plant(&device)
    let format = SoundFormat(sampleRate: CountedSound.rate, layout: .stereo)
    let output = NullOutput(format: format, options: device, now: { link.now })
    let clock = SoundClock()
    let pump = SoundPump(
      CountedSound(seconds: 50 / Double(rate), layout: .stereo), output: output, clock: clock,
      turn: MediaTime(ticks: 50, timeBase: Ratio(1, rate))
    ) { _ in .zero }
    try pump.prepare(at: .zero)
    var options = PlaySession.Options()
    options.end = MediaTime(seconds: 3)
    options.clock = clock
    let timed = TimedDrawer(stage.session.renderer, link, cost: { _ in 0.1 / Double(refresh) })
    let play = PlaySession(renderer: timed, source: stage.source, link: link, options: options)
    var (heard, count, failure): ([HeardSound], Int, Failure?) = ([], 0, nil)
    try play.run(beforeTick: { _ in
      commands(play, count)
      count += 1
      do throws(Failure) { try pump.step(now: link.now) } catch { failure = error }
      heard += pump.takeHeard()
    })
    #expect(failure == nil)
    return (play.log, SoundMeasures(views: play.log.views, heard: heard))
  }

  /// A picture is seen at a refresh: up to one behind its sound, and a sixteenth of one before it.
  private static func isTogether(_ measures: SoundMeasures, refresh: Int32, shift: Double = 0) -> Bool {
    let step = 1000 / Double(refresh)
    return measures.offsets.dropFirst().allSatisfy {
      (shift - step - 1...shift + step / 16 + 1).contains($0.milliseconds)
    }
  }

  @Test(arguments: [(30, 60), (25, 60), (60, 60), (24, 144)] as [(Int32, Int32)])
  func pictureAndSoundBelongTogether(rate: Int32, refresh: Int32) throws {
    let (log, measures) = try Self.play(rate, on: refresh)
    // That the first sample is heard is found at the refresh behind it: the first frame may be one late.
    #expect(log.dropped + log.late <= 1 && log.stalls.isEmpty, "\(log.dropped) dropped, \(log.late) late")
    #expect(log.presented + log.dropped == Int(rate) * 3)
    #expect(measures.offsets.count > Int(rate) * 5 / 2 && measures.gaps.isEmpty)
    let ends = measures.offsets.dropFirst().map(\.milliseconds).sorted()
    #expect(Self.isTogether(measures, refresh: refresh), "\(ends.first ?? 0) to \(ends.last ?? 0) ms")
  }

  /// Pacing is no worse with sound than without: only the first picture may lack a refresh.
  @Test func everyFrameIsShownForItsTime() throws {
    let (log, _) = try Self.play()
    let lengths = zip(log.views, log.views.dropFirst()).map { $1.seen.milliseconds(since: $0.seen) }
    #expect(lengths.dropFirst().allSatisfy { abs($0 - 1000 / 30.0) < 0.01 }, "\(lengths)")
    let first = lengths.first ?? 0
    #expect(first >= 1000 / 60.0 - 0.01 && first <= 1000 / 30.0 + 0.01, "\(first)")
  }

  @Test func plantedFaultsAreMeasured() throws {
    let late = try Self.play { $0.offset = MediaTime(seconds: 0.02) }.measures
    #expect(Self.isTogether(late, refresh: 60, shift: 20))
    let underrun = NullOutput.PlantedUnderrun(at: MediaTime(seconds: 1), duration: MediaTime(seconds: 0.05))
    let gap = try Self.play { $0.underruns = [underrun] }.measures
    #expect(gap.gaps.count == 1 && abs((gap.gaps.first ?? 0) - 50) < 0.1, "\(gap.gaps)")
    let drifting = try Self.play { $0.drift = 5000 }.measures
    #expect(abs((drifting.driftPPM ?? 0) - 5000) < 500, "\(drifting.driftPPM ?? 0)")
  }

  @Test func aPauseKeepsThemTogether() throws {
    let (log, measures) = try Self.play { _ in
    } commands: { play, tick in
      if tick == 60 { play.pause() }
      if tick == 90 { play.play() }
    }
    #expect(log.presented == 90 && log.dropped == 0)
    #expect(measures.gaps.isEmpty && Self.isTogether(measures, refresh: 60), "\(measures.offsets.map(\.milliseconds))")
  }
}
