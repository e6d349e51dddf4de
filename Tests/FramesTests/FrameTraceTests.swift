import Foundation
import Frames
import Testing

@Suite struct FrameTraceTests {
  @Test func spansNeverEndBeforeTheyStart() {
    let (early, late) = (MonotonicTime(nanoseconds: 5), MonotonicTime(nanoseconds: 9))
    #expect(TimeSpan(early, late).nanoseconds == 4)
    #expect(TimeSpan(late, early).nanoseconds == 0 && TimeSpan(late, early).start == late)
    #expect(TimeSpan(early, milliseconds: 0.0000019).end == MonotonicTime(nanoseconds: 7))
  }

  @Test func nothingIsLostOnTheWayBetweenProcesses() throws {
    func span(_ number: Int64) -> TimeSpan {
      TimeSpan(
        MonotonicTime(nanoseconds: 9_007_199_254_740_993 + number),
        MonotonicTime(nanoseconds: 9_007_199_254_741_993 + 3 * number))
    }
    var frame = FrameTrace(index: 7, presentationTime: MediaTime(nanoseconds: -3))
    #expect(frame.spans.isEmpty)
    for bare in [true, false] {
      if !bare {
        frame.numberShown = 12
        (frame.demux, frame.decode, frame.queue, frame.upload) = (span(1), span(2), span(3), span(4))
        (frame.flight, frame.gpuUpload, frame.gpuRender) = (span(5), span(6), span(7))
        (frame.decodeLatencyMilliseconds, frame.uploadMilliseconds, frame.intervalMilliseconds) = (1.5, 0, 3.25)
        (frame.gpuUploadMilliseconds, frame.gpuRenderMilliseconds, frame.queueDepth) = (0.1, 0.2, 4)
        #expect(frame.spans.count == 7 && Set(frame.spans).count == 7)
      }
      let data = try JSONEncoder().encode([frame])
      #expect(try JSONDecoder().decode([FrameTrace].self, from: data) == [frame])
      #expect(data.count < 420, "a trace has one of these for every frame: \(data.count) bytes")
    }
  }

  @Test func aTrialStartsWithItsFirstInstant() {
    func span(_ start: Int64) -> TimeSpan {
      TimeSpan(MonotonicTime(nanoseconds: start), MonotonicTime(nanoseconds: start + 1))
    }
    var trial = TrialTrace(scenario: "x", variant: nil, number: 1, total: 1, isComplete: true, frames: [])
    #expect(trial.start == nil)
    var frames = [FrameTrace(index: 0, presentationTime: .zero), FrameTrace(index: 1, presentationTime: .zero)]
    frames[0].decode = span(30)
    frames[1].demux = span(20)
    trial.frames = frames
    #expect(trial.start?.nanoseconds == 20)
    trial.phases = [.init(name: "spawn", span: span(10))]
    #expect(trial.start?.nanoseconds == 10)
  }
}
