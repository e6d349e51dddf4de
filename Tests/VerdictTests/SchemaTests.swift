import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

@Suite struct SchemaTests {
  private static func refusals(
    _ texts: [String: String], of schema: PythonJudge.Schema = .record
  ) throws -> [String] {
    try TestFiles.withTemporaryFolder { folder in
      let paths = try texts.map { name, text in
        let url = folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url.path
      }
      return try PythonJudge.schemaRefusals(paths, of: schema)
    }
  }

  private static func text(_ record: Record) throws -> String {
    String(decoding: try RecordCoding.encode(record), as: UTF8.self)
  }

  @Test(
    .tier(.test), .enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
  func recordsMatchTheSchema() throws {
    var texts = [
      "full.json": try Self.text(Sample.record()), "decode-only.json": try Self.text(Sample.decodeOnly),
      "observed.json": try Self.text(Sample.observed),
      "gpu.json": try Self.text(Sample.record(device: Sample.device(software: false))),
    ]
    var sphere = Sample.record()
    sphere.settings.geometry.bounds = SphereBounds(left: 0.25, top: 0, width: 0.5, height: 1)
    sphere.settings.geometry.pose = Pose(yaw: -10)
    sphere.settings.viewing.cameraSha256 = String(repeating: "0f", count: 32)
    (sphere.settings.viewing.inputEvents, sphere.settings.viewing.inputEventsSha256) = (
      "hand.json", String(repeating: "a1", count: 32)
    )
    texts["sphere.json"] = try Self.text(sphere)
    var stream = Sample.stream()
    stream.requests[0].range = .init(first: 0)
    texts["stream.json"] = try Self.text(Sample.record(of: [stream, Sample.stream(seconds: 0.3)]))
    for bottleneck in Bottleneck.allCases {
      var record = Sample.record()
      record.boundBy = bottleneck
      texts["bound by \(bottleneck).json"] = try Self.text(record)
    }
    let refusals = try Self.refusals(texts)
    #expect(refusals.isEmpty, "\(refusals)")
  }

  @Test(
    .tier(.test), .enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
  func theSchemaRefusesWhatIsNoRecord() throws {
    let good = try Self.text(Sample.record())
    let changes = [
      "missing.json": (#"  "dirty" : false,\#n"#, ""),
      "unknown.json": (#""dirty" : false"#, #""dirty" : false, "durty" : true"#),
      "schema.json": (#""schema" : "bench360/2""#, #""schema" : "bench360/3""#),
      "name.json": (#""wrong_frame" : 0"#, #""Wrong Frame" : 0"#),
      "count.json": (#""presented" : 148"#, #""presented" : 148.5"#),
      "time.json": (#""created" : "2025-11-21T09:30:14Z""#, #""created" : "yesterday""#),
    ]
    try Self.expectRefusals(of: good, changes)
    try Self.expectRefusals(
      of: Self.text(Sample.record(of: [Sample.stream()])),
      [
        "state.json": (#""state" : "playing""#, #""state" : "sulking""#),
        "kind.json": (#""kind" : "key""#, #""kind" : "lock""#),
        "cause.json": (#""cause" : "network""#, #""cause" : "bad luck""#),
        "bytes.json": (#""bytes" : 1400"#, #""bytes" : -1"#),
        "left-out.json": (#""first_frame" :"#, #""first_picture" :"#), "camel.json": ("is_reused", "isReused"),
      ])
  }

  /// Expects that the schema refuses each of the changed texts. One judge reads all of them.
  private static func expectRefusals(
    of good: String, by schema: PythonJudge.Schema = .record, _ changes: [String: (String, String)]
  ) throws {
    let bad = changes.mapValues { good.replacing($0.0, with: $0.1, maxReplacements: 1) }
    let refused = Set(try refusals(bad, of: schema).compactMap { $0.split(separator: " ").first.map(String.init) })
    for (name, text) in bad {
      #expect(text != good, "\(name) changes nothing")
      #expect(refused.contains(name), "\(name) was accepted")
    }
  }

  // MARK: Comparisons

  private static func text(_ comparison: Comparison) throws -> String {
    String(decoding: try RecordCoding.encode(comparison), as: UTF8.self)
  }

  private static func kinds() throws -> [String: Comparison] {
    let blocks = (0..<4).map { (block: Int) -> (base: [Record], head: [Record]) in
      let more = Double(block)
      return ([Sides.fps([80 + more]), Sides.fps([81 + more])], [Sides.fps([70 + more]), Sides.fps([71 + more])])
    }
    var interleaved = try Sides.interleaved(blocks)
    interleaved.runs = .init(made: 8, planned: 20)
    let bounded = try Sides.compare([Sides.fps(Sides.spread(80))], [Sides.fps(Sides.spread(80))])
    let unbounded = try Sides.compare([Sides.fps([80])], [Sides.fps([70])])
    #expect(unbounded.results[0].estimate.low == nil && unbounded.results[0].noiseFloor == nil)
    let noisy = try Sides.compare([Sides.fps([80])], [Sides.fps([70])]) { $0.noiseFloorPercent = 3 }
    let zero = Sides.record([Sides.scenario("upload", ["upload_gpu_ms": [0, 0], "upload_cpu_ms": [0, 0]])])
    return [
      "full.json": try Sides.full(), "interleaved.json": interleaved, "hostile.json": try Sides.hostile(),
      "unbounded.json": unbounded, "bounded.json": bounded, "noisy.json": noisy,
      "zero.json": try Sides.compare([zero], [zero]) { $0.gates = try #require(Gates("upload_gpu_ms")) },
    ]
  }

  @Test(
    .tier(.test), .enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
  func comparisonsMatchTheirSchema() throws {
    let refusals = try Self.refusals(Self.kinds().mapValues(Self.text), of: .comparison)
    #expect(refusals.isEmpty, "\(refusals)")
  }

  @Test(
    .tier(.test), .enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
  func theSchemaRefusesWhatIsNoComparison() throws {
    let good = try Self.text(Sides.full())
    let changes = [
      "schema.json": ("bench360-comparison/1", "bench360/1"), "missing.json": (#"  "runs" : null,\#n"#, ""),
      "unknown.json": (#""runs" : null"#, #""runs" : null, "ran" : 3"#),
      "method.json": (#""method" : "independent""#, #""method" : "paired""#),
      "runs.json": (#""runs" : null"#, #""runs" : {"made": 8}"#), "alpha.json": (#""alpha" : 0.01"#, #""alpha" : 0"#),
      "better.json": (#""better" : "high""#, #""better" : "more""#),
      "verdict.json": (#""verdict" : "regression""#, #""verdict" : "worse""#),
      "silent.json": (#""verdict" : "regression""#, #""verdict" : null"#),
      "judged.json": (#""verdict" : null"#, #""verdict" : "same""#),
      "left-out.json": (#""noise_floor" : null,"#, ""), "camel.json": ("noise_floor", "noiseFloor"),
      "side.json": (#""side" : "head""#, #""side" : "both""#), "count.json": (#""count" : 3"#, #""count" : 0"#),
      "field.json": (#""field" : "driver""#, #""field" : "The Driver""#),
      "code.json": (#""code" : "left_out""#, #""code" : "Left out""#),
      "time.json": (#""created" : "2025-11-21T09:30:14Z""#, #""created" : "today""#),
    ]
    try Self.expectRefusals(of: good, by: .comparison, changes)
  }

  /// What a stream's lists may say is what the code can write.
  @Test func theSchemaOfRecordsKnowsEveryWordOfAStream() throws {
    let text = try String(
      contentsOf: URL(filePath: TestFolders.repository + "/results/record.schema.json"), encoding: .utf8)
    func list(_ words: [String]) -> String { words.map { "\"\($0)\"" }.joined(separator: ", ") }
    for words in [
      StreamSession.Format.allCases.map(\.rawValue), StreamSession.State.allCases.map(\.rawValue),
      StreamSession.Stall.Cause.allCases.map(\.rawValue), StreamSession.Request.Kind.allCases.map(\.rawValue),
      StreamSession.Request.Outcome.allCases.map(\.rawValue),
    ] {
      #expect(text.contains("\"enum\": [\(list(words))]"))
    }
  }

  /// What `better` of the schema lists is what metrics have, and so with the other words.
  @Test func theSchemaOfComparisonsKnowsEveryWord() throws {
    let schema = TestFolders.repository + "/results/comparison.schema.json"
    let text = try String(contentsOf: URL(filePath: schema), encoding: .utf8)
    let words =
      Metric.Polarity.allCases.map(\.rawValue) + Outcome.allCases.map(\.rawValue)
      + Comparison.Method.allCases.map(\.rawValue) + [Comparison.schema]
    for word in words { #expect(text.contains("\"\(word)\"")) }
  }
}
