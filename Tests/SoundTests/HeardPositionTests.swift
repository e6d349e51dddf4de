import Frames
import Sound
import Testing

/// Positions out of readings, at 48 kHz.
@Suite struct HeardPositionTests {
  private let clock = ManualClock()

  @Test func theLatencyIsTakenOff() {
    var heard = HeardPosition(sampleRate: 48_000)
    heard.restarts(clock.now)
    heard.read(mixed: 960, latency: 0.04, now: clock.now)
    #expect(heard.position == nil)
    clock.advance(milliseconds: 40)
    heard.read(mixed: 2880, latency: 0.04, now: clock.now)
    #expect(heard.position == SoundPosition(sampleFrame: 960, instant: clock.now))
    let played = heard.take()
    #expect(played.map(\.first) == [0, 480] && played.map(\.count) == [480, 480])
    #expect(played.first?.instant == clock.now.advanced(byMilliseconds: -20) && heard.take().isEmpty)
  }

  /// A mixer that moves in steps: between them the position keeps the instant at which it was read.
  @Test func theSameReadingTellsNothingNew() {
    var heard = HeardPosition(sampleRate: 48_000)
    heard.read(mixed: 4800, latency: 0.01, now: clock.now)
    let first = heard.position
    clock.advance(milliseconds: 10)
    heard.read(mixed: 4800, latency: 0.01, now: clock.now)
    #expect(heard.position == first)
    // The latency shrinks while the mixer stands: that is news.
    heard.read(mixed: 4800, latency: 0.005, now: clock.now)
    #expect(heard.position == SoundPosition(sampleFrame: 4560, instant: clock.now))
    // It never moves back.
    heard.read(mixed: 4900, latency: 0.05, now: clock.now)
    #expect(heard.position?.sampleFrame == 4560)
  }

  @Test func silenceAfterTheEndIsMissingOnceSamplesComeAgain() {
    var heard = HeardPosition(sampleRate: 48_000)
    heard.read(mixed: 4800, latency: 0.02, now: clock.now)
    let start = clock.now
    // 200 sample frames remained; the mixer ran empty before the caller looked, 30 ms later.
    clock.advance(milliseconds: 30)
    heard.stand(at: 5000, now: clock.now)
    heard.ranEmpty(total: 5000, now: clock.now)
    #expect(heard.position?.sampleFrame == 5000)
    clock.advance(milliseconds: 70)
    heard.stand(at: 5000, now: clock.now)
    #expect(heard.position?.sampleFrame == 5000)
    heard.restarts(clock.now)
    let played = heard.take()
    #expect(played.reduce(0) { $0 + $1.count } == 5000)
    #expect(played.filter { $0.missing > 0 }.map(\.missing) == [4800 - 200])
    let last = played.last
    #expect(abs((last?.instant.milliseconds(since: start) ?? 0) - (20 + 200 / 48.0)) < 0.01)
    #expect(last?.first == 5000 && last?.count == 0)
  }

  /// What the mixer has taken is still heard while it stands.
  @Test func aPauseLetsTheLatencyPass() {
    var heard = HeardPosition(sampleRate: 48_000)
    heard.read(mixed: 4800, latency: 0.05, now: clock.now)
    clock.advance(milliseconds: 20)
    heard.stand(at: 4800, now: clock.now)
    #expect(heard.position.map { abs($0.sampleFrame - 3360) < 0.01 } == true)
    clock.advance(milliseconds: 100)
    heard.stand(at: 4800, now: clock.now)
    #expect(heard.position?.sampleFrame == 4800)
  }
}
