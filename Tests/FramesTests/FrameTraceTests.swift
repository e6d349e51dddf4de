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
        (frame.decoding.demux, frame.decoding.decode, frame.queueing.span, frame.upload.span) = (
          span(1), span(2), span(3), span(4)
        )
        (frame.flight, frame.gpu.upload, frame.gpu.render) = (span(5), span(6), span(7))
        (frame.decoding.latencyMilliseconds, frame.upload.milliseconds, frame.display.intervalMilliseconds) = (
          1.5, 0, 3.25
        )
        (frame.gpu.uploadMilliseconds, frame.gpu.renderMilliseconds, frame.queueing.depth) = (0.1, 0.2, 4)
        #expect(frame.spans.count == 7 && Set(frame.spans).count == 7)
      }
      let data = try JSONEncoder().encode([frame])
      #expect(try JSONDecoder().decode([FrameTrace].self, from: data) == [frame])
      #expect(data.count < 420, "a trace has one of these for every frame: \(data.count) bytes")
    }
  }

  /// One flat object: what one process writes, another reads, and nothing of it has moved.
  @Test func aFrameIsOneFlatObject() throws {
    func span(_ number: Int64) -> TimeSpan {
      TimeSpan(MonotonicTime(nanoseconds: number), MonotonicTime(nanoseconds: 2 * number))
    }
    var frame = FrameTrace(index: 1, presentationTime: MediaTime(nanoseconds: 2))
    frame.numberShown = 3
    frame.decoding.demux = span(4)
    frame.decoding.decode = span(5)
    frame.decoding.latencyMilliseconds = 6
    frame.queueing.span = span(7)
    frame.queueing.depth = 8
    frame.upload.span = span(9)
    frame.upload.milliseconds = 10
    frame.flight = span(11)
    frame.display.present = span(12)
    frame.display.unseen = .init(.dropped, due: MonotonicTime(nanoseconds: 13))
    frame.gpu.upload = span(14)
    frame.gpu.render = span(15)
    frame.gpu.uploadMilliseconds = 16
    frame.gpu.renderMilliseconds = 17
    frame.display.intervalMilliseconds = 18
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(frame), as: UTF8.self)
    let time = String(decoding: try encoder.encode([MediaTime(nanoseconds: 2)]), as: UTF8.self).dropFirst().dropLast()
    let due = String(decoding: try encoder.encode([MonotonicTime(nanoseconds: 13)]), as: UTF8.self).dropFirst()
      .dropLast()
    #expect(
      text == """
        {"c":[5,5],"d":[4,4],"f":[11,11],"gr":[15,15],"grm":17,"gu":[14,14],"gum":16,"i":1,"l":6,"m":18,"n":3,\
        "p":[12,12],"q":[7,7],"t":\(time),"u":[9,9],"um":10,"w":8,"x":{"due":\(due),"reason":"dropped"}}
        """)
    #expect(frame.spans.map(\.nanoseconds) == [4, 5, 7, 9, 11, 14, 15, 12])
  }

  @Test func aTrialStartsWithItsFirstInstant() {
    func span(_ start: Int64) -> TimeSpan {
      TimeSpan(MonotonicTime(nanoseconds: start), MonotonicTime(nanoseconds: start + 1))
    }
    var trial = TrialTrace(scenario: "x", variant: nil, number: 1, total: 1, isComplete: true, frames: [])
    #expect(trial.start == nil)
    var frames = [FrameTrace(index: 0, presentationTime: .zero), FrameTrace(index: 1, presentationTime: .zero)]
    frames[0].decoding.decode = span(30)
    frames[1].decoding.demux = span(20)
    trial.frames = frames
    #expect(trial.start?.nanoseconds == 20)
    trial.phases = [.init(name: "spawn", span: span(10))]
    #expect(trial.start?.nanoseconds == 10)
  }
}
