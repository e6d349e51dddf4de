import Frames
import Playback
import Testing

/// The clock that follows what is heard.
@Suite struct SoundClockTests {
  private static func instant(_ milliseconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: 1_000_000_000 + Int64(milliseconds * 1e6))
  }

  private static func place(_ milliseconds: Double) -> MediaTime { MediaTime(seconds: milliseconds / 1000) }

  @Test func itStandsUntilTheFirstSampleIsHeard() {
    let clock = SoundClock()
    clock.start(at: Self.place(500), instant: Self.instant(0), rate: 1)
    #expect(clock.takeOrder() == .play(at: Self.place(500), rate: 1) && clock.takeOrder() == nil)
    #expect(clock.position(at: Self.instant(100)) == Self.place(495), "the frame of that moment is not due yet")
    clock.heard(Self.place(500), at: Self.instant(60))
    #expect(clock.position(at: Self.instant(100)) == Self.place(540))
    clock.stop()
    #expect(clock.takeOrder() == .pause && !clock.isRunning)
  }

  @Test func aDeviceThatPlaysNothingIsNotWaitedFor() {
    let clock = SoundClock()
    clock.start(at: .zero, instant: Self.instant(0), rate: 1)
    _ = clock.takeOrder()
    clock.heardNothing(at: Self.instant(200))
    #expect(clock.position(at: Self.instant(250)) == Self.place(-5))
    clock.heardNothing(at: Self.instant(400))
    #expect(clock.position(at: Self.instant(500)) == Self.place(100))
  }

  @Test func withoutSoundItRunsAtOnce() {
    let clock = SoundClock()
    clock.start(at: .zero, instant: Self.instant(0), rate: 2)
    clock.abandon(at: Self.instant(50))
    #expect(clock.position(at: Self.instant(100)) == Self.place(100))
    clock.start(at: .zero, instant: Self.instant(200), rate: 1)
    #expect(clock.position(at: Self.instant(210)) == Self.place(10))
  }

  /// A device whose positions jitter by 3 ms and whose crystal is 500 ppm fast: the line stays within a millisecond of it, and moves by
  /// less than the jitter from one refresh to the next.
  @Test func jitterMovesNoPicture() {
    let clock = SoundClock()
    clock.start(at: .zero, instant: Self.instant(0), rate: 1)
    _ = clock.takeOrder()
    var (last, unsteady, apart) = (0.0, 0.0, 0.0)
    for step in 0..<2000 {
      let now = Double(step) * 5
      let truth = now * 1.0005
      clock.heard(Self.place(truth + (step % 2 == 0 ? 3 : -3)), at: Self.instant(now))
      let shown = clock.position(at: Self.instant(now)).milliseconds
      if step > 0 { unsteady = max(unsteady, abs(shown - last - 5)) }
      if step > 200 { apart = max(apart, abs(shown - truth)) }
      last = shown
    }
    #expect(unsteady < 0.35 && apart < 1)
  }

  @Test func aLargeErrorIsAJump() {
    let clock = SoundClock()
    clock.start(at: .zero, instant: Self.instant(0), rate: 1)
    _ = clock.takeOrder()
    clock.heard(.zero, at: Self.instant(0))
    clock.heard(Self.place(20), at: Self.instant(100))
    #expect(abs(clock.position(at: Self.instant(100)).milliseconds - 96) < 0.01, "80 ms are drawn out")
    clock.heard(Self.place(10), at: Self.instant(100))
    #expect(clock.position(at: Self.instant(100)) == Self.place(10))
  }

  /// Readings of sound that is no longer wanted do not move the clock that was started anew.
  @Test func readingsBeforeAnOrderIsCarriedOutDoNotCount() {
    let clock = SoundClock()
    clock.start(at: Self.place(9000), instant: Self.instant(0), rate: 1)
    clock.heard(Self.place(100), at: Self.instant(10))
    #expect(clock.position(at: Self.instant(20)) == Self.place(8995))
  }
}
