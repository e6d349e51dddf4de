import Foundation
import Frames
import RecordSamples
import Testing
import Verdict

@Suite struct RecordTests {
  @Test(arguments: [Sample.record(), Sample.decodeOnly]) func survivesTheWayThroughJSON(_ record: Record) throws {
    let data = try RecordCoding.encode(record)
    #expect(try RecordCoding.decodeRecord(data, name: "a.json") == record)
    #expect(try RecordCoding.encode(try RecordCoding.decodeRecord(data, name: "a.json")) == data)
  }

  @Test func unknownValuesAreNull() throws {
    let object = try JSONSerialization.jsonObject(with: RecordCoding.encode(Sample.decodeOnly))
    let record = try #require(object as? [String: Any])
    #expect(record["device"] is NSNull && record["label"] is NSNull && record["dirty"] is NSNull)
    let machine = try #require(record["machine"] as? [String: Any])
    #expect(machine.count == 8 && machine.values.allSatisfy { $0 is NSNull })
    let settings = try #require(record["settings"] as? [String: Any])
    #expect(settings.count == 32 && settings["thread_type"] is NSNull)
    let text = String(decoding: try RecordCoding.encode(Sample.record()), as: UTF8.self)
    #expect(text.contains("\"wrong_frame\" : null") && text.contains("\"shader_cache\" : null"))
  }

  /// The groups of a record are this program's: scripts read the fields where they have always been.
  @Test func groupsAreNotSeenInTheFile() throws {
    var sample = Sample.record()
    sample.cell = Record.Cell(id: "1", name: "a")
    (sample.settings.viewing.inputEvents, sample.settings.viewing.inputEventsSha256) = ("hand.json", "a1")
    sample.settings.decoding.expect = "software"
    sample.settings.pacing.lookAhead = 8
    (sample.settings.pacing.audio, sample.settings.pacing.audioTrack) = ("null", 1)
    sample.settings.pacing.audioDelayMs = 100
    sample.settings.streaming = Record.Settings.Streaming()
    let object = try JSONSerialization.jsonObject(with: RecordCoding.encode(sample))
    let record = try #require(object as? [String: Any])
    #expect(
      Set(record.keys) == [
        "schema", "created", "label", "session", "version", "commit", "dirty", "command", "complete", "machine",
        "device",
        "libraries", "input", "settings", "cell", "scenarios", "bound_by", "warnings",
      ])
    let settings = try #require(record["settings"] as? [String: Any])
    #expect(
      Set(settings.keys) == [
        "suite", "scenarios", "trials", "duration_seconds", "size", "view", "camera", "camera_sha256", "projection",
        "bounds", "pose", "geometry", "stereo", "eye", "lens_fov", "decoder", "threads", "thread_type", "low_delay",
        "converted_from", "color_conversion", "upload", "shading", "refresh_hz", "look_ahead", "audio", "audio_track",
        "audio_delay_ms",
        "input_events",
        "input_events_sha256", "expect", "seed", "present", "validate", "require_gpu", "device", "pin", "stress",
        "timeout_seconds",
        "reasons", "streaming",
      ])
    let comparison = try JSONSerialization.jsonObject(with: RecordCoding.encode(try Sides.full()))
    let results = try #require((comparison as? [String: Any])?["results"] as? [[String: Any]])
    #expect(
      Set(try #require(results.first).keys) == [
        "input", "scenario", "variant", "metric", "unit", "better", "base", "head", "shift", "low", "high", "threshold",
        "noise_floor", "p", "verdict", "why",
      ])
  }

  /// What an earlier build of this schema did not have may be missing, in every group.
  @Test(arguments: ["label", "dirty", "device", "suite", "view", "pose", "thread_type", "upload", "present", "pin"])
  func aMissingFieldIsUnknown(name: String) throws {
    let text = String(decoding: try RecordCoding.encode(Sample.record()), as: UTF8.self)
    let less = text.replacing("\"\(name)\" :", with: "\"\(name)_of_another_build\" :")
    #expect(less != text)
    let read = try RecordCoding.decodeRecord(Data(less.utf8), name: "a.json")
    let object = try JSONSerialization.jsonObject(with: RecordCoding.encode(read)) as? [String: Any]
    let found = object?[name] ?? (object?["settings"] as? [String: Any])?[name]
    #expect(found is NSNull)
  }

  @Test func numbersThatAreNoneAreNullAndNoReasonToLoseTheRest() throws {
    var record = Sample.decodeOnly
    record.input.durationSeconds = .infinity
    record.scenarios[0].trials[0] = Sample.trial(["decode_fps": [.nan]], phases: ["open": .nan])
    let read = try RecordCoding.decodeRecord(try RecordCoding.encode(record), name: "a.json")
    #expect(read.input.durationSeconds == nil)
    #expect(read.scenarios[0].trials[0].phases == ["open": nil])
  }

  @Test func aStandardRunIsSmall() throws {
    let trials = (0..<5).map { _ in Sample.trial(["render_gpu_ms": Sample.samples(1000.0 / 3, count: 4000)]) }
    let record = Sample.record(scenarios: [Record.Scenario(name: "render", trials: trials)])
    let data = try RecordCoding.encode(record)
    #expect(data.count < 400_000)
    #expect(String(decoding: data, as: UTF8.self).split(separator: "\n").count < 300)
    #expect(try RecordCoding.decodeRecord(data, name: "a.json") == record)
  }

  @Test func textThatLooksLikeAnArrayIsLeftAlone() throws {
    let strings = ["[1, 2]", "\\", "\"[ 1 ]", "[\n 1,\n 2 ]"]
    let data = try RecordCoding.encode(strings)
    #expect(try JSONDecoder().decode([String].self, from: data) == strings)
    #expect(String(decoding: try RecordCoding.encode([[1, 2], []]), as: UTF8.self).contains("[1,2]"))
  }

  @Test func aFieldThatAnEarlierBuildLackedReadsAsUnknown() throws {
    let text = String(decoding: try RecordCoding.encode(Sample.decodeOnly), as: UTF8.self)
    let older = text.replacing("    \"converted_from\" : null,\n", with: "")
    #expect(older != text)
    #expect(try RecordCoding.decodeRecord(Data(older.utf8), name: "a.json") == Sample.decodeOnly)
  }

  @Test func aCountOfAnEarlierDefinitionReadsAsUnknown() throws {
    let earlier = String(decoding: try RecordCoding.encode(Sample.record()), as: UTF8.self)
      .replacing("\"bench360/2\"", with: "\"bench360/1\"")
    let record = try RecordCoding.decodeRecord(Data(earlier.utf8), name: "a.json")
    var expected = Sample.record()
    var counts = 0
    for index in expected.scenarios.indices {
      for trial in expected.scenarios[index].trials.indices
      where expected.scenarios[index].trials[trial].counters["late"] != nil {
        expected.scenarios[index].trials[trial].counters["late"] = .some(nil)
        counts += 1
      }
      if expected.scenarios[index].summary.counters["late"] != nil {
        expected.scenarios[index].summary.counters["late"] = .some(nil)
      }
    }
    #expect(counts > 0, "the sample has no frames that could be late")
    #expect(record == expected)
  }

  @Test(arguments: [
    ("", "the file is empty"), ("hello", "it is not JSON"), ("[1]", "it is not a bench360 record"),
    ("{}", "names no schema"), (#"{"schema": 3}"#, "it is not a bench360 record"),
    (#"{"schema": "other/1"}"#, "its schema 'other/1' is not bench360's"),
    (#"{"schema": "bench360/3"}"#, "is newer than 'bench360/2', the newest that this build reads — update bench360"),
    (#"{"schema": "bench360/0"}"#, "is not bench360's"), (#"{"schema": "bench360/1"}"#, "is missing"),
    (#"{"schema": "bench360/1", "created": "#, "it is not JSON"),
  ])
  func whatIsNoRecordIsNamed(_ text: String, _ cause: String) throws {
    let failure = try #require(throws: Failure.self) {
      try RecordCoding.decodeRecord(Data(text.utf8), name: "x.json")
    }
    #expect(failure.kind == .input && failure.remedy != nil)
    #expect(failure.description.hasPrefix("cannot read record 'x.json': "))
    #expect(failure.description.contains(cause), "\(failure)")
  }

  @Test func aWrongFieldIsNamedByItsPlace() throws {
    let text = String(decoding: try RecordCoding.encode(Sample.decodeOnly), as: UTF8.self)
    let wrong = text.replacing("\"started\" : \"2025-11-21T09:30:14Z\"", with: "\"started\" : 5")
    let failure = try #require(throws: Failure.self) {
      try RecordCoding.decodeRecord(Data(wrong.utf8), name: "x.json")
    }
    #expect(failure.cause == "'scenarios[0].trials[0].started' is not of type String")
  }

  @Test func timestampsAreRFC3339InUTC() {
    #expect(RecordCoding.timestamp(Date(timeIntervalSince1970: 1_763_717_414)) == "2025-11-21T09:30:14Z")
  }
}

@Suite struct SummaryTests {
  @Test func poolsTheTypicalTrialAndTheExtremes() throws {
    let trials = [[1.0, 2, 9], [3, 4, 5], [6, 7, 8]].map { Sample.trial(["render_gpu_ms": $0]) }
    let metric = try #require(Record.Scenario(name: "render", trials: trials).summary.metrics["render_gpu_ms"])
    #expect(metric.unit == "ms" && metric.n == 3)
    #expect(metric.p50 == 4 && metric.min == 1 && metric.max == 9)
    #expect(metric.trialLow == 2 && metric.trialHigh == 7 && metric.p99 == nil && metric.mean == 4)
  }

  @Test func trialsWithoutTheMetricDoNotCount() throws {
    let trials = [[], [3.0], []].map { Sample.trial(["power_w": $0]) }
    let metric = try #require(Record.Summary(trials).metrics["power_w"])
    #expect(metric.n == 1 && metric.p50 == 3)
    let unknown = try #require(Record.Summary([trials[0]]).metrics["power_w"])
    #expect(unknown.n == 0 && unknown.p50 == nil && unknown.unit == "W")
  }

  @Test func countersAreSummedOverTheTrialsThatKnowThem() {
    let known = Sample.trial([:], counters: ["wrong_frame": 2, "late": nil])
    let unknown = Sample.trial([:], counters: ["wrong_frame": nil, "late": nil])
    let counters = Record.Summary([unknown, known, unknown, known]).counters
    #expect(counters == ["wrong_frame": 4, "late": nil])
  }

  @Test func incompleteTrialsCountForCountersOnly() throws {
    var cut = Sample.trial(["decode_fps": [5]], counters: ["wrong_frame": 1])
    cut.complete = false
    let whole = Sample.trial(["decode_fps": [80]], counters: ["wrong_frame": 0])
    let summary = Record.Summary([cut, whole])
    #expect(summary.metrics["decode_fps"]?.p50 == 80 && summary.counters["wrong_frame"] == 1)
    #expect(Record.Summary([cut]).metrics["decode_fps"]?.p50 == 5)
  }

  @Test func phasesAreMedians() {
    let trials = [1.0, 9, 2].map { Sample.trial([:], phases: ["open": $0, "spawn": nil]) }
    #expect(Record.Summary(trials).phases == ["open": 2, "spawn": nil])
  }
}
