import Foundation
import Frames
import Playback
import Sound
import Support
import Synchronization
import Testing

/// Rates that change a little and often, as a live stream's do while it catches up: the sound goes on without a gap, and the clock stays
/// where it is heard.
@Suite(.tier(.test)) struct GentleRateTests {
  /// Each sample tells its place in the clip, in seconds.
  private final class PlacedSound: SoundSource {
    let format = SoundFormat(sampleRate: CountedSound.rate, layout: .mono)
    private var given = 0

    func next() throws(Failure) -> AudioFrame? {
      defer { given += 1024 }
      let samples = [Float](tellingSecondsFrom: given, count: 1024, rate: CountedSound.rate)
      return AudioFrame(presentationTime: format.duration(of: given), format: format, samples: samples)
    }

    func seek(to time: MediaTime) throws(Failure) { given = format.sampleFrames(in: time) }
  }

  /// The null device on a clock of the test's.
  private final class Stage: Sendable {
    let time = Mutex(MonotonicTime(nanoseconds: 1_000_000_000))
    /// The first sample of each period: when it is heard, and the place that it tells.
    let heard = Mutex<[(instant: MonotonicTime, place: Double)]>([])
    let silent = Mutex(0)
    let clock = SoundClock()

    var now: MonotonicTime { time.withLock { $0 } }

    func pump() -> SoundPump {
      let source = PlacedSound()
      let output = NullOutput(format: source.format, options: NullOutput.Options(), now: { self.now }) {
        samples, sound in
        guard let first = samples.first else { return }
        self.silent.withLock { $0 += samples.silentCount }
        if first > 0 { self.heard.withLock { $0.append((sound.instant, Double(first) - 1)) } }
      }
      return SoundPump(source, output: output, clock: clock, turn: nil) { _ in .zero }
    }

    func run(_ pump: SoundPump, milliseconds: Int) throws {
      for _ in 0..<milliseconds / 5 {
        time.withLock { $0 = MonotonicTime(nanoseconds: $0.nanoseconds + 5_000_000) }
        try pump.step(now: now)
      }
    }
  }

  @Test func aThousandChangesMakeNoGapAndNoDrift() throws {
    let stage = Stage()
    let pump = stage.pump()
    try pump.prepare(at: .zero)
    stage.clock.start(at: .zero, instant: stage.now, rate: 1)
    try stage.run(pump, milliseconds: 500)
    stage.silent.withLock { $0 = 0 }
    var generator = SeededGenerator(for: "a thousand changes of the rate")
    var told: [HeardSound] = []
    var apart = 0.0
    for _ in 0..<1000 {
      // Often 1 again: the filter passes samples on then.
      let rate = Bool.random(using: &generator) ? 1 : 1 + Double(Int.random(in: -20...20, using: &generator)) / 400
      stage.clock.setRate(rate, at: stage.now)
      try stage.run(pump, milliseconds: Int.random(in: 1...60, using: &generator) * 5)
      guard let last = stage.heard.withLock({ $0.last }) else { continue }
      apart = max(apart, abs(stage.clock.position(at: last.instant).seconds - last.place))
      told += pump.takeHeard()
    }
    #expect(stage.silent.withLock { $0 } == 0, "seed \(generator.seed)")
    // A block of the filter begins up to 15 ms from its place.
    #expect(apart < 0.035, "the clock is \(apart) s off; seed \(generator.seed)")
    let truth = stage.heard.withLock { $0 }
    var wrong = 0.0
    for sound in told where sound.length > .zero {
      guard let own = truth.first(where: { $0.instant == sound.instant }) else { continue }
      wrong = max(wrong, abs(sound.place.seconds - own.place))
    }
    #expect(wrong < 0.02 && told.count > 5000, "heard \(wrong) s from what is told; seed \(generator.seed)")
  }

  /// Before the first sample is heard, a change of the rate starts nothing anew.
  @Test func changesAtTheStartDoNotPutItOff() throws {
    let stage = Stage()
    let pump = stage.pump()
    try pump.prepare(at: .zero)
    stage.clock.start(at: .zero, instant: stage.now, rate: 1)
    for step in 1...20 {
      stage.clock.setRate(1 + Double(step) / 400, at: stage.now)
      try stage.run(pump, milliseconds: 10)
    }
    let first = try #require(stage.heard.withLock { $0.first })
    #expect(first.place == 0 && MonotonicTime(nanoseconds: 1_100_000_000) > first.instant)
    let last = try #require(stage.heard.withLock { $0.last })
    #expect(abs(stage.clock.position(at: last.instant).seconds - last.place) < 0.02)
  }

  @Test func theClockGoesOnWhereItIs() {
    func instant(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }
    let clock = SoundClock()
    clock.start(at: .zero, instant: instant(0), rate: 1)
    clock.setRate(1.05, at: instant(10))
    #expect(clock.takeOrder() == .play(at: .zero, rate: 1.05))
    clock.heard(.zero, at: instant(20))
    #expect(clock.position(at: instant(1020)) == MediaTime(seconds: 1.05))
    clock.setRate(0.95, at: instant(1020))
    #expect(clock.takeOrder() == .rate(0.95) && clock.rate == 0.95)
    #expect(clock.position(at: instant(1020)) == MediaTime(seconds: 1.05))
    #expect(clock.position(at: instant(2020)) == MediaTime(seconds: 2))
    // A person's choice begins anew.
    clock.setRate(2, at: instant(2020))
    #expect(clock.takeOrder() == .play(at: MediaTime(seconds: 2), rate: 2))
  }
}
