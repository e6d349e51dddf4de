import Frames
import Playback
import Support
import Testing

/// Which frames count as late where a display's pipeline takes longer than a refresh.
@Suite(.tier(.test)) struct PipelineDelayTests {
  private static let period = MediaTime(nanoseconds: 16_666_667)

  /// Frames that are due at each refresh, and seen so many refreshes later.
  private static func log(_ delays: [Int], keeps: Int? = nil, seeks: Set<Int> = []) -> PlayLog {
    var recorder = PlayRecorder(keeps: keeps)
    for (number, delay) in delays.enumerated() {
      if seeks.contains(number) { recorder.note(.state(.seeking)) }
      let start = MonotonicTime(nanoseconds: 1_000_000_000 + 8 * Int64(number) * period.nanoseconds)
      let target = MonotonicTime(nanoseconds: start.nanoseconds + period.nanoseconds)
      let tick = DisplayTick(timestamp: start, target: target, period: period)
      let time = MediaTime(nanoseconds: 8 * Int64(number) * period.nanoseconds)
      let frame = PacedFrame(index: number, time: time, duration: period)
      recorder.note(.fate(frame, .presented))
      recorder.decided(tick, position: time, rate: 1)
      let ready = MonotonicTime(nanoseconds: start.nanoseconds + 1_000 + Int64(delay) * period.nanoseconds)
      recorder.add(frame, moment: time, ready: ready, in: tick, isNew: true)
    }
    return recorder.log
  }

  /// Software that draws for more than a refresh shows every frame one refresh later: that is no reason to count all of them.
  @Test func aConstantDelayIsNotLate() {
    for delay in 1...4 {
      let log = Self.log(Array(repeating: delay, count: 146))
      #expect(log.presented == 146 && log.late == 8, "the first eight do not tell it from late frames")
    }
    #expect(Self.log(Array(repeating: 6, count: 146)).late == 146, "no pipeline is so long: decoding is behind")
  }

  @Test func whatIsLaterThanUsualIsLate() {
    let hiccups = (0..<200).map { $0 % 10 == 9 ? 3 : 1 }
    #expect(Self.log(hiccups).late == 8 + 20)
    #expect(Self.log((0..<200).map { $0 % 10 == 9 ? 1 : 0 }).late == 20)
    // Another pipeline from here on, as after a move to full screen.
    let slower = Self.log(Array(repeating: 0, count: 100) + Array(repeating: 1, count: 100))
    #expect(slower.late == 16, "until the median has followed")
  }

  @Test func segmentsAddUp() {
    var random = SeededGenerator(for: "segmentsAddUp")
    let delays = (0..<500).map { _ in Int.random(in: 0..<4, using: &random) }
    let log = Self.log(delays, seeks: [3, 100, 101, 350])
    #expect(log.segments.count == 5 && log.segments.map(\.late).reduce(0, +) == log.late && log.late > 50)
    #expect(Self.log(delays, keeps: 20).late == log.late, "views that are only counted have counted")
  }
}
