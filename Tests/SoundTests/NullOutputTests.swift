import Frames
import Sound
import Support
import Testing

/// The device made of a clock, advanced by hand: 48 kHz, periods of 10 ms, 40 ms of latency.
@Suite struct NullOutputTests {
  private static let format = SoundFormat(sampleRate: 48_000, layout: .stereo)

  /// Sample frames with their own number on the left and its negative on the right.
  private static func numbered(_ frames: Range<Int>) -> [Float] {
    frames.flatMap { [Float($0) / 65_536, -Float($0) / 65_536] }
  }

  private static func output(
    _ clock: ManualClock, tap: TappedSound? = nil, _ change: (inout NullOutput.Options) -> Void = { _ in }
  ) -> NullOutput {
    var options = NullOutput.Options()
    change(&options)
    return NullOutput(format: format, options: options, now: clock.reading, onPlayed: tap?.tap)
  }

  @Test func samplesAreHeardAPeriodAndALatencyAfterTheyWereWritten() throws {
    let (clock, tap) = (ManualClock(), TappedSound())
    let output = Self.output(clock, tap: tap)
    #expect(output.capacity == 9600 + 480 + 1920)
    let start = clock.now
    output.play()
    // Without samples it does not run, so that none is missing.
    clock.advance(milliseconds: 1000)
    #expect(output.position == nil && output.takePlayed().isEmpty)
    #expect(output.write(Self.numbered(0..<20_000)) == 9600)
    #expect(output.write(Self.numbered(0..<1)) == 0)
    clock.advance(milliseconds: 49.9)
    #expect(output.position == nil)
    clock.advance(milliseconds: 5.1)
    let position = try #require(output.position)
    #expect(abs(position.sampleFrame - 240) < 1e-3 && position.instant == clock.now)
    // Five periods have left the buffer.
    #expect(output.write(Self.numbered(9600..<20_000)) == 2400)
    clock.advance(milliseconds: 5)
    let played = output.takePlayed()
    #expect(played == [PlayedSound(instant: start.advanced(byMilliseconds: 1050), first: 0, count: 480)])
    #expect(output.takePlayed().isEmpty)
    clock.advance(milliseconds: 500)
    let rest = output.takePlayed()
    #expect(rest.map(\.count).reduce(0, +) == 11_520)
    #expect(rest.map(\.missing).reduce(0, +) == 12_480)
    #expect(Array(tap.samples.prefix(24_000)) == Self.numbered(0..<12_000))
    #expect(tap.samples.dropFirst(24_000).allSatisfy { $0 == 0 })
    #expect(output.position?.sampleFrame == 12_000)
  }

  /// Random calls: the tap has every sample that was written once and in order, positions grow, and stretches meet without a gap.
  @Test func randomCallsLoseNothing() throws {
    var generator = SeededGenerator(for: "randomCallsLoseNothing")
    let (clock, tap) = (ManualClock(), TappedSound())
    let output = Self.output(clock, tap: tap) {
      $0.underruns = [
        .init(at: milliseconds(333), duration: milliseconds(50)), .init(at: milliseconds(340), duration: .zero),
      ]
      $0.clockDrift = 1000
    }
    var written = 0
    var last = -1.0
    var played: [PlayedSound] = []
    for _ in 0..<2000 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...2:
        let count = Int.random(in: 0...3000, using: &generator)
        written += output.write(Self.numbered(written..<written + count))
      case 3: output.play()
      case 4: if Bool.random(using: &generator) { output.pause() }
      case 5: played += output.takePlayed()
      default: clock.advance(milliseconds: Double.random(in: 0...30, using: &generator))
      }
      if let place = output.position?.sampleFrame {
        #expect(place >= last && place <= Double(written), "seed \(generator.seed)")
        last = place
      }
    }
    output.play()
    clock.advance(milliseconds: 1000)
    played += output.takePlayed()
    #expect(played.map(\.count).reduce(0, +) == written)
    var next = 0
    for (stretch, following) in zip(played, played.dropFirst()) {
      #expect(stretch.first == next && stretch.instant <= following.instant, "seed \(generator.seed)")
      next += stretch.count
    }
    let ours = tap.stretches.flatMap { $0.samples.prefix(2 * $0.sound.count) }
    #expect(ours == Self.numbered(0..<written), "seed \(generator.seed)")
    #expect(tap.stretches.map(\.sound) == played)
    #expect(output.position?.sampleFrame == Double(written))
  }

  /// Offset and drift are in the truth and not in the position.
  @Test func plantedFaultsAreInTheTruthAlone() throws {
    let clock = ManualClock()
    let output = Self.output(clock) {
      $0.offset = milliseconds(20)
      $0.drift = 100
    }
    output.play()
    let start = clock.now
    var played: [PlayedSound] = []
    let block = [Float](repeating: 0, count: 960)
    output.write(block)
    for _ in 0..<6000 {
      output.write(block)
      clock.advance(milliseconds: 10)
      played += output.takePlayed()
      if let position = output.position {
        let told = position.instant.milliseconds(since: start) - 50
        #expect(abs(position.sampleFrame / 48 - told) < 1e-3)
      }
    }
    #expect(played.count > 5900 && played.allSatisfy { $0.missing == 0 && $0.count == 480 })
    for sound in played {
      let media = Double(sound.first) / 48
      let late = sound.instant.milliseconds(since: start) - 50 - media
      #expect(abs(late - (20 + media * 100e-6)) < 1e-3, "\(sound)")
    }
  }

  @Test func aPlantedUnderrunIsSilenceAlthoughSamplesAreThere() {
    let (clock, tap) = (ManualClock(), TappedSound())
    let output = Self.output(clock, tap: tap) {
      $0.underruns = [.init(at: milliseconds(105), duration: milliseconds(50))]
    }
    output.play()
    output.write(Self.numbered(0..<9600))
    clock.advance(milliseconds: 400)
    let played = output.takePlayed().prefix { $0.first + $0.count < 9600 || $0.missing == 0 }
    #expect(played.map(\.missing).reduce(0, +) == 2400)
    #expect(tap.samples[10_080..<14_880].allSatisfy { $0 == 0 })
    #expect(Array(tap.samples[14_880..<14_882]) == Self.numbered(5040..<5041))
    #expect(Array(tap.samples[10_078..<10_080]) == Self.numbered(5039..<5040))
  }

  /// A pause stops what is on its way to the ear as well: the stretch that is heard is told in two parts.
  @Test func aPauseStopsTheWholeDevice() throws {
    let (clock, tap) = (ManualClock(), TappedSound())
    let output = Self.output(clock, tap: tap)
    output.play()
    let start = clock.now
    output.write(Self.numbered(0..<9600))
    clock.advance(milliseconds: 75)
    output.pause()
    #expect(output.takePlayed().map(\.count) == [480, 480, 240])
    let place = try #require(output.position?.sampleFrame)
    #expect(abs(place - 1200) < 1e-3)
    clock.advance(milliseconds: 5000)
    #expect(output.position?.sampleFrame == place && output.takePlayed().isEmpty)
    output.play()
    clock.advance(milliseconds: 15)
    let resumed = output.takePlayed()
    #expect(resumed.map(\.first) == [1200, 1440] && resumed.map(\.count) == [240, 480])
    #expect(resumed.first?.instant.milliseconds(since: start) == 5075)
    #expect(tap.samples == Self.numbered(0..<1920))
  }

  /// The waveform fades out after a clear, and counting begins again.
  @Test(arguments: [false, true]) func clearingDropsWithoutAClick(isPaused: Bool) throws {
    let (clock, tap) = (ManualClock(), TappedSound())
    let output = Self.output(clock, tap: tap)
    output.play()
    output.write([Float](repeating: 0.5, count: 2 * 9600))
    clock.advance(milliseconds: 73)
    if isPaused { output.pause() }
    output.clear()
    #expect(output.position == nil && output.takePlayed().isEmpty)
    let heard = tap.samples
    #expect(heard.count == 2 * (1104 + 480) && heard.last == 0)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($1 - $0) < 0.002 })
    clock.advance(milliseconds: 500)
    output.play()
    #expect(output.write([Float](repeating: 0.25, count: 2 * 9600)) == 9600)
    let start = clock.now
    clock.advance(milliseconds: 60)
    #expect(output.takePlayed() == [PlayedSound(instant: start.advanced(byMilliseconds: 50), first: 0, count: 480)])
    #expect(output.position?.sampleFrame == 480)
    #expect(tap.stretches.last?.sound.first == 0 && tap.samples.count == heard.count + 960)
  }

  @Test func gainIsReachedByARamp() {
    let (clock, tap) = (ManualClock(), TappedSound())
    let output = Self.output(clock, tap: tap)
    output.play()
    output.write([Float](repeating: 1, count: 2 * 9600))
    clock.advance(milliseconds: 20)
    output.gain = 0.25
    #expect(output.gain == 0.25)
    clock.advance(milliseconds: 100)
    _ = output.takePlayed()
    let left = stride(from: 0, to: tap.samples.count, by: 2).map { tap.samples[$0] }
    #expect(left[..<960].allSatisfy { $0 == 1 } && left[960] < 1 && left[1439...].allSatisfy { $0 == 0.25 })
    #expect(zip(left, left.dropFirst()).allSatisfy { abs($1 - $0) < 0.0017 })
  }

  /// A source on the right is heard from ahead once the head has turned there, from the next period on.
  @Test func aTurnIsHeardFromTheNextPeriodOn() {
    let (clock, tap) = (ManualClock(), TappedSound())
    let output = NullOutput(
      format: SoundFormat(sampleRate: 48_000, layout: .ambisonic), now: clock.reading, onPlayed: tap.tap)
    output.play()
    output.write([[Float]](repeating: encoded(0.5, (0, -1, 0)), count: 9600).flatMap { $0 })
    clock.advance(milliseconds: 30)
    let told = output.turn(pan: 90, tilt: 0, roll: 0)
    clock.advance(milliseconds: 100)
    #expect(told != nil && told == output.takePlayed().first { $0.first == 1440 }?.instant)
    let ears = stride(from: 0, to: tap.samples.count, by: 2).map { (tap.samples[$0], tap.samples[$0 + 1]) }
    func areEqual(_ ear: (Float, Float), _ left: Float, _ right: Float) -> Bool {
      max(abs(ear.0 - left), abs(ear.1 - right)) < 1e-6
    }
    #expect(ears[..<1440].allSatisfy { areEqual($0, 0, 0.5) })
    #expect(ears[1440].0 > 0)
    #expect(ears[1919...].allSatisfy { areEqual($0, 0.25, 0.25) })
  }

  /// What is heard in a long sleep of the machine costs no memory, and absurd options are brought into their limits.
  @Test func hostileOptionsAndLeapsOfTheClockAreHarmless() {
    let (clock, tap) = (ManualClock(), TappedSound())
    let output = Self.output(clock) {
      $0.period = MediaTime(nanoseconds: .min)
      $0.latency = MediaTime(nanoseconds: .max)
      $0.capacity = MediaTime(nanoseconds: -1)
      $0.drift = .nan
      $0.clockDrift = -.infinity
      $0.offset = MediaTime(nanoseconds: .min)
      $0.underruns = [.init(at: MediaTime(nanoseconds: .max), duration: MediaTime(nanoseconds: .max))]
    }
    #expect(output.capacity == 480_000 + 3)
    output.play()
    #expect(output.write([1, 1, 1, 1, 1, 1]) == 2)
    clock.advance(milliseconds: 86_400_000)
    #expect(output.takePlayed().count <= 10_000)
    #expect(output.position?.sampleFrame == 2)
    let usual = Self.output(clock, tap: tap)
    usual.play()
    usual.write(Self.numbered(0..<480))
    clock.advance(milliseconds: 7 * 86_400_000)
    let played = usual.takePlayed()
    #expect(played.count <= 10_000 && usual.position?.sampleFrame == 480)
    // Without the first five periods, which are on their way to the ear.
    let periods = 7 * 86_400 * 100 - 5
    let sampleFrames: Int = played.reduce(0) { (sum: Int, part) -> Int in sum + part.count + part.missing }
    #expect(sampleFrames == periods * 480)
    #expect(tap.samples.count < 2 * 1100 * 480 && output.failure == nil)
  }
}
