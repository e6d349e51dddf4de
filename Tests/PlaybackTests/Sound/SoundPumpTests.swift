import Foundation
import Frames
import Playback
import Sound
import Support
import Synchronization
import Testing

/// Sound on its way from a clip to a device: the device's own samples are read, on a clock that the test advances.
@Suite(.tier(.test)) struct SoundPumpTests {
  private static let rate = CountedSound.rate

  private static func place(_ milliseconds: Double) -> MediaTime { MediaTime(seconds: milliseconds / 1000) }

  /// A device on a clock of the test's, and what it plays.
  private final class Stage: Sendable {
    let time = Mutex(MonotonicTime(nanoseconds: 1_000_000_000))
    /// Numbers of the samples as heard, nil for silence, with the instant of each stretch.
    let heard = Mutex<[(instant: MonotonicTime, samples: [Int?])]>([])
    let clock = SoundClock()

    var now: MonotonicTime { time.withLock { $0 } }

    func output(_ change: (inout NullOutput.Options) -> Void = { _ in }) -> NullOutput {
      var options = NullOutput.Options()
      change(&options)
      let format = SoundFormat(sampleRate: SoundPumpTests.rate, layout: .stereo)
      return NullOutput(format: format, options: options, now: { self.now }) { samples, sound in
        let numbers = stride(from: 0, to: samples.count, by: 2).map { CountedSound.number(samples[$0]) }
        self.heard.withLock { $0.append((sound.instant, numbers)) }
      }
    }

    func pump(_ source: any SoundSource, _ output: any AudioOutput, turn: MediaTime? = nil) -> SoundPump {
      SoundPump(source, output: output, clock: clock, turn: turn) { _ in .zero }
    }

    func run(_ pump: SoundPump, milliseconds: Double, every step: Double = 5) throws {
      for _ in 0..<Int((milliseconds / step).rounded()) {
        time.withLock { $0 = MonotonicTime(nanoseconds: $0.nanoseconds + Int64(step * 1e6)) }
        try pump.step(now: now)
      }
    }

    func start(at place: MediaTime, rate: Double = 1) { clock.start(at: place, instant: now, rate: rate) }

    /// All samples heard so far.
    var numbers: [Int?] { heard.withLock { $0.flatMap(\.samples) } }
    func forget() { heard.withLock { $0 = [] } }
  }

  @Test func everySampleIsHeardOnceInOrder() throws {
    let stage = Stage()
    let pump = stage.pump(CountedSound(seconds: 5, layout: .stereo), stage.output())
    try pump.prepare(at: .zero)
    #expect(stage.clock.takeOrder() == nil)
    stage.start(at: .zero)
    try stage.run(pump, milliseconds: 2000)
    let numbers = stage.numbers
    #expect(numbers.count > 80_000 && numbers == numbers.indices.map { $0 })
    // The clock is where the device is.
    let (instant, samples) = try #require(stage.heard.withLock { $0.last })
    let expected = Double(samples[0] ?? 0) / Double(Self.rate)
    #expect(abs(stage.clock.position(at: instant).seconds - expected) < 0.001)
  }

  /// A picture that follows the clock is shown when its sound is heard, from the first one on.
  @Test(arguments: [0.0, 20, -15]) func theOffsetOfTheDeviceIsFound(offset: Double) throws {
    let stage = Stage()
    let pump = stage.pump(
      CountedSound(seconds: 5, layout: .stereo), stage.output { $0.offset = Self.place(offset) })
    try pump.prepare(at: .zero)
    stage.start(at: .zero)
    var (views, heard): ([SeenView], [HeardSound]) = ([], [])
    for _ in 0..<600 {
      try stage.run(pump, milliseconds: 5)
      heard += pump.takeHeard()
      // A display without refreshes shows each frame at the moment that is heard.
      let next = MediaTime(seconds: Double(views.count) / 30)
      if stage.clock.position(at: stage.now) >= next {
        views.append(
          SeenView(
            frame: views.count, time: next, moment: next, due: stage.now, ready: stage.now, seen: stage.now))
      }
    }
    let measures = SoundMeasures(views: views, heard: heard)
    #expect(measures.offsets.count > 70 && measures.gaps.isEmpty)
    // Looked at each 5 ms: a picture is up to that much late. The first one is shown while the first sample is on its way.
    for found in measures.offsets.dropFirst() {
      #expect((offset - 5.5...offset + 0.5).contains(found.milliseconds), "\(found.milliseconds)")
    }
  }

  @Test func anUnderrunIsAGap() throws {
    let stage = Stage()
    let fault = NullOutput.PlantedUnderrun(at: Self.place(500), duration: Self.place(50))
    let pump = stage.pump(CountedSound(seconds: 5, layout: .stereo), stage.output { $0.underruns = [fault] })
    try pump.prepare(at: .zero)
    stage.start(at: .zero)
    try stage.run(pump, milliseconds: 2000)
    let gaps = SoundMeasures(views: [], heard: pump.takeHeard()).gaps
    #expect(gaps.count == 1 && abs((gaps.first ?? 0) - 50) < 0.1, "\(gaps)")
    #expect(
      stage.numbers.compactMap { $0 } == (0..<stage.numbers.compactMap { $0 }.count).map { $0 }, "no sample is lost")
  }

  @Test func aThreadThatIsKeptWaitingUnderruns() throws {
    let stage = Stage()
    let pump = stage.pump(CountedSound(seconds: 5, layout: .stereo), stage.output())
    try pump.prepare(at: .zero)
    stage.start(at: .zero)
    try stage.run(pump, milliseconds: 500)
    try stage.run(pump, milliseconds: 400, every: 400)
    try stage.run(pump, milliseconds: 500)
    let gaps = SoundMeasures(views: [], heard: pump.takeHeard()).gaps
    #expect(gaps.count == 1 && (100...400).contains(gaps.first ?? 0), "\(gaps)")
  }

  @Test func pausingLosesAndRepeatsNothing() throws {
    let stage = Stage()
    let pump = stage.pump(CountedSound(seconds: 5, layout: .stereo), stage.output())
    try pump.prepare(at: .zero)
    stage.start(at: .zero)
    try stage.run(pump, milliseconds: 500)
    let place = stage.clock.position(at: stage.now)
    stage.clock.stop()
    try stage.run(pump, milliseconds: 300)
    let count = stage.numbers.count
    try stage.run(pump, milliseconds: 300)
    #expect(stage.numbers.count == count, "it plays while it is paused")
    stage.start(at: place)
    try stage.run(pump, milliseconds: 500)
    #expect(stage.numbers == (0..<stage.numbers.count).map { $0 } && stage.numbers.count > count + 10_000)
  }

  @Test func aSeekIsHeardFromItsTarget() throws {
    let stage = Stage()
    let pump = stage.pump(CountedSound(seconds: 5, layout: .stereo), stage.output())
    try pump.prepare(at: .zero)
    stage.start(at: .zero)
    try stage.run(pump, milliseconds: 500)
    stage.clock.stop()
    try stage.run(pump, milliseconds: 5)
    stage.forget()
    stage.start(at: Self.place(3000))
    try stage.run(pump, milliseconds: 500)
    // Samples on their way fade out.
    let heard = stage.numbers.compactMap { $0 }.drop { $0 < 100_000 }
    #expect(heard.first == 144_000 && Array(heard) == (144_000..<144_000 + heard.count).map { $0 })
    #expect(abs(stage.clock.position(at: stage.now).seconds - 3.45) < 0.03)
  }

  @Test func anotherTrackGoesOnWhereTheFirstOneWas() throws {
    let stage = Stage()
    let pump = stage.pump(CountedSound([]), stage.output())
    try pump.prepare(at: .zero)
    stage.start(at: .zero)
    try stage.run(pump, milliseconds: 1000)
    #expect(stage.numbers.allSatisfy { $0 == nil })
    let place = stage.clock.position(at: stage.now)
    try pump.change(to: CountedSound(seconds: 5, layout: .stereo), now: stage.now)
    try stage.run(pump, milliseconds: 500)
    let first = try #require(stage.numbers.compactMap { $0 }.first)
    #expect(abs(Double(first) / Double(Self.rate) - place.seconds) < 0.002)
    #expect(abs(stage.clock.position(at: stage.now).seconds - place.seconds - 0.5) < 0.08)
  }

  @Test func aTrackThatIsChosenInAPauseStaysSilent() throws {
    let stage = Stage()
    let pump = stage.pump(CountedSound([]), stage.output())
    try pump.prepare(at: .zero)
    stage.start(at: .zero)
    try stage.run(pump, milliseconds: 500)
    stage.clock.stop()
    try stage.run(pump, milliseconds: 100)
    try pump.change(to: CountedSound(seconds: 5, layout: .stereo), now: stage.now)
    try stage.run(pump, milliseconds: 500)
    #expect(stage.numbers.allSatisfy { $0 == nil })
  }

  @Test func aClipThatLoopsIsHeardAgain() throws {
    let stage = Stage()
    let pump = stage.pump(CountedSound(seconds: 0.5, layout: .stereo), stage.output(), turn: Self.place(500))
    try pump.prepare(at: .zero)
    stage.start(at: .zero)
    try stage.run(pump, milliseconds: 1500)
    let numbers = stage.numbers
    #expect(numbers.count > 60_000 && numbers == numbers.indices.map { $0 % 24_000 })
  }

  @Test func aDelayMovesTheSoundAndNotTheClock() throws {
    let stage = Stage()
    let pump = stage.pump(CountedSound(seconds: 5, layout: .stereo), stage.output())
    try pump.prepare(at: .zero)
    stage.start(at: .zero)
    try stage.run(pump, milliseconds: 1000)
    stage.forget()
    try pump.delay(by: Self.place(200), now: stage.now)
    try stage.run(pump, milliseconds: 1000)
    let (instant, samples) = try #require(stage.heard.withLock { $0.last })
    let clip = Double(try #require(samples.first ?? nil)) / Double(Self.rate)
    #expect(abs(stage.clock.position(at: instant).seconds - clip - 0.2) < 0.002)
  }

  /// A tone keeps its pitch at twice the speed, and the clip is over in half of the time.
  @Test(arguments: [0.5, 2.0]) func anotherRateKeepsThePitch(rate: Double) throws {
    let stage = Stage()
    let tone = ToneSound(seconds: 3)
    let pump = stage.pump(tone, stage.output())
    try pump.prepare(at: .zero)
    stage.start(at: .zero, rate: rate)
    try stage.run(pump, milliseconds: 1500)
    #expect(abs(stage.clock.position(at: stage.now).seconds - 1.45 * rate) < 0.03)
    #expect(abs(Double(tone.given) / Double(Self.rate) - 1.6 * rate) < 0.25, "\(tone.given)")
    let sound = pump.takeHeard()
    #expect(sound.allSatisfy { $0.rate == rate || $0.length == .zero })
  }

  @Test func aFailureEndsInSilence() throws {
    let stage = Stage()
    let pump = stage.pump(FailingSound(), stage.output())
    #expect(throws: Failure.self) { try pump.prepare(at: .zero) }
  }
}

/// Decoding fails at once.
private final class FailingSound: SoundSource {
  let format = SoundFormat(sampleRate: CountedSound.rate, layout: .stereo)

  func next() throws(Failure) -> AudioFrame? { throw Failure(.media, "cannot decode 'x.mp4'", cause: "it is damaged") }
  func seek(to time: MediaTime) throws(Failure) {}
}

/// 440 Hz.
private final class ToneSound: SoundSource {
  let format = SoundFormat(sampleRate: CountedSound.rate, layout: .stereo)
  private let count: Int
  private(set) var given = 0

  init(seconds: Double) { count = Int(seconds * Double(CountedSound.rate)) }

  func next() throws(Failure) -> AudioFrame? {
    guard given < count else { return nil }
    defer { given += 1024 }
    let samples = (given..<given + 1024).flatMap { number -> [Float] in
      let value = Float(0.5 * sin(Double(number) * 2 * .pi * 440 / Double(CountedSound.rate)))
      return [value, value]
    }
    return AudioFrame(presentationTime: format.duration(of: given), format: format, samples: samples)
  }

  func seek(to time: MediaTime) throws(Failure) { given = format.sampleFrames(in: time) }
}
