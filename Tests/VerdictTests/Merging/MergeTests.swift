import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// What becomes of records that are merged.
@Suite struct MergeTests {
  @Test func aRecordThatStandsAloneIsCopiedByteForByte() throws {
    let records = [
      "shard-0/a.json": Shards.record("a", [80], session: "s"),
      "shard-1/b.json": Shards.record("b", [90], session: "t"),
    ]
    let (files, plan) = try Shards.merged(records)
    #expect(files.keys.sorted() == ["a.json", "b.json"] && plan.notes.isEmpty && plan.missing.isEmpty)
    #expect(try files["a.json"] == RecordCoding.encode(records["shard-0/a.json"]))
  }

  @Test func recordsOfOneCellAreJoinedWithAllTheirTrials() throws {
    let (files, plan) = try Shards.merged([
      "1/a.json": Shards.record("a", [70, 60], session: "two", second: 2),
      "2/a.json": Shards.record("a", [80, 90], session: "one", second: 1),
    ])
    #expect(plan.items.count == 1 && plan.items[0].sources.count == 2 && files.count == 1)
    let record = try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
    let trials = record.scenarios[0].trials
    #expect(trials.map { $0.metrics["decode_fps"]?.p50 } == [80, 90, 70, 60], "in the order of their time")
    #expect(trials.map(\.session) == ["one", "one", "two", "two"] && record.session == nil)
    #expect(trials.map { $0.metrics["decode_latency_ms"]?.samples.count } == [120, 120, 120, 120])
    #expect(record.settings.repetition.trials == 4 && record.complete && record.created == "2025-11-21T09:01:00Z")
    #expect(record.scenarios[0].summary == Record.Summary(trials), "computed anew, the least sample included")
    #expect(record.scenarios[0].summary.metrics["decode_fps"]?.min == 60)
    guard PythonJudge.hasJSONSchema || PythonJudge.isRequired else { return }
    try TestFiles.withTemporaryFolder { folder in
      let path = folder.appending(path: "a.json")
      try #require(files["a.json"]).write(to: path)
      #expect(try PythonJudge.schemaRefusals([path.path]).isEmpty)
    }
  }

  /// Records without a matrix are told apart by all that they were made with.
  @Test func withoutAMatrixOneClipWithOneChoiceOfSettingsIsOneCell() throws {
    let other = Shards.record(nil, [50], session: "c", second: 3) { $0.settings.decoding.threads = 7 }
    let (files, _) = try Shards.merged([
      "x/one.json": Shards.record(nil, [80], session: "a", second: 1),
      "y/two.json": Shards.record(nil, [70], session: "b", second: 2), "z/one.json": other,
    ])
    #expect(files.keys.sorted() == ["one-2.json", "one.json"])
    #expect(try files["one-2.json"] == RecordCoding.encode(other))
  }

  @Test(arguments: [
    ("device", "NVIDIA"), ("machine", "another"), ("driver", "525"), ("ffmpeg", "6.0"), ("clip", "0b0b"),
    ("version", "9.9"),
    ("commit", "ffff"), ("label", "theirs"), ("kernel", "6.9"), ("os", "Plan 9"), ("governor", "powersave"),
    ("threads", "63"), ("upload", "copy"),
    ("scenarios", "render"),
    ("duration", "77"),
  ])
  func whatDiffersIsKeptApartAndSaid(field: String, value: String) throws {
    let other = Shards.record("a", [70], session: "b", second: 2) { record in
      switch field {
      case "device": record.environment.device?.uuid = value
      case "machine": record.environment.machine.hostClass = value
      case "driver": record.environment.device?.driver = value
      case "ffmpeg": record.environment.libraries.ffmpeg.runtime = value
      case "clip": record.input.sha256 = value
      case "version": record.build.version = value
      case "commit": record.build.commit = value
      case "label": record.label = value
      case "kernel": record.environment.machine.kernel = value
      case "os": record.environment.machine.os = value
      case "governor": record.environment.machine.governor = value
      case "threads": record.settings.decoding.threads = Int(value)
      case "upload": record.settings.drawing.upload = value
      case "scenarios": record.scenarios[0].name = value
      default: record.settings.repetition.durationSeconds = Double(value) ?? 0
      }
    }
    let (files, plan) = try Shards.merged([
      "1/a.json": Shards.record("a", [80], session: "a", second: 1), "2/a.json": other,
    ])
    #expect(files.keys.sorted() == ["a-2.json", "a.json"])
    #expect(
      plan.notes.count == 1 && plan.notes[0].hasPrefix("'a': 2 records are kept apart, for they differ in \(field) ("))
    #expect(plan.notes.first?.contains(value) == true, "\(plan.notes)")
  }

  @Test func aTrialThatIsThereTwiceCountsOnce() throws {
    let (one, two) = (
      Shards.record("a", [80, 80], session: "one", second: 1), Shards.record("a", [70], session: "two", second: 2)
    )
    let (files, plan) = try Shards.merged(["1/a.json": one, "2/a.json": two, "3/copy.json": one])
    let joined = try #require(files["a.json"])
    #expect(plan.notes == ["1 record is there already and dropped: a"])
    // A merged record is merged again with one of its parts and with a new record.
    let whole = try RecordCoding.decodeRecord(joined, name: "a")
    #expect(whole.scenarios[0].trials.count == 3)
    let new = Shards.record("a", [60], session: "three", second: 3)
    let (again, remerged) = try Shards.merged(["1.json": two, "2.json": whole, "3.json": new, "4.json": one])
    let all = try RecordCoding.decodeRecord(try #require(again["a.json"]), name: "a")
    #expect(all.scenarios[0].trials.map { $0.metrics["decode_fps"]?.p50 } == [80, 80, 70, 60])
    #expect(
      all.scenarios[0].trials.map(\.session) == ["one", "one", "two", "three"] && all.settings.repetition.trials == 4)
    #expect(remerged.notes == ["2 records are there already and dropped: a"])
  }

  @Test func incompleteRecordsAreJoinedWithNone() throws {
    let cut = Shards.record("a", [80], session: "one", second: 1, complete: false)
    let whole = Shards.record("a", [70], session: "two", second: 2)
    let (files, plan) = try Shards.merged(["1/a.json": cut, "2/a.json": whole])
    #expect(try files == ["a.json": RecordCoding.encode(whole)])
    #expect(plan.notes == ["1 record is incomplete and left out, for the cell was measured again: a"])
    let expected = [MergePlan.Expected(cell: Shards.cell("a"), shard: 0)]
    let (alone, lacking) = try Shards.merged(["1/a.json": cut], expected: expected)
    #expect(try alone == ["a.json": RecordCoding.encode(cut)] && lacking.missing == expected)
    #expect(lacking.notes == ["1 record is incomplete: a"])
  }

  /// A record of nothing has no trial that another one lacks: it is a record all the same, and once.
  @Test func recordsWithoutTrialsAreKept() throws {
    let none = Shards.record("a", [], session: "one") { $0.scenarios[0].trials = [] }
    let (files, plan) = try Shards.merged(["1/a.json": none, "2/a.json": none])
    #expect(try files == ["a.json": RecordCoding.encode(none)])
    #expect(plan.notes == ["1 record is there already and dropped: a"])
  }

  @Test func whatDescribesARecordIsJoinedToo() throws {
    let parts = (0..<3).map { number in
      Shards.record("a", [80 + Double(number)], session: number == 2 ? "other" : "one", second: number) { record in
        record.warnings = [
          Record.Warning(code: "both", text: "of \(number)"), Record.Warning(code: "only-\(number)", text: ""),
        ]
        record.settings.reasons = ["both": "of \(number)", "only-\(number)": ""]
      }
    }
    func joined(_ parts: ArraySlice<Record>) throws -> Record {
      let (files, _) = try Shards.merged(
        Dictionary(uniqueKeysWithValues: parts.enumerated().map { ("\($0).json", $1) }))
      return try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
    }
    let (two, three) = (try joined(parts[..<2]), try joined(parts[...]))
    #expect(three.warnings.map(\.code) == ["both", "only-0", "only-1", "only-2"] && three.warnings[0].text == "of 0")
    #expect(three.settings.reasons == ["both": "of 0", "only-0": "", "only-1": "", "only-2": ""])
    // One session is the record's, and its trials need not tell it; of several each tells its own.
    #expect(two.session == "one" && two.scenarios[0].trials.map(\.session) == [nil, nil])
    #expect(three.session == nil && three.scenarios[0].trials.map(\.session) == ["one", "one", "other"])
  }

  /// Twins within one record are two trials, in another record they are the same two.
  @Test func twinsOfOneRecordAreTwoTrials() throws {
    let twins = Shards.record("a", [80, 80], session: "one", second: 1) { record in
      record.scenarios[0].trials[1] = record.scenarios[0].trials[0]
    }
    let more = Shards.record("a", [70], session: "one", second: 2) { record in
      record.scenarios[0].trials += twins.scenarios[0].trials
      record.settings.repetition.trials = 3
    }
    let (files, _) = try Shards.merged(["1.json": twins, "2.json": more])
    let joined = try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
    #expect(joined.scenarios[0].trials.map { $0.metrics["decode_fps"]?.p50 } == [80, 80, 70])
    #expect(joined.settings.repetition.trials == 3, "as many as are new are added")
  }

  /// Two machines may begin in the same second and measure the same.
  @Test func trialsOfTwoSessionsAreTwo() throws {
    let parts = ["one", "two"].map { Shards.record("a", [80], session: $0) }
    let (files, plan) = try Shards.merged(["1.json": parts[0], "2.json": parts[1]])
    let joined = try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
    #expect(joined.scenarios[0].trials.map(\.session) == ["one", "two"] && plan.notes.isEmpty)
  }

  @Test func whatLimitsThePipelineIsFoundAnew() throws {
    let parts = ["one", "two"].map { session in
      Shards.record("a", [], session: session) { ($0.scenarios, $0.boundBy) = (Sample.scenarios, nil) }
    }
    let (files, _) = try Shards.merged(["1.json": parts[0], "2.json": parts[1]])
    let joined = try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
    #expect(joined.boundBy == Sample.record().boundBy && joined.boundBy != nil)
  }

  /// Ten cells are named, and that there are more is said of eleven.
  @Test(arguments: [10, 11])
  func onlyTheFirstTenAreNamed(count: Int) throws {
    let names = (0..<count).map { String(format: "c%02d", $0) }
    let expected = Shards.expected(names, shards: 1)
    let records = names.map { ("\($0).json", Shards.record($0, [80], session: $0, complete: false)) }
    let (_, plan) = try Shards.merged(Dictionary(uniqueKeysWithValues: records), expected: expected)
    for text in [plan.notes.first, plan.missingSentence(expected, shards: 1)] {
      #expect(text?.hasSuffix(count == 10 ? "c08, c09" : "c08, c09, …") == true, "\(text ?? "nothing")")
    }
  }

  @Test func namesAreTheRecordsOwnButNoPathAndNoneTwice() throws {
    let (files, _) = try Shards.merged([
      "1.json": Shards.record("../../evil", [1], session: "1"), "2.json": Shards.record("A", [2], session: "2"),
      "3.json": Shards.record("a", [3], session: "3", second: 1),
    ])
    #expect(files.keys.sorted() == ["A.json", "a-2.json", "evil.json"])
  }

  /// Five sessions as base tell how far sessions lie apart, in five files or in one.
  @Test func sessionsOutliveMerging() throws {
    let rates = [80.0, 81, 82, 83, 84]
    let parts = rates.enumerated().map { Shards.record("a", Sides.spread($1), session: "s\($0)", second: $0) }
    let head = Shards.record("a", Sides.spread(60), session: "head", second: 9)
    let (files, _) = try Shards.merged(Dictionary(uniqueKeysWithValues: parts.enumerated().map { ("\($0).json", $1) }))
    let whole = try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
    let (apart, joined) = (try Sides.compare(parts, [head]), try Sides.compare([whole], [head]))
    #expect(apart.results.map(\.noiseFloor) == joined.results.map(\.noiseFloor))
    #expect(joined.results[0].noiseFloor != nil && joined.results.map(\.verdict) == apart.results.map(\.verdict))
  }
}
