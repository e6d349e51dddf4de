import Frames
import Playback
import Support
import Testing

/// A log that lets go of what is old counts as one that keeps everything does.
@Suite struct PlayLogKeepingTests {
  @Test func whatIsForgottenIsCounted() {
    var random = SeededGenerator(for: "whatIsForgottenIsCounted")
    let period = MediaTime(seconds: 1.0 / 60)
    var (all, few) = (PlayRecorder(), PlayRecorder(keeps: 50))
    var number = 0
    for refresh in 0..<6000 {
      let start = MonotonicTime(nanoseconds: 1_000_000_000 + Int64(refresh) * period.nanoseconds)
      let target = MonotonicTime(nanoseconds: start.nanoseconds + period.nanoseconds)
      let tick = DisplayTick(timestamp: start, target: target, period: period, missed: 0)
      let time = MediaTime(nanoseconds: Int64(refresh) * period.nanoseconds)
      let fate = [FrameFate.presented, .presented, .presented, .dropped, .skipped].randomElement(using: &random)
      let frame = PacedFrame(index: number, time: time, duration: period)
      if Int.random(in: 0..<200, using: &random) == 0 {
        all.note(.state(.seeking))
        few.note(.state(.seeking))
      }
      number += 1
      let late = Int64.random(in: 0..<3, using: &random) * period.nanoseconds
      let ready = MonotonicTime(nanoseconds: start.nanoseconds + 1_000_000 + late)
      func feed(_ recorder: inout PlayRecorder) {
        if let fate { recorder.note(.fate(frame, fate)) }
        recorder.decided(tick, position: time, rate: 1)
        if fate == .presented { recorder.add(frame, moment: time, ready: ready, in: tick, isNew: true) }
      }
      feed(&all)
      feed(&few)
      // It lets go when the next refresh is decided: one more than twice as many.
      #expect(few.log.views.count <= 101 && few.log.fates.count <= 201)
    }
    #expect(few.log.fates.count < all.log.fates.count / 10 && all.log.late > 100)
    #expect(few.log.presented == all.log.presented && few.log.dropped == all.log.dropped)
    #expect(few.log.skipped == all.log.skipped && few.log.late == all.log.late)
    #expect(few.log.frameTimes(20) == all.log.frameTimes(20))
  }
}
