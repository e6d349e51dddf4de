import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Traces whose every number is written down.
private enum SampleTrace {
  /// The instants of a machine that has run for a day, so that nothing gets away with small numbers.
  static func span(_ start: Double, _ length: Double) -> TimeSpan {
    let day: Int64 = 86_400_000_000_000
    return TimeSpan(
      MonotonicTime(nanoseconds: day + Int64((start * 1e6).rounded())),
      MonotonicTime(nanoseconds: day + Int64(((start + length) * 1e6).rounded())))
  }

  /// Three frames: the decoder has two threads, the third frame is never drawn.
  static var pipeline: TrialTrace {
    var frames = (0..<3).map { index in
      FrameTrace(index: index, presentationTime: MediaTime(nanoseconds: Int64(index) * 33_333_333))
    }
    for index in 0..<3 {
      let start = Double(index) * 4
      frames[index].numberShown = index
      frames[index].decoding.demux = span(start, 0.25)
      frames[index].decoding.decode = span(start + 0.3, 10)
      frames[index].decoding.latencyMilliseconds = 9.5
      frames[index].queueing.span = span(start + 10.4, 6)
      frames[index].queueing.depth = 2 - index
    }
    for index in 0..<2 {
      let start = Double(index) * 5 + 20
      frames[index].upload.span = span(start, 1.5)
      frames[index].upload.milliseconds = 1.5
      frames[index].flight = span(start + 1.6, 4.4)
      frames[index].gpu.upload = span(start + 1.7, 0.3)
      frames[index].gpu.uploadMilliseconds = 0.3
      frames[index].gpu.render = span(start + 2, 3.1234567)
      frames[index].gpu.renderMilliseconds = 3.1234567
    }
    frames[1].display.intervalMilliseconds = 5
    return TrialTrace(
      scenario: "pipeline", variant: nil, number: 1, total: 2, isComplete: true, frames: frames, gpuClock: .calibrated)
  }

  /// Five frames of 60 hertz: shown, drawn but overtaken, never drawn, one that no refresh can show, shown.
  static var play: TrialTrace {
    var frames = (0..<5).map { FrameTrace(index: $0, presentationTime: MediaTime(nanoseconds: Int64($0) * 16_666_667)) }
    for index in 0..<5 {
      frames[index].decoding.decode = span(Double(index), 1)
      frames[index].queueing.span = span(Double(index) + 1, 10)
      frames[index].queueing.depth = 4 - index
    }
    for index in [0, 1, 4] { frames[index].flight = span(20 + Double(index) * 5, 4) }
    frames[1].display.intervalMilliseconds = 5
    frames[0].display.present = span(25, 40)
    frames[4].display.present = span(65, 16.666667)
    let due = span(41.5, 0).start
    for (index, reason) in [(1, FrameTrace.Unseen.Reason.dropped), (2, .dropped), (3, .skipped)] {
      frames[index].display.unseen = .init(reason, due: due)
    }
    return TrialTrace(scenario: "play", variant: nil, number: 1, total: 1, isComplete: true, frames: frames)
  }

  static var startup: TrialTrace {
    var frame = FrameTrace(index: 0, presentationTime: MediaTime(nanoseconds: -41_000_000))
    frame.upload.milliseconds = 0
    frame.flight = span(150, 10)
    return TrialTrace(
      scenario: "startup", variant: "warm", number: 3, total: 3, isComplete: false, frames: [frame],
      phases: [.init(name: "spawn", span: span(100, 20)), .init(name: "open", span: span(120, 30))], gpuClock: .placed)
  }

  static var record: Record {
    var record = Sample.record(
      scenarios: [
        Record.Scenario(
          name: "pipeline", presentSource: .submitComplete, trials: [Sample.trial(["pipeline_fps": [200]])]),
        Record.Scenario(name: "startup", variant: "warm", trials: [Sample.trial(["ttff_ms": [60]])]),
      ])
    record.input.name = "a \"b\"\\\n/c.mp4"
    return record
  }
}

@Suite struct TraceTests {
  private static func expectGolden(_ text: String, _ name: String) throws {
    let url = TestFiles.folder().appending(path: "Golden/\(name)")
    if ProcessInfo.processInfo.environment["BENCH360_REWRITE_GOLDEN"] == "1" { try Data(text.utf8).write(to: url) }
    #expect(text == String(decoding: try Data(contentsOf: url), as: UTF8.self))
  }

  @Test func theTraceMatchesItsGolden() throws {
    let text = ChromeTrace.text([SampleTrace.pipeline, SampleTrace.startup], of: SampleTrace.record)
    try Self.expectGolden(text, "trace.json")
    #expect((try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])?.count == 3)
  }

  /// A frame that was not shown has an instant of its own, at its due time, and none among the shown ones.
  @Test func whatWasNotShownIsNeverPresented() throws {
    var record = SampleTrace.record
    record.scenarios = [Record.Scenario(name: "play", presentSource: .submitComplete, trials: [])]
    let text = ChromeTrace.text([SampleTrace.play], of: record)
    let trace = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let events = try #require(trace["traceEvents"] as? [[String: Any]])
    func thread(_ name: String) -> [(name: String, frame: Int, phase: String, time: Double)] {
      let id = events.first { ($0["args"] as? [String: Any])?["name"] as? String == name }?["tid"] as? Int
      return events.filter { $0["tid"] as? Int == id && $0["ph"] as? String != "M" }.map { event in
        (
          event["name"] as? String ?? "", (event["args"] as? [String: Any])?["frame"] as? Int ?? -1,
          event["ph"] as? String ?? "", event["ts"] as? Double ?? -1
        )
      }
    }
    #expect(thread("present").map(\.frame) == [0, 4] && thread("present").allSatisfy { $0.phase == "X" })
    let unseen = thread("not shown")
    #expect(unseen.map(\.name) == ["dropped", "dropped", "skipped"] && unseen.map(\.frame) == [1, 2, 3])
    #expect(unseen.allSatisfy { $0.phase == "i" && $0.time == 41_500 })
    #expect(events.count { $0["ph"] as? String == "C" } == 5)
  }

  @Test func theTableMatchesItsGolden() throws {
    try Self.expectGolden(FrameTable.text([SampleTrace.pipeline, SampleTrace.startup]), "frames.csv")
  }

  /// PresentMon's names, a row for each frame that was submitted; what is not known is NA.
  @Test func theTableMayHavePresentMonsColumns() throws {
    let text = FrameTable.text([SampleTrace.pipeline, SampleTrace.play], columns: .presentmon)
    let rows = text.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let header = rows[0].map(String.init)
    #expect(rows.allSatisfy { $0.count == header.count })
    let (pipeline, play) = (SampleTrace.pipeline.frames, SampleTrace.play.frames)
    #expect(rows.count == 1 + (pipeline + play).count { $0.flight != nil } && rows.count > 2)
    func column(_ name: String, _ trial: String) throws -> [Double?] {
      let index = try #require(header.firstIndex(of: name), "\(name)")
      return rows.dropFirst().filter { $0[1] == trial }.map { $0[index] == "NA" ? nil : Double($0[index]) }
    }
    #expect(
      try column("MsBetweenPresents", "1") == pipeline.filter { $0.flight != nil }.map(\.display.intervalMilliseconds))
    #expect(try column("MsInPresentAPI", "1").allSatisfy { $0 == nil })
    let latencies = pipeline.compactMap(\.flight).map { Double($0.nanoseconds) / 1e6 }
    #expect(try column("MsRenderPresentLatency", "1") == latencies)
    // A frame's work begins when it leaves the queue.
    let origin = try #require(SampleTrace.pipeline.start)
    let starts = pipeline.compactMap { frame in frame.flight.map { frame.queueing.span?.end ?? $0.start } }
    #expect(try column("CPUStartTime", "1") == starts.map { ($0.milliseconds(since: origin) * 1e4).rounded() / 1e4 })
    // To 4 decimals, as in records.
    let shown = play.filter { $0.flight != nil }.map { frame in
      frame.display.present.map { (Double($0.nanoseconds) / 1e2).rounded() / 1e4 }
    }
    #expect(try column("DisplayedTime", "2") == shown && !shown.compactMap { $0 }.isEmpty)
    #expect(FrameTable.text([], columns: .presentmon).split(separator: "\r\n").count == 1)
  }

  @Test func nothingMeasuredIsStillATraceAndATable() throws {
    let trace = Data(ChromeTrace.text([], of: Sample.decodeOnly).utf8)
    let values = try #require(try JSONSerialization.jsonObject(with: trace) as? [String: Any])
    #expect((values["traceEvents"] as? [Any])?.isEmpty == true)
    #expect(FrameTable.text([]).split(separator: "\r\n").count == 1)
  }

  /// Sound and its gaps have a track, and how late it is a counter.
  @Test func theTraceHasTheSound() throws {
    var trial = SampleTrace.play
    let span = TimeSpan(MonotonicTime(nanoseconds: 4_000_000), milliseconds: 30)
    trial.sound.stretches = [
      .init(name: "sound", span: span), .init(name: "gap", span: TimeSpan(span.end, milliseconds: 12.5)),
    ]
    trial.sound.offsets = [.init(instant: span.end, milliseconds: -3.25)]
    let text = ChromeTrace.text([trial], of: SampleTrace.record)
    let trace = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let events = try #require(trace["traceEvents"] as? [[String: Any]])
    let track = events.first { ($0["args"] as? [String: Any])?["name"] as? String == "sound" }?["tid"] as? Int
    let slices = events.filter { $0["tid"] as? Int == track && $0["ph"] as? String == "X" }
    #expect(slices.map { $0["name"] as? String } == ["sound", "gap"])
    #expect(slices.map { $0["dur"] as? Double } == [30_000, 12_500])
    let counter = try #require(events.first { $0["name"] as? String == "av_sync_ms" })
    #expect((counter["args"] as? [String: Double]) == ["ms": -3.25] && counter["ph"] as? String == "C")
    let first = try #require(slices.first?["ts"] as? Double)
    #expect(counter["ts"] as? Double == first + 30_000)
  }

  /// Random spans, on as few threads as will do: as many as overlap at most.
  @Test(arguments: [1, 2, 3] as [UInt64]) func threadsAreAsFewAsTheOverlap(seed: UInt64) throws {
    var state = seed
    func random(_ range: Int64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 33) % range
    }
    var trial = TrialTrace(scenario: "decode", variant: nil, number: 1, total: 1, isComplete: true, frames: [])
    for index in 0..<300 {
      var frame = FrameTrace(index: index, presentationTime: .zero)
      let start = MonotonicTime(nanoseconds: 1_000_000 + random(100_000))
      frame.decoding.decode = TimeSpan(start, MonotonicTime(nanoseconds: start.nanoseconds + random(2000)))
      trial.frames.append(frame)
    }
    let spans = trial.frames.compactMap(\.decoding.decode).filter { $0.nanoseconds > 0 }
    let most = spans.map { span in spans.count { $0.start <= span.start && span.start < $0.end } }.max()
    let text = ChromeTrace.text([trial], of: Sample.decodeOnly)
    let threads = text.matches(of: /"name":"decode ([0-9]+)"/).compactMap { Int($0.1) }
    #expect(threads.max() == most && threads.count == most, "seed \(seed)")
  }

  @Test func filesAreWrittenWholeAndNamedInFailures() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = folder.appending(path: "deep/t.json").path
      try ChromeTrace.write([SampleTrace.pipeline], of: SampleTrace.record, to: path)
      let text = ChromeTrace.text([SampleTrace.pipeline], of: SampleTrace.record)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      // More than is held back before it is written.
      var long = SampleTrace.pipeline
      long.frames = Array(repeating: long.frames[0], count: 20_000)
      let table = folder.appending(path: "f.csv").path
      try FrameTable.write([long], to: table)
      #expect(try String(contentsOfFile: table, encoding: .utf8) == FrameTable.text([long]))
      for (failure, words) in [
        (#expect(throws: Failure.self) { try FrameTable.write([], to: table + "/x") }, ["frame table", "--frames"]),
        (
          #expect(throws: Failure.self) { try ChromeTrace.write([], of: SampleTrace.record, to: table + "/x") },
          ["trace", "--trace"]
        ),
      ] {
        for word in words { #expect(failure?.description.contains(word) == true) }
      }
    }
  }
}
