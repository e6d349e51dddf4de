import Foundation
import Frames
import Support
import Testing
import Verdict

@Suite struct MergeTests {
  private static func cell(_ name: String) -> Record.Cell {
    // As long as a SHA-256, and different for different names.
    let id = name.utf8.map { String($0, radix: 16) }.joined()
    return Record.Cell(id: String((id + String(repeating: "0", count: 64)).prefix(64)), name: name)
  }

  /// A record of one scenario with a trial for each rate, measured in `session` at a second of its own.
  private static func record(
    _ name: String?, _ rates: [Double], session: String, second: Int = 0, complete: Bool = true,
    change: (inout Record) -> Void = { _ in }
  ) -> Record {
    let trials = rates.enumerated().map { index, rate in
      var trial = Sample.trial(
        ["decode_fps": [rate], "decode_latency_ms": Sample.samples(rate / 10, count: 120)], counters: ["wrong_frame": 0]
      )
      trial.started = String(format: "2025-11-21T09:%02d:%02dZ", second, index)
      return trial
    }
    var record = Sample.record(scenarios: [Record.Scenario(name: "decode", trials: trials)])
    record.created = String(format: "2025-11-21T09:%02d:00Z", second)
    record.cell = name.map(cell)
    record.session = session
    record.complete = complete
    record.settings.trials = rates.count
    change(&record)
    return record
  }

  private static func withRecords<Result>(_ records: [String: Record], _ body: (String) throws -> Result) throws
    -> Result
  {
    try TestFiles.withTemporaryFolder { folder in
      for (path, record) in records {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try RecordCoding.encode(record).write(to: url)
      }
      return try body(folder.path)
    }
  }

  /// Merges `in/` into `out/`: what lies there afterwards, by name, and the plan.
  private static func merged(
    _ records: [String: Record], expected: [MergePlan.Expected]? = nil, paths: [String] = ["in"]
  ) throws -> (files: [String: Data], plan: MergePlan) {
    try withRecords(Dictionary(uniqueKeysWithValues: records.map { ("in/" + $0, $1) })) { folder in
      let merge = try Merge(paths: paths.map { folder + "/" + $0 }, expected: expected)
      try merge.write(toFolder: folder + "/out/deep")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/out/deep")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/out") == ["deep"], "nothing else is left")
      let files = try names.map { ($0, try Data(contentsOf: URL(filePath: folder + "/out/deep/" + $0))) }
      return (Dictionary(uniqueKeysWithValues: files), merge.plan)
    }
  }

  // MARK: What becomes of records

  @Test func aRecordThatStandsAloneIsCopiedByteForByte() throws {
    let records = [
      "shard-0/a.json": Self.record("a", [80], session: "s"), "shard-1/b.json": Self.record("b", [90], session: "t"),
    ]
    let (files, plan) = try Self.merged(records)
    #expect(files.keys.sorted() == ["a.json", "b.json"] && plan.notes.isEmpty && plan.missing.isEmpty)
    #expect(try files["a.json"] == RecordCoding.encode(records["shard-0/a.json"]))
  }

  @Test func recordsOfOneCellAreJoinedWithAllTheirTrials() throws {
    let (files, plan) = try Self.merged([
      "1/a.json": Self.record("a", [70, 60], session: "two", second: 2),
      "2/a.json": Self.record("a", [80, 90], session: "one", second: 1),
    ])
    #expect(plan.items.count == 1 && plan.items[0].sources.count == 2 && files.count == 1)
    let record = try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
    let trials = record.scenarios[0].trials
    #expect(trials.map { $0.metrics["decode_fps"]?.p50 } == [80, 90, 70, 60], "in the order of their time")
    #expect(trials.map(\.session) == ["one", "one", "two", "two"] && record.session == nil)
    #expect(trials.map { $0.metrics["decode_latency_ms"]?.samples.count } == [120, 120, 120, 120])
    #expect(record.settings.trials == 4 && record.complete && record.created == "2025-11-21T09:01:00Z")
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
    let other = Self.record(nil, [50], session: "c", second: 3) { $0.settings.threads = 7 }
    let (files, _) = try Self.merged([
      "x/one.json": Self.record(nil, [80], session: "a", second: 1),
      "y/two.json": Self.record(nil, [70], session: "b", second: 2), "z/one.json": other,
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
    let other = Self.record("a", [70], session: "b", second: 2) { record in
      switch field {
      case "device": record.device?.uuid = value
      case "machine": record.machine.hostClass = value
      case "driver": record.device?.driver = value
      case "ffmpeg": record.libraries.ffmpeg.runtime = value
      case "clip": record.input.sha256 = value
      case "version": record.version = value
      case "commit": record.commit = value
      case "label": record.label = value
      case "kernel": record.machine.kernel = value
      case "os": record.machine.os = value
      case "governor": record.machine.governor = value
      case "threads": record.settings.threads = Int(value)
      case "upload": record.settings.upload = value
      case "scenarios": record.scenarios[0].name = value
      default: record.settings.durationSeconds = Double(value) ?? 0
      }
    }
    let (files, plan) = try Self.merged([
      "1/a.json": Self.record("a", [80], session: "a", second: 1), "2/a.json": other,
    ])
    #expect(files.keys.sorted() == ["a-2.json", "a.json"])
    #expect(
      plan.notes.count == 1 && plan.notes[0].hasPrefix("'a': 2 records are kept apart, for they differ in \(field) ("))
    #expect(plan.notes.first?.contains(value) == true, "\(plan.notes)")
  }

  @Test func aTrialThatIsThereTwiceCountsOnce() throws {
    let (one, two) = (
      Self.record("a", [80, 80], session: "one", second: 1), Self.record("a", [70], session: "two", second: 2)
    )
    let (files, plan) = try Self.merged(["1/a.json": one, "2/a.json": two, "3/copy.json": one])
    let joined = try #require(files["a.json"])
    #expect(plan.notes == ["1 record is there already and dropped: a"])
    // What was merged before is merged again with one of its parts, and with something new.
    let whole = try RecordCoding.decodeRecord(joined, name: "a")
    #expect(whole.scenarios[0].trials.count == 3)
    let new = Self.record("a", [60], session: "three", second: 3)
    let (again, remerged) = try Self.merged(["1.json": two, "2.json": whole, "3.json": new, "4.json": one])
    let all = try RecordCoding.decodeRecord(try #require(again["a.json"]), name: "a")
    #expect(all.scenarios[0].trials.map { $0.metrics["decode_fps"]?.p50 } == [80, 80, 70, 60])
    #expect(all.scenarios[0].trials.map(\.session) == ["one", "one", "two", "three"] && all.settings.trials == 4)
    #expect(remerged.notes == ["2 records are there already and dropped: a"])
  }

  @Test func incompleteRecordsAreJoinedWithNone() throws {
    let cut = Self.record("a", [80], session: "one", second: 1, complete: false)
    let whole = Self.record("a", [70], session: "two", second: 2)
    let (files, plan) = try Self.merged(["1/a.json": cut, "2/a.json": whole])
    #expect(try files == ["a.json": RecordCoding.encode(whole)])
    #expect(plan.notes == ["1 record is incomplete and left out, for the cell was measured again: a"])
    let expected = [MergePlan.Expected(cell: Self.cell("a"), shard: 0)]
    let (alone, lacking) = try Self.merged(["1/a.json": cut], expected: expected)
    #expect(try alone == ["a.json": RecordCoding.encode(cut)] && lacking.missing == expected)
    #expect(lacking.notes == ["1 record is incomplete: a"])
  }

  /// A record of nothing has no trial that another one lacks: it is a record all the same, and once.
  @Test func recordsWithoutTrialsAreKept() throws {
    let none = Self.record("a", [], session: "one") { $0.scenarios[0].trials = [] }
    let (files, plan) = try Self.merged(["1/a.json": none, "2/a.json": none])
    #expect(try files == ["a.json": RecordCoding.encode(none)])
    #expect(plan.notes == ["1 record is there already and dropped: a"])
  }

  @Test func whatDescribesARecordIsJoinedToo() throws {
    let parts = (0..<3).map { number in
      Self.record("a", [80 + Double(number)], session: number == 2 ? "other" : "one", second: number) { record in
        record.warnings = [
          Record.Warning(code: "both", text: "of \(number)"), Record.Warning(code: "only-\(number)", text: ""),
        ]
        record.settings.reasons = ["both": "of \(number)", "only-\(number)": ""]
      }
    }
    func joined(_ parts: ArraySlice<Record>) throws -> Record {
      let (files, _) = try Self.merged(Dictionary(uniqueKeysWithValues: parts.enumerated().map { ("\($0).json", $1) }))
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
    let twins = Self.record("a", [80, 80], session: "one", second: 1) { record in
      record.scenarios[0].trials[1] = record.scenarios[0].trials[0]
    }
    let more = Self.record("a", [70], session: "one", second: 2) { record in
      record.scenarios[0].trials += twins.scenarios[0].trials
      record.settings.trials = 3
    }
    let (files, _) = try Self.merged(["1.json": twins, "2.json": more])
    let joined = try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
    #expect(joined.scenarios[0].trials.map { $0.metrics["decode_fps"]?.p50 } == [80, 80, 70])
    #expect(joined.settings.trials == 3, "as many as are new are added")
  }

  /// Two machines may begin in the same second and measure the same.
  @Test func trialsOfTwoSessionsAreTwo() throws {
    let parts = ["one", "two"].map { Self.record("a", [80], session: $0) }
    let (files, plan) = try Self.merged(["1.json": parts[0], "2.json": parts[1]])
    let joined = try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
    #expect(joined.scenarios[0].trials.map(\.session) == ["one", "two"] && plan.notes.isEmpty)
  }

  @Test func whatLimitsThePipelineIsFoundAnew() throws {
    let parts = ["one", "two"].map { session in
      Self.record("a", [], session: session) { ($0.scenarios, $0.boundBy) = (Sample.scenarios, nil) }
    }
    let (files, _) = try Self.merged(["1.json": parts[0], "2.json": parts[1]])
    let joined = try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
    #expect(joined.boundBy == Sample.record().boundBy && joined.boundBy != nil)
  }

  /// Ten cells are named, and that there are more is said of eleven.
  @Test(arguments: [10, 11])
  func onlyTheFirstTenAreNamed(count: Int) throws {
    let names = (0..<count).map { String(format: "c%02d", $0) }
    let expected = Self.expected(names, shards: 1)
    let records = names.map { ("\($0).json", Self.record($0, [80], session: $0, complete: false)) }
    let (_, plan) = try Self.merged(Dictionary(uniqueKeysWithValues: records), expected: expected)
    for text in [plan.notes.first, plan.missingSentence(expected, shards: 1)] {
      #expect(text?.hasSuffix(count == 10 ? "c08, c09" : "c08, c09, …") == true, "\(text ?? "nothing")")
    }
  }

  @Test func namesAreTheRecordsOwnButNoPathAndNoneTwice() throws {
    let (files, _) = try Self.merged([
      "1.json": Self.record("../../evil", [1], session: "1"), "2.json": Self.record("A", [2], session: "2"),
      "3.json": Self.record("a", [3], session: "3", second: 1),
    ])
    #expect(files.keys.sorted() == ["A.json", "a-2.json", "evil.json"])
  }

  // MARK: Against a matrix

  private static func expected(_ names: [String], shards: Int) -> [MergePlan.Expected] {
    names.enumerated().map { MergePlan.Expected(cell: cell($1), shard: $0 % shards) }
  }

  @Test func whatIsMissingIsNamedByShardAndCell() throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    func sentence(_ there: [String], shards: Int) throws -> String? {
      let expected = Self.expected(names, shards: shards)
      let records = there.map { ("\($0).json", Self.record($0, [80], session: $0)) }
      let (_, plan) = try Self.merged(Dictionary(uniqueKeysWithValues: records), expected: expected)
      return plan.missingSentence(expected, shards: shards)
    }
    #expect(try sentence(names, shards: 3) == nil)
    #expect(try sentence(["a", "d"], shards: 3) == "shards 1 and 2 of 3 are missing: 4 cells: b, c, e, f")
    #expect(try sentence(["a", "b", "d", "e"], shards: 3) == "shard 2 of 3 is missing: 2 cells: c, f")
    #expect(
      try sentence(["a", "b", "d"], shards: 3) == "shard 2 of 3 is missing, shard 1 of 3 lacks cells: 3 cells: c, e, f")
    #expect(try sentence(["a", "b"], shards: 1) == "of 6 cells 4 are missing: c, d, e, f")
  }

  @Test func recordsOfOtherCellsAreLeftOutAndSaid() throws {
    let (files, plan) = try Self.merged(
      [
        "a.json": Self.record("a", [80], session: "1"), "old.json": Self.record("old", [80], session: "2"),
        "none.json": Self.record(nil, [80], session: "3"),
      ], expected: Self.expected(["a"], shards: 1))
    #expect(files.keys.sorted() == ["a.json"] && plan.notes == ["2 records are of no cell of the matrix and left out"])
  }

  // MARK: Reading and writing

  @Test func damagedRecordsAreNamedAndCanBeLeftOut() throws {
    try Self.withRecords(["a.json": Self.record("a", [80], session: "1")]) { folder in
      try Data("{".utf8).write(to: URL(filePath: folder + "/b.json"))
      try Data("{}".utf8).write(to: URL(filePath: folder + "/c.trace.json"))
      let failure = #expect(throws: Failure.self) { try Merge(paths: [folder], expected: nil) }
      #expect(failure?.attempt.hasSuffix("/b.json'") == true && failure?.remedy?.contains("--skip-damaged") == true)
      let merge = try Merge(paths: [folder], expected: nil, leavingOutDamaged: true)
      #expect(merge.damaged.count == 1 && merge.plan.items.count == 1)
      // Samples that are none are seen when they are to be moved.
      var text = String(decoding: try RecordCoding.encode(Self.record("a", [70], session: "2")), as: UTF8.self)
      text = text.replacing("\"samples\" : [70]", with: "\"samples\" : [7O]")
      try Data(text.utf8).write(to: URL(filePath: folder + "/b.json"))
      let lying = try Merge(paths: [folder], expected: nil)
      let refusal = #expect(throws: Failure.self) { try lying.write(toFolder: folder + "/out") }
      #expect(refusal?.cause == "samples in it are not numbers", "\(String(describing: refusal))")
      #expect(!FileManager.default.fileExists(atPath: folder + "/out"), "all records or none")
    }
  }

  @Test func whatCannotBeReadOrWrittenIsSaid() throws {
    try Self.withRecords([
      "in/a.json": Self.record("a", [80], session: "1"), "in/b.json": Self.record("b", [80], session: "1"),
    ]) { folder in
      let missing = #expect(throws: Failure.self) { try Merge(paths: [folder + "/nowhere"], expected: nil) }
      #expect(missing?.cause == "no such file or folder")
      let merge = try Merge(paths: [folder + "/in"], expected: nil)
      let full = #expect(throws: Failure.self) { try merge.write(toFolder: folder + "/in") }
      #expect(full?.cause == "it is a folder with something in it")
      for path in ["/in/a.json/x", "/in/a.json"] {
        let file = #expect(throws: Failure.self) { try merge.write(toFolder: folder + path) }
        #expect(file?.kind == .output, "\(path)")
      }
      let two = #expect(throws: Failure.self) { try merge.single(for: "x.json") }
      #expect(two?.cause == "the records are of 2 cells, and a file holds one")
      let stopped = #expect(throws: Failure.self) { try merge.write(toFolder: folder + "/out", goesOn: { false }) }
      #expect(stopped?.kind == .cancelled)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["in"], "a merge left something behind")
    }
  }

  /// The order in which paths are named, and files found, changes nothing; nor does naming them twice.
  @Test func theSameRecordsComeToTheSameBytes() throws {
    let records = Dictionary(
      uniqueKeysWithValues: (0..<12).map { number in
        (
          "\(number % 3)/\(number).json",
          Self.record("cell \(number % 4)", [Double(80 + number), 3], session: "s\(number)", second: number)
        )
      })
    let (one, _) = try Self.merged(records)
    let (two, plan) = try Self.merged(records, paths: ["in/2", "in/0", "in/1/", "in/0", "in"])
    #expect(one == two && one.count == 4 && plan.recordsRead == 12 && plan.notes.isEmpty)
  }

  // MARK: The slow twin

  /// A scenario of random trials with random samples, some metrics without any.
  private static func random(_ random: inout SeededGenerator, session: String, second: Int) -> Record {
    var record = record("a", [], session: session, second: second)
    let trials = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let values = (0..<Int.random(in: 0...150, using: &random)).map { _ in
        [0, 0.0001, 12345.6789, 7, 1e-9].randomElement(using: &random).map {
          $0 * Double.random(in: -1...3, using: &random)
        }
          ?? 0
      }
      var trial = Sample.trial(["frame_overrun_ms": values, "queue_depth": [3, 4], "gpu_memory_mib": []])
      trial.complete = Bool.random(using: &random)
      return trial
    }
    record.scenarios = [Record.Scenario(name: "play", presentSource: .simulated, trials: trials)]
    return record
  }

  /// Samples are moved as text. Whatever they are, the record is the one that reading and summing up all of them gives.
  @Test func joiningTextIsJoiningNumbers() throws {
    var generator = SeededGenerator(for: "joiningTextIsJoiningNumbers")
    for round in 0..<40 {
      let parts = (0..<3).map { Self.random(&generator, session: "s\($0)", second: $0) }
      let (files, _) = try Self.merged(Dictionary(uniqueKeysWithValues: parts.enumerated().map { ("\($0).json", $1) }))
      let joined = try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
      var trials: [Record.Trial] = []
      for part in parts {
        for trial in part.scenarios[0].trials {
          var kept = trial
          kept.session = part.session
          trials.append(kept)
        }
      }
      let wanted = Record.Scenario(name: "play", presentSource: .simulated, trials: trials)
      #expect(joined.scenarios == [wanted], "seed \(generator.seed), round \(round)")
      #expect(try RecordCoding.encode(joined) == files["a.json"], "seed \(generator.seed): as any record is written")
    }
  }

  /// Numbers of more digits than we write are read to the last one.
  @Test(arguments: ["0.95408556734169085", "0.93709606776222886", "0.77623507758178217", "0.89376429877626436"])
  func theLeastSampleIsExact(number: String) throws {
    try Self.withRecords(["in/b.json": Self.record("a", [80], session: "2")]) { folder in
      var text = String(decoding: try RecordCoding.encode(Self.record("a", [70], session: "1")), as: UTF8.self)
      text = text.replacing("\"samples\" : [70]", with: "\"samples\" : [\(number)]")
      try Data(text.utf8).write(to: URL(filePath: folder + "/in/a.json"))
      let data = try Merge(paths: [folder + "/in"], expected: nil).single(for: "x")
      let joined = try RecordCoding.decodeRecord(data, name: "x")
      #expect(joined.scenarios[0].summary.metrics["decode_fps"]?.min == Double(number))
    }
  }

  // MARK: Comparing what was merged

  /// Five sessions as base tell how far sessions lie apart, in five files or in one.
  @Test func sessionsOutliveMerging() throws {
    let rates = [80.0, 81, 82, 83, 84]
    let parts = rates.enumerated().map { Self.record("a", Sides.spread($1), session: "s\($0)", second: $0) }
    let head = Self.record("a", Sides.spread(60), session: "head", second: 9)
    let (files, _) = try Self.merged(Dictionary(uniqueKeysWithValues: parts.enumerated().map { ("\($0).json", $1) }))
    let whole = try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
    let (apart, joined) = (try Sides.compare(parts, [head]), try Sides.compare([whole], [head]))
    #expect(apart.results.map(\.noiseFloor) == joined.results.map(\.noiseFloor))
    #expect(joined.results[0].noiseFloor != nil && joined.results.map(\.verdict) == apart.results.map(\.verdict))
  }
}

/// How large the record of a standard run is, and that it holds every sample.
@Suite struct RecordSizeTests {
  private static let limit = 2 << 20

  /// The suite as it runs on a clip of 60 frames a second, each metric with a sample a frame and all digits in use, on a device
  /// twice as fast as the clip: a second of it at 600 frames.
  @Test func aStandardRunStaysBelowTwoMebibytesWithEverySample() throws {
    var generator = SeededGenerator(for: "aStandardRunStaysBelowTwoMebibytesWithEverySample")
    func samples(_ count: Int) -> [Double] { (0..<count).map { _ in Double.random(in: 10..<100, using: &generator) } }
    let perFrame = [
      "decode": ["demux_ms", "decode_latency_ms", "decode_service_ms"],
      "render": ["render_gpu_ms", "frame_interval_ms"],
      "pipeline": [
        "demux_ms", "decode_latency_ms", "upload_cpu_ms", "upload_gpu_ms", "render_gpu_ms", "frame_interval_ms",
        "queue_depth",
      ],
    ]
    var count = 0
    let scenarios = perFrame.map { name, metrics in
      Record.Scenario(
        name: name,
        trials: (0..<5).map { _ in
          count += 600 * metrics.count
          return Sample.trial(Dictionary(uniqueKeysWithValues: metrics.map { ($0, samples(600)) }))
        })
    }
    let record = Sample.record(scenarios: scenarios)
    let data = try RecordCoding.encode(record)
    #expect(data.count < Self.limit, "\(data.count) bytes")
    let read = try RecordCoding.decodeRecord(data, name: "standard")
    let kept = read.scenarios.flatMap(\.trials).flatMap(\.metrics.values)
    #expect(kept.reduce(0) { $0 + $1.samples.count } == count && kept.allSatisfy { $0.n == $0.samples.count })
    #expect(read == record)
    // 100 ns, where the samples are milliseconds: what a sample is off by is at most half of it.
    let given = samples(1000)
    let off = zip(given, MetricResult(of: .demux, samples: given).samples).map { abs($0 - $1) }.max() ?? 1
    #expect(off <= 0.5001e-4)
  }

  @Test func theReferencesDo() throws {
    let results = TestFolders.repository + "/results"
    let paths = try #require(FileManager.default.subpaths(atPath: results)).filter { $0.contains("/reference-") }
    #expect(!paths.isEmpty)
    for path in paths {
      let data = try Data(contentsOf: URL(filePath: results + "/" + path))
      let record = try RecordCoding.decodeRecord(data, name: path)
      #expect(data.count < Self.limit && record.settings.suite == "standard", "\(path): \(data.count) bytes")
      for scenario in record.scenarios where ["decode", "render", "pipeline"].contains(scenario.name) {
        for trial in scenario.trials {
          #expect(trial.metrics.values.allSatisfy { $0.n == $0.samples.count })
          #expect((trial.metrics.values.map(\.n).max() ?? 0) >= 300, "a sample for every frame of ten seconds")
        }
      }
    }
  }
}
