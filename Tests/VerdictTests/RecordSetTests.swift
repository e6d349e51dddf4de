import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

@Suite struct RecordSetTests {
  /// Writes texts to paths below a folder that lives as long as `body`.
  private static func withFiles<Result>(
    _ files: [String: String], _ body: (String) throws -> Result
  ) throws -> Result {
    try TestFiles.withTemporaryFolder { folder in
      for (path, text) in files {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
      }
      return try body(folder.path)
    }
  }

  private static func text(_ record: Record) throws -> String {
    String(decoding: try RecordCoding.encode(record), as: UTF8.self)
  }

  private static func labelled(_ label: String) throws -> String {
    var record = Sample.decodeOnly
    record.label = label
    return try text(record)
  }

  // MARK: What is found

  @Test func aFileIsOneRecord() throws {
    try Self.withFiles(["one": Self.labelled("one"), "two.json": Self.labelled("two")]) { folder in
      let set = try RecordSet.load(folder + "/one")
      #expect(set.records.map(\.label) == ["one"] && set.path == folder + "/one" && set.leftOut.isEmpty)
    }
  }

  @Test func aFolderIsAllRecordsBelowIt() throws {
    let files = try [
      "b.json": Self.labelled("b"), "a/z/deep.json": Self.labelled("deep"), "a.json": Self.labelled("a"),
      "a/.hidden.json": "cut sh", ".bench360-1.tmp": "cut sh", "frames.csv": "frame,ms", "notes.txt": "no record",
      "json": "no record",
    ]
    try Self.withFiles(files) { folder in
      let set = try RecordSet.load(folder)
      #expect(set.records.map(\.label) == ["a", "deep", "b"], "in the order of their paths")
      #expect(try RecordSet.load(folder + "/").records == set.records)
    }
  }

  @Test func aFolderNamedLikeARecordIsAFolder() throws {
    try Self.withFiles(["runs.json/one.json": Self.labelled("one"), "two.json": Self.labelled("two")]) { folder in
      let (all, inner) = (try RecordSet.load(folder), try RecordSet.load(folder + "/runs.json"))
      #expect(all.records.map(\.label) == ["one", "two"] && inner.records.map(\.label) == ["one"])
    }
  }

  @Test func whereNothingIsNothingIsFound() throws {
    try Self.withFiles(["notes.txt": "no record"]) { folder in
      for path in [folder, folder + "/nowhere"] {
        let (strict, lenient) = (try RecordSet.load(path), try RecordSet.load(path, leavingOutDamaged: true))
        #expect(strict.records.isEmpty && lenient.records.isEmpty && lenient.leftOut.isEmpty)
      }
    }
  }

  /// In a folder of results. A file that is named is meant, and a damaged record is no other file.
  @Test func otherFilesOfOursArePassedOver() throws {
    let comparison = String(decoding: try RecordCoding.encode(try Sides.full()), as: UTF8.self)
    let others = [
      "comparison.json": comparison, "t.json": ChromeTrace.text([], of: Sample.decodeOnly),
      "numbers.json": #"{"schema": "bench360-numbers/1", "metrics": []}"#,
      "matrix.json": #"{"schema": "bench360-matrix/1"}"#,
    ]
    try Self.withFiles(others.merging(["a.json": Self.labelled("a")]) { $1 }) { folder in
      let set = try RecordSet.load(folder)
      #expect(set.records.map(\.label) == ["a"] && set.leftOut.isEmpty)
      for name in others.keys {
        #expect(throws: Failure.self, "\(name)") { try RecordSet.load(folder + "/" + name) }
      }
      let named = #expect(throws: Failure.self) { try RecordSet.load(folder + "/comparison.json") }
      #expect(named?.cause.contains("its schema 'bench360-comparison/1' is not bench360's") == true)
    }
    for text in [#"{"schema": "bench361/1"}"#, #"{"traceEvents": []}"#, "cut sh"] {
      _ = try Self.withFiles(["a.json": Self.labelled("a"), "x.json": text]) { folder in
        #expect(throws: Failure.self, "\(text)") { try RecordSet.load(folder) }
      }
    }
  }

  /// More files than threads, each in its place.
  @Test func manyRecordsKeepTheirOrder() throws {
    let names = (0..<200).map { String(format: "%03d", $0) }
    let files = try Dictionary(uniqueKeysWithValues: names.map { ("\($0).json", try Self.labelled($0)) })
    try Self.withFiles(files) { folder in
      let set = try RecordSet.load(folder)
      #expect(set.records.map(\.label) == names)
    }
  }

  // MARK: What is damaged

  /// Texts that are no usable record, each with a part of what is said about it.
  private static func damaged() throws -> [String: (text: String, cause: String)] {
    let good = try text(Sample.record())
    func changed(_ old: String, _ new: String) throws -> String {
      let text = good.replacing(old, with: new)
      try #require(text != good, "nothing is replaced by \(new)")
      return text
    }
    return [
      "empty.json": ("", "the file is empty"),
      "text.json": ("no JSON", "it is not JSON"),
      "cut.json": (String(good.prefix(good.count / 2)), "it is not JSON"),
      "cut-in-samples.json": (
        String(good.prefix(upTo: good.firstRange(of: "\"samples\" : [")!.upperBound)) + "1, 2", "it is not JSON"
      ),
      "other.json": (#"{"name": "package"}"#, "it is not a bench360 record, for it names no schema"),
      "newer.json": (try changed("bench360/2", "bench360/3"), "is newer than 'bench360/2'"),
      "nan.json": (try changed("\"p50\" : ", "\"p50\" : NaN, \"other\" : "), "it is not JSON"),
      "infinite.json": (try changed("\"p50\" : ", "\"p50\" : 1e999, \"other\" : "), "it is not JSON"),
      "negative.json": (
        try Self.text(Sides.fps([80, -80])), "'decode_fps' of trial 2 of scenario 'decode' is negative"
      ),
      "lacking.json": (try changed("\"complete\" : true,", ""), "'complete' is missing"),
      "of-another-type.json": (
        try changed("\"trials\" : 3", "\"trials\" : \"three\""), "'settings.trials' is not of type Int"
      ),
    ]
  }

  @Test func aDamagedFileIsNamedWithItsDefect() throws {
    for (name, damage) in try Self.damaged() {
      try Self.withFiles([name: damage.text]) { folder in
        for path in [folder + "/" + name, folder] {
          let failure = try #require(throws: Failure.self, "\(name) was accepted") { try RecordSet.load(path) }
          #expect(failure.kind == .input && failure.remedy != nil)
          #expect(failure.attempt.hasSuffix("record '\(folder)/\(name)'"), "\(failure)")
          #expect(failure.cause.contains(damage.cause), "\(name): \(failure)")
          #expect(!failure.description.contains("--skip-damaged"), "there is nothing to go on with")
        }
      }
    }
  }

  @Test func aDamagedRecordEndsItUnlessItIsToBeLeftOut() throws {
    let damaged = try Self.damaged()
    var files = damaged.mapValues(\.text)
    for name in ["a", "m", "z"] { files["\(name).json"] = try Self.labelled(name) }
    try Self.withFiles(files) { folder in
      let failure = try #require(throws: Failure.self) { try RecordSet.load(folder) }
      let first = try #require(damaged.keys.min())
      #expect(failure.attempt.hasSuffix("'\(folder)/\(first)'"), "\(failure)")
      #expect(failure.cause.hasSuffix("; \(damaged.count - 1) more are damaged"))
      #expect(failure.remedy?.contains("--skip-damaged") == true)
      let set = try RecordSet.load(folder, leavingOutDamaged: true)
      #expect(set.records.map(\.label) == ["a", "m", "z"] && set.leftOut.count == damaged.count)
      for (failure, name) in zip(set.leftOut, damaged.keys.sorted()) { #expect(failure.attempt.contains(name)) }
    }
  }

  @Test func whatWasLeftOutIsSaidInTheComparison() throws {
    let good = try Self.text(Sides.fps(Sides.spread(100)))
    try Self.withFiles(["a.json": good, "b.json": "{"]) { folder in
      let set = try RecordSet.load(folder, leavingOutDamaged: true)
      let comparison = try Comparison(base: set, head: set)
      #expect(comparison.warnings.map(\.code) == ["left_out", "left_out"])
      #expect(comparison.warnings[0].text == "cannot read record '\(folder)/b.json': it is not JSON; it was left out")
    }
  }

  @Test func signedMetricsMayBeNegative() throws {
    let record = Sides.record([Sides.scenario("play", ["frame_overrun_ms": [-3], "ws_psnr_db": [-1]])])
    try Self.withFiles(["a.json": Self.text(record)]) { folder in
      let set = try RecordSet.load(folder)
      #expect(set.records.count == 1)
    }
  }
}

/// A digest is the record less what a comparison has no use for.
@Suite struct RecordDigestTests {
  private static func expectDigest(of data: Data, _ comment: Comment) throws {
    var full = try RecordCoding.decodeRecord(data, name: "full")
    var digest = try RecordCoding.decodeRecord(data, name: "digest", asDigest: true)
    #expect(full.scenarios.count == digest.scenarios.count, comment)
    for (index, scenario) in digest.scenarios.enumerated() {
      #expect(scenario.summary.counters == full.scenarios[index].summary.counters, comment)
      #expect(scenario.trials.count == full.scenarios[index].trials.count, comment)
      for (trial, whole) in zip(scenario.trials, full.scenarios[index].trials) {
        #expect(trial.metrics.mapValues(Kept.init) == whole.metrics.mapValues(Kept.init), comment)
        #expect(trial.metrics.values.allSatisfy { $0.samples.isEmpty && $0.p99 == nil }, comment)
        #expect(trial.counters == whole.counters && trial.phases == whole.phases, comment)
        #expect(trial.histograms == whole.histograms && trial.started == whole.started, comment)
        #expect(trial.complete == whole.complete && trial.segments.count == whole.segments.count, comment)
        for (segment, other) in zip(trial.segments, whole.segments) {
          #expect(segment.metrics.mapValues(Kept.init) == other.metrics.mapValues(Kept.init), comment)
          #expect(segment.counters == other.counters && segment.complete == other.complete, comment)
        }
      }
      full.scenarios[index].trials = []
      full.scenarios[index].summary = Record.Summary([])
      digest.scenarios[index].trials = []
      digest.scenarios[index].summary = Record.Summary([])
    }
    #expect(digest == full, comment)
  }

  private struct Kept: Equatable {
    var unit: String
    var n: Int
    var p50: Double?

    init(_ result: MetricResult) {
      unit = result.unit
      n = result.n
      p50 = result.p50
    }
  }

  @Test func theReferencesHaveThemselvesAsDigest() throws {
    let results = URL(filePath: TestFolders.repository).appending(path: "results")
    let paths = try #require(FileManager.default.subpaths(atPath: results.path))
      .filter { $0.contains("/reference-") && $0.hasSuffix(".json") }
    #expect(!paths.isEmpty)
    for path in paths {
      try Self.expectDigest(of: Data(contentsOf: results.appending(path: path)), "\(path)")
    }
  }

  @Test func madeUpRecordsHaveThemselvesAsDigest() throws {
    for record in [Sample.record(), Sample.decodeOnly] {
      try Self.expectDigest(of: RecordCoding.encode(record), "\(record.input.name)")
    }
  }

  // MARK: Random records

  private static let pieces = [
    #""samples": [1]"#, #""samples""#, "samples", "\"", "\\", "\\\"", "]", "[", "[1, 2]", ":", ",", "{", "}", "\n",
    "\t", " ",
    "é", "\u{1F3A5}", #"\"samples\":["#, "NaN",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  private static func record(_ random: inout SeededGenerator) -> Record {
    func samples() -> [Double] {
      (0..<[0, 0, 1, 2, 150].randomElement(using: &random)!).map { _ in Double.random(in: -1...1000, using: &random) }
    }
    func trial() -> Record.Trial {
      var trial = Sample.trial(
        ["render_gpu_ms": samples(), "decode_fps": samples()],
        counters: ["wrong_frame": Bool.random(using: &random) ? 2 : nil])
      trial.histograms = ["k" + text(&random): [text(&random): 3], "samples": [:]]
      trial.complete = Bool.random(using: &random)
      trial.segments = [
        Record.Segment(
          started: "", metrics: ["seek_latency_ms": MetricResult(of: .seekLatency, samples: samples())])
      ]
      return trial
    }
    var record = Sample.record(scenarios: [
      Record.Scenario(name: text(&random), variant: text(&random), trials: (0..<2).map { _ in trial() }),
      Record.Scenario(name: "samples", trials: []),
    ])
    record.label = text(&random)
    record.session = "samples"
    record.input.name = text(&random)
    record.command = (0..<3).map { _ in text(&random) } + ["samples"]
    record.settings.reasons = ["k" + text(&random): text(&random), "samples": text(&random)]
    record.settings.repetition.scenarios = ["samples"]
    record.warnings = [Record.Warning(code: "samples", text: text(&random), remedy: text(&random))]
    return record
  }

  @Test func theDigestDoesNotDependOnNames() throws {
    var random = SeededGenerator(for: "theDigestDoesNotDependOnNames")
    for round in 0..<200 {
      try Self.expectDigest(of: RecordCoding.encode(Self.record(&random)), "round \(round), seed \(random.seed)")
    }
  }

  /// The same records as other programs write them: white space anywhere, characters escaped or not.
  @Test(.tier(.test), .enabled("no python3") { PythonJudge.hasCSV || PythonJudge.isRequired })
  func howeverItIsWrittenTheDigestIsTheSame() throws {
    var random = SeededGenerator(for: "howeverItIsWrittenTheDigestIsTheSame")
    let script = """
      import json, sys
      for number, path in enumerate(sys.argv[1:]):
        record = json.load(open(path, encoding="utf-8"))
        styles = [{"separators": (",", ":")}, {}, {"indent": 7}, {"indent": "\\t"},
                  {"separators": ("\\n , ", " \\n\\t: "), "ensure_ascii": False}, {"indent": 2}]
        text = json.dumps(record, **styles[number % len(styles)])
        if number % len(styles) == 5:
          text = text.replace("\\n", "\\r\\n")
        open(path, "w", encoding="utf-8", newline="").write(text)
      """
    try TestFiles.withTemporaryFolder { folder in
      let files = (0..<60).map { folder.appending(path: "\($0).json") }
      for file in files { try RecordCoding.encode(Self.record(&random)).write(to: file) }
      let result = try PythonJudge.run(script, module: "json", files.map(\.path))
      try #require(result.status == 0, "\(result.output)")
      for file in files {
        try Self.expectDigest(of: Data(contentsOf: file), "\(file.lastPathComponent), seed \(random.seed)")
      }
    }
  }
}
