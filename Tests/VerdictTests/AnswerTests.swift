import Frames
import RecordSamples
import Testing
import Verdict

@Suite struct AnswerTests {
  /// A record of a 30 fps clip with the rates given.
  static func record(
    decode: Double? = nil, render: Double? = nil, upload: Double? = nil, pipeline: Double? = nil,
    software: Bool = false, counters: [String: Int?] = [:]
  ) -> Record {
    var scenarios: [Record.Scenario] = []
    func add(_ name: String, _ metric: String, _ value: Double?) {
      guard let value else { return }
      scenarios.append(Record.Scenario(name: name, trials: [Sample.trial([metric: [value]], counters: counters)]))
    }
    add("decode", "decode_fps", decode)
    add("render", "render_gpu_ms", render.map { 1000 / $0 })
    add("upload", "upload_gpu_ms", upload.map { 1000 / $0 })
    add("pipeline", "pipeline_fps", pipeline)
    var record = Sample.record(device: Sample.device(software: software), scenarios: scenarios)
    record.input.rate = Ratio(30, 1)
    return record
  }

  @Test(
    arguments: [
      (record(decode: 70, render: 900, pipeline: 69), "plays in real time with 2.3 × headroom; bound by decode"),
      (record(decode: 70, render: 22, pipeline: 21), "does not play in real time: 0.7 ×; bound by render"),
      (
        record(decode: 900, render: 800, upload: 50, pipeline: 48),
        "plays in real time with 1.6 × headroom; bound by upload"
      ),
      (record(pipeline: 360), "plays in real time with 12 × headroom; what bounds it was not measured"),
      (
        record(decode: 400, render: 900, pipeline: 60),
        "plays in real time with 2.0 × headroom; bound by no measured stage: decode alone would reach 400 fps, "
          + "render alone 900 fps"
      ),
      (
        record(decode: 80, render: 60, pipeline: 35, software: true),
        "plays in real time with 1.1 × headroom; bound by the CPU, which decode and render share: decode alone would "
          + "reach 80 fps, render alone 60 fps"
      ),
      (
        record(pipeline: 35, software: true),
        "plays in real time with 1.1 × headroom; bound by the CPU, which decode and render share"
      ),
      (record(decode: 75), "decode alone reaches 75 fps (2.5 ×); the whole pipeline was not measured"),
      (record(render: 9.5), "render alone reaches 9.5 fps (0.3 ×); the whole pipeline was not measured"),
      (
        record(decode: 75, render: 60, software: true),
        "decode alone reaches 75 fps (2.5 ×) and render alone reaches 60 fps (2.0 ×); "
          + "the whole pipeline was not measured"
      ),
      (record(), "nothing was measured"),
    ] as [(Record, String)])
  func says(_ record: Record, _ sentence: String) {
    #expect(Answer(record).sentence == sentence)
  }

  @Test(
    arguments: [
      ("software", 0, "; every frame checked is the software decoder's"),
      ("a.framehash", 0, "; every frame checked is that of a.framehash"),
      ("software", nil, ""), (nil, 0, ""),
    ] as [(String?, Int?, String)])
  func saysThatPicturesWereTheExpectedOnes(_ expected: String?, _ wrong: Int?, _ clause: String) {
    var record = Self.record(decode: 75, counters: ["wrong_frame": wrong])
    record.settings.decoding.expect = expected
    #expect(
      Answer(record).sentence == "decode alone reaches 75 fps (2.5 ×); the whole pipeline was not measured" + clause)
  }

  @Test(
    arguments: [
      (record(decode: 70, render: 900, pipeline: 69), .decode), (record(decode: 70, render: 22, pipeline: 21), .render),
      (record(decode: 900, render: 800, upload: 50, pipeline: 48), .upload),
      (record(decode: 74, render: 900, pipeline: 60), .decode),
      (record(decode: 76, render: 900, pipeline: 60), .noStage),
      (record(decode: 80, render: 60, pipeline: 35, software: true), .cpu),
      (record(pipeline: 35, software: true), .cpu),
      (record(pipeline: 360), nil), (record(decode: 70, render: 22), nil), (record(), nil),
      (record(decode: 80, render: 60, software: true), nil),
    ] as [(Record, Bottleneck?)])
  func theRecordHoldsWhatBoundsThePipeline(_ record: Record, _ bottleneck: Bottleneck?) throws {
    #expect(record.boundBy == bottleneck)
    let text = String(decoding: try RecordCoding.encode(record), as: UTF8.self)
    #expect(text.contains("\"bound_by\" : \(bottleneck.map { "\"\($0.rawValue)\"" } ?? "null"),\n"))
  }

  @Test(arguments: [
    (29.9999, "does not play in real time: 0.99 ×"), (29.99, "does not play in real time: 0.99 ×"),
    (30, "with 1.00 × headroom"), (32.7, "with 1.09 × headroom"),
    (33, "with 1.1 × headroom"), (2.7, "real time: 0.09 ×"), (0.1, "real time: less than 0.01 ×"), (299, "with 9.9 ×"),
  ])
  func aMissNeverReadsAsAHit(_ fps: Double, _ words: String) {
    let answer = Answer(Self.record(pipeline: fps))
    #expect(answer.sentence.contains(words), "\(answer.sentence)")
    #expect(answer.isGood == (fps >= 30))
  }

  /// One picture is decoded again and again: how often has nothing to do with a frame rate.
  @Test(
    arguments: [
      (1, 2.0, "mov,mp4"), (nil, 0.04, "image2"), (nil, nil, "png_pipe"),
    ] as [(Int?, Double?, String)])
  func aStillPictureHasNoVerdict(frames: Int?, seconds: Double?, container: String) {
    var record = Self.record(decode: 80, pipeline: 10)
    (record.input.frames, record.input.durationSeconds, record.input.container) = (frames, seconds, container)
    let answer = Answer(record)
    #expect(
      answer.sentence.hasPrefix("a still picture: no frame rate is there to keep; the pipeline reaches 10 fps; "))
    #expect(answer.isGood == nil && answer.headroom == nil)
    record.scenarios.removeAll { $0.name == "pipeline" }
    #expect(!Answer(record).sentence.contains("×"), "\(Answer(record).sentence)")
    record.input.frames = 2
    #expect(!Answer(record).sentence.contains("still"))
  }

  /// Other work took what the clip would have needed: that is no verdict on the machine.
  @Test(arguments: ["load", "other_cpu", "steal", "gpu_shared"])
  func aBusyMachineIsSaidToBeOne(code: String) {
    var record = Self.record(pipeline: 20)
    record.warnings = [.init(code: code, text: "x")]
    let slow = Answer(record)
    #expect(slow.sentence.hasPrefix("does not play in real time on this busy machine: 0.6 ×") && slow.isGood == nil)
    var fast = Self.record(pipeline: 60)
    fast.warnings = record.warnings
    #expect(Answer(fast).isGood == true && !Answer(fast).sentence.contains("busy"))
    var wrong = Self.record(pipeline: 20, counters: ["wrong_frame": 1])
    wrong.warnings = record.warnings
    #expect(Answer(wrong).isGood == false)
    record.warnings = [.init(code: "governor", text: "x")]
    #expect(Answer(record).isGood == false)
  }

  @Test func scrubbingComesLast() {
    func scrub(_ variant: String, _ metric: String, _ samples: [Double]) -> Record.Scenario {
      Record.Scenario(name: "scrub", variant: variant, trials: [Sample.trial([metric: samples])])
    }
    var record = Self.record(pipeline: 60)
    record.scenarios += [
      scrub("random/exact", "seek_latency_ms", [100, 288.4, 300]), scrub("random/infinite", "seek_latency_ms", [7.25]),
      scrub("drag-forward/adaptive", "scrub_lag_ms", [10, 10, 10, 80, 80]),
    ]
    #expect(
      Answer(record).sentence.hasSuffix(
        "not measured; seeks exactly in 288 ms and to a sync sample in 7.3 ms; "
          + "follows a dragging hand 80 ms behind at p90"))
    record.scenarios = [scrub("random/exact", "seek_latency_ms", [288])]
    #expect(Answer(record).sentence == "seeks exactly in 288 ms")
    record.scenarios = [scrub("fling/1s", "seek_latency_ms", [288])]
    #expect(Answer(record).sentence == "whether it plays in real time was not measured, only scrub")
  }

  @Test func whatAHandDoesIsToldOf() {
    func look(_ variant: String, _ late: Int) -> Record.Scenario {
      Record.Scenario(
        name: "interaction", variant: variant,
        trials: [Sample.trial(["input_latency_ms": [7, 11.4, 30]], counters: ["over_one_refresh": late])])
    }
    var record = Self.record()
    record.scenarios = [look("drag", 0), look("keys", 5)]
    #expect(Answer(record).sentence == "shows what a hand does after 11 ms, 28 ms at p95")
    record.scenarios = [look("wheel", 1)]
    #expect(Answer(record).sentence.hasSuffix(", 1 time a refresh late"))
    record.scenarios = [
      Record.Scenario(name: "interaction", variant: "keys", trials: [Sample.trial(["cpu_seconds": [1]])])
    ]
    #expect(!Answer(record).sentence.contains("hand"))
  }

  @Test func wrongPicturesComeFirst() {
    let one = Answer(Self.record(pipeline: 60, counters: ["wrong_frame": 1]))
    #expect(one.sentence.hasPrefix("the picture was wrong in 1 frame; plays in real time with 2.0 ×"))
    #expect(one.isGood == false && one.incorrect == 1)
    let both = Answer(Self.record(decode: 60, pipeline: 60, counters: ["wrong_frame": 2, "out_of_tolerance": 1]))
    #expect(both.sentence.hasPrefix("the picture was wrong in 4 frames; 2 landings were outside the tolerance; plays"))
    let unknown = Answer(Self.record(pipeline: 60, counters: ["wrong_frame": nil]))
    #expect(unknown.sentence.hasPrefix("plays") && unknown.incorrect == 0)
  }

  @Test func theTypicalTrialCounts() {
    var record = Self.record()
    let trials = [10.0, 90, 60].map { Sample.trial(["pipeline_fps": [$0]]) }
    record.scenarios = [Record.Scenario(name: "pipeline", trials: trials)]
    #expect(Answer(record).headroom == 2)
  }

  @Test func theVariantOfTheSettingsCounts() {
    var record = Self.record()
    record.scenarios = [("copy", 30.0), ("direct", 90), ("staged", 60)].map { variant, fps in
      Record.Scenario(name: "pipeline", variant: variant, trials: [Sample.trial(["pipeline_fps": [fps]])])
    }
    #expect(Answer(record).headroom == 3)
    record.settings.drawing.upload = nil
    #expect(Answer(record).headroom == 1)
  }

  @Test func theClipsRateMayBeAnAverageOrUnknown() {
    var record = Self.record(pipeline: 60)
    record.input.rate = nil
    record.input.frames = 300
    record.input.durationSeconds = 10
    #expect(Answer(record).headroom == 2)
    record.input.frames = nil
    #expect(Answer(record).sentence.hasPrefix("the pipeline reaches 60 fps, but the clip's frame rate is not known"))
    #expect(Answer(record).isGood == nil)
  }

  @Test func gpuTimesOfThePipelineServeWhereTheDecoderHasNoPartOfThem() {
    func sentence(software: Bool) -> String {
      var record = Self.record(software: software)
      let trial = Sample.trial(["pipeline_fps": [60], "render_gpu_ms": [16]])
      record.scenarios = [Record.Scenario(name: "pipeline", trials: [trial])]
      return Answer(record).sentence
    }
    #expect(sentence(software: false).hasSuffix("; bound by render"))
    #expect(sentence(software: true).hasSuffix("; bound by the CPU, which decode and render share"))
  }

  @Test func runsWithoutARateSayWhatTheyMeasured() {
    var record = Sample.record()
    record.scenarios = [record.scenarios[2]]
    #expect(Answer(record).sentence == "drops 2 of 150 frames and shows 1 late at 60 Hz")
    record.scenarios = [Sample.record().scenarios[3]]
    #expect(Answer(record).sentence == "whether it plays in real time was not measured, only startup")
  }

  /// What playing comes to comes first, in words of its own.
  @Test(
    arguments: [
      (["presented": 300, "dropped": 0], 60, "plays every frame on time at 60 Hz", true),
      (
        ["presented": 250, "dropped": 0, "skipped": 50], 50,
        "plays every frame on time at 50 Hz, except frames that no refresh can show", true
      ),
      (["presented": 288, "dropped": 12], 59.94, "drops 12 of 300 frames at 59.94 Hz", false),
      (["presented": 290, "dropped": 0, "skipped": 10, "late": 7], 60, "shows 7 of 300 frames late at 60 Hz", false),
      (
        ["presented": 9, "dropped": 1, "late": 2, "stalls": 1], 60,
        "drops 1 of 10 frames, shows 2 late and stalls once at 60 Hz", false
      ),
      (["presented": 10, "dropped": 0, "stalls": 3], 60, "stalls 3 times at 60 Hz", false),
      (["presented": 0, "dropped": 4], 60, "shows none of 4 frames", false),
    ] as [([String: Int?], Double, String, Bool)])
  func playingIsToldFirst(_ counters: [String: Int?], _ refresh: Double, _ clause: String, _ isOnTime: Bool) {
    var record = Self.record()
    record.settings.pacing.refreshHz = refresh
    record.scenarios = [Record.Scenario(name: "play", trials: [Sample.trial([:], counters: counters)])]
    #expect(Answer(record).sentence == clause && Answer(record).isGood == isOnTime)
    record.scenarios.append(Record.Scenario(name: "pipeline", trials: [Sample.trial(["pipeline_fps": [60]])]))
    let both = Answer(record)
    #expect(both.sentence.hasPrefix(clause + "; unpaced there is 2.0 × headroom") && both.isGood == isOnTime)
  }
}
