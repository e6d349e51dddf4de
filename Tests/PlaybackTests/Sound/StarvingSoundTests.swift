import Frames
import Media
import Playback
import Sound
import Support
import Synchronization
import Testing

/// Sound that is loaded over a network, and comes too late: picture and sound wait for it together.
@Suite(.tier(.test)) struct StarvingSoundTests {
  /// A track of which a part is loaded.
  private final class LoadedSound: SoundSource {
    let format: SoundFormat
    private let whole: CountedSound
    private var held: AudioFrame?
    private(set) var isStarving = false
    /// Up to here.
    let loaded: Monitor<MediaTime>

    init(seconds: Double, loaded end: Monitor<MediaTime>) {
      whole = CountedSound(seconds: seconds, layout: .stereo)
      (format, loaded) = (whole.format, end)
    }

    func next() throws(Failure) -> AudioFrame? {
      if held == nil { held = try whole.next() }
      isStarving = held.map { $0.end > loaded.withLock { $0 } } ?? false
      guard !isStarving else { return nil }
      defer { held = nil }
      return held
    }

    func seek(to time: MediaTime) throws(Failure) {
      held = nil
      try whole.seek(to: time)
    }

    func readiness(at time: MediaTime) -> SoundReadiness { time < loaded.withLock { $0 } ? .ready : .notYet }
  }

  /// A device on a clock of the test's, and the numbers of the samples that it plays.
  private final class Stage: Sendable {
    let time = Mutex(MonotonicTime(nanoseconds: 1_000_000_000))
    let heard = Mutex<[Int]>([])
    let clock = SoundClock()
    var now: MonotonicTime { time.withLock { $0 } }

    func output() -> NullOutput {
      NullOutput(format: SoundFormat(sampleRate: CountedSound.rate, layout: .stereo), now: { self.now }) { samples, _ in
        let numbers = stride(from: 0, to: samples.count, by: 2).compactMap { CountedSound.number(samples[$0]) }
        self.heard.withLock { $0 += numbers }
      }
    }

    func run(_ pump: SoundPump, milliseconds: Int) throws {
      for _ in 0..<milliseconds / 5 {
        time.withLock { $0 = $0.advanced(byMilliseconds: 5) }
        try pump.step(now: now)
      }
    }
  }

  /// The moment that is heard does not pass what is loaded, however long that takes, and no sample is lost.
  @Test(arguments: [1.0, 1.5]) func theClockWaitsForSoundThatIsLoaded(rate: Double) throws {
    let stage = Stage()
    let loaded = Monitor(MediaTime(seconds: 1))
    let pump = SoundPump(
      LoadedSound(seconds: 6, loaded: loaded), output: stage.output(), clock: stage.clock, turn: nil
    ) { _ in .zero }
    try pump.prepare(at: .zero)
    stage.clock.start(at: .zero, instant: stage.now, rate: rate)
    try stage.run(pump, milliseconds: 300)
    #expect(!stage.clock.isHeld(at: stage.now))
    try stage.run(pump, milliseconds: 2000)
    let place = stage.clock.position(at: stage.now).seconds
    #expect(stage.clock.isHeld(at: stage.now) && (0.9...1).contains(place), "\(place)")
    loaded.withLock { $0 = MediaTime(seconds: 6) }
    try stage.run(pump, milliseconds: 500)
    let later = stage.clock.position(at: stage.now).seconds
    #expect(!stage.clock.isHeld(at: stage.now) && abs(later - place - 0.5 * rate) < 0.12, "\(place), then \(later)")
    guard rate == 1 else { return }
    let numbers = stage.heard.withLock { $0 }
    #expect(numbers == (0..<numbers.count).map { $0 } && numbers.count > 60_000, "\(numbers.count)")
  }

  /// A start waits longer than for a device that plays nothing.
  @Test func aStartWaitsForSoundThatIsLoaded() throws {
    let stage = Stage()
    let loaded = Monitor(MediaTime.zero)
    let pump = SoundPump(
      LoadedSound(seconds: 6, loaded: loaded), output: stage.output(), clock: stage.clock, turn: nil
    ) { _ in .zero }
    try pump.prepare(at: .zero)
    stage.clock.start(at: .zero, instant: stage.now, rate: 1)
    try stage.run(pump, milliseconds: 2000)
    #expect(stage.clock.position(at: stage.now) <= .zero && stage.clock.isHeld(at: stage.now))
    loaded.withLock { $0 = MediaTime(seconds: 6) }
    try stage.run(pump, milliseconds: 500)
    #expect(abs(stage.clock.position(at: stage.now).seconds - 0.45) < 0.06)
  }

  /// The display's clock, which a test holds at a place.
  private final class HeldClock: MediaClock {
    private let line = Mutex(DisplayClock())
    let limit = Mutex<MediaTime?>(nil)
    var rate: Double { line.withLock { $0.rate } }

    func start(at position: MediaTime, instant: MonotonicTime, rate: Double) {
      line.withLock { $0.start(at: position, instant: instant, rate: rate) }
    }
    func setRate(_ rate: Double, at instant: MonotonicTime) { line.withLock { $0.setRate(rate, at: instant) } }
    func stop() {}
    func position(at instant: MonotonicTime) -> MediaTime {
      let place = line.withLock { $0.position(at: instant) }
      return limit.withLock { $0 }.map { min($0, place) } ?? place
    }
    func isHeld(at instant: MonotonicTime) -> Bool {
      let place = line.withLock { $0.position(at: instant) }
      return limit.withLock { $0 }.map { place >= $0 } ?? false
    }
  }

  /// A stall as if pictures were missing: the last one stands, then all the others follow.
  @Test func thePictureStallsWithTheSound() {
    let clock = HeldClock()
    var simulation = Simulation(.steady(Ratio(30, 1), count: 120), refresh: Ratio(60, 1), clock: clock)
    _ = simulation.player.play()
    simulation.run(refreshes: 60)
    clock.limit.withLock { $0 = MediaTime(seconds: 1.2) }
    simulation.run(refreshes: 90)
    #expect(simulation.player.state == .stalled && simulation.screen.last?.number == 36)
    #expect(simulation.player.wantsToPlay)
    clock.limit.withLock { $0 = nil }
    simulation.run(refreshes: 1000)
    #expect(simulation.player.state == .ended && simulation.count(.presented) == 120)
    #expect(simulation.count(.dropped) == 0 && simulation.count(.skipped) == 0)
    #expect(
      simulation.stalls.count == 1 && abs((simulation.stalls.first?.seconds ?? 0) - 1.3) < 0.05, "\(simulation.stalls)")
  }

  /// Another track is heard once it is there, and the first one until then.
  @Test func anotherTrackIsHeardOnceItIsLoaded() throws {
    let (first, second) = (Monitor(MediaTime(seconds: 60)), Monitor(MediaTime.zero))
    let heard = Mutex<[Float]>([])
    let format = SoundFormat(sampleRate: CountedSound.rate, layout: .stereo)
    let output = NullOutput(format: format, now: { .now }) { samples, _ in
      heard.withLock { $0 = stride(from: 0, to: samples.count, by: 2).map { samples[$0] } }
    }
    let player = SoundPlayer(LoadedSound(seconds: 60, loaded: first), output: output, keeps: 0)
    defer { player.stop() }
    player.clock.start(at: .zero, instant: .now, rate: 1)
    func hears(_ isWanted: ([Float]) -> Bool) -> Bool { Patience.until { heard.withLock { isWanted($0) } } }
    #expect(hears { !$0.isEmpty && $0.allSatisfy { $0 > 9600 } })
    player.change(to: LoadedSound(seconds: 0, loaded: second))
    let before = player.clock.position(at: .now)
    #expect(Patience.until { player.clock.position(at: .now).seconds > before.seconds + 0.5 })
    #expect(hears { !$0.isEmpty && $0.allSatisfy { $0 > 9600 } }, "the first track goes on")
    // It has no samples: silence tells it.
    second.withLock { $0 = MediaTime(seconds: 60) }
    #expect(hears { !$0.isEmpty && $0.allSatisfy { $0 == 0 } })
    #expect(player.failure == nil)
  }
}
