import Foundation
import Frames
import Render
import Run
import Support
import Testing

@Suite struct CameraFileTests {
  private static let schema = #""schema": "bench360-camera/1""#

  private static func file(_ text: String) throws -> CameraFile {
    try TestFolders.withTemporary { folder in
      try Data(text.utf8).write(to: URL(filePath: folder + "/tour.json"))
      return try CameraFile(path: folder + "/tour.json")
    }
  }

  private static func keyframes(_ text: String) -> String { "{\(schema), \"keyframes\": [\(text)]}" }

  static let good = """
    {\(schema), "loop": true, "keyframes": [
      {"time": 0, "tilt": 10, "easing": "ease-in-out"},
      {"time": 2.5, "pan": 720, "roll": -5, "fov": 40},
      {"time": 4, "pan": null, "easing": "hold"}
    ]}
    """

  @Test func whatIsLeftOutIsAsItWas() throws {
    let file = try Self.file(Self.good)
    #expect(file.name == "tour.json" && file.path.loops)
    let expected: [CameraPath.Keyframe] = [
      .init(time: .zero, tilt: 10, easing: .easeInOut),
      .init(time: MediaTime(seconds: 2.5), pan: 720, tilt: 10, roll: -5, fieldOfView: 40),
      .init(time: MediaTime(seconds: 4), pan: 720, tilt: 10, roll: -5, fieldOfView: 40, easing: .hold),
    ]
    #expect(file.path.keyframes == expected)
    #expect(try !Self.file(Self.keyframes(#"{"time": 1}"#)).path.loops)
  }

  @Test func theHashIsThatOfTheBytes() throws {
    try TestFolders.withTemporary { folder in
      try Data(Self.good.utf8).write(to: URL(filePath: folder + "/a.json"))
      let judge = try CommandOutput.of("sha256sum", [folder + "/a.json"]).text.prefix(64)
      #expect(try CameraFile(path: folder + "/a.json").sha256 == judge)
    }
  }

  /// What is wrong, and the words that say so.
  private static let rows: [(name: String, text: String, words: String)] = [
    ("no JSON", "pan: 3", "it is not JSON"), ("empty file", "", "it is not JSON"),
    ("not a number", Self.keyframes(#"{"time": NaN}"#), "it is not JSON"),
    ("list", "[]", "its content is no object"), ("no schema", #"{"keyframes": []}"#, "schema is missing"),
    ("other schema", #"{"schema": "bench360/1", "keyframes": []}"#, "its schema is 'bench360/1'"),
    ("no list", "{\(schema)}", "keyframes is missing"), ("no keyframes", Self.keyframes(""), "it has no keyframes"),
    ("a stranger", "{\(schema), \"loops\": true, \"keyframes\": []}", "unknown key 'loops'"),
    ("misspelt", Self.keyframes(#"{"time": 0, "tlit": 3}"#), "keyframes[0] has an unknown key 'tlit'"),
    ("no time", Self.keyframes(#"{"time": 0}, {"pan": 3}"#), "keyframes[1].time is missing"),
    ("text", Self.keyframes(#"{"time": 0, "pan": "3"}"#), "keyframes[0].pan is no number"),
    ("truth", Self.keyframes(#"{"time": 0, "pan": true}"#), "keyframes[0].pan is no number"),
    ("loop", "{\(schema), \"loop\": 1, \"keyframes\": [{\"time\": 0}]}", "loop is no true or false"),
    ("keyframe", Self.keyframes("3"), "keyframes[0] is no object"),
    ("easing", Self.keyframes(#"{"time": 0, "easing": "bounce"}"#), "keyframes[0].easing is none of linear, ease-in"),
    ("negative time", Self.keyframes(#"{"time": -1}"#), "keyframes[0].time is not between 0 and 1000000"),
    ("endless time", Self.keyframes(#"{"time": 1e9}"#), "keyframes[0].time is not between"),
    ("overflow", Self.keyframes(#"{"time": 1e999}"#), "a number in it is too large"),
    ("unsorted", Self.keyframes(#"{"time": 2}, {"time": 1}"#), "keyframes[1].time is not later"),
    ("twice", Self.keyframes(#"{"time": 1}, {"time": 1.0000000001}"#), "keyframes[1].time is not later"),
    ("fov", Self.keyframes(#"{"time": 0, "fov": 0.5}"#), "keyframes[0].fov is not between 1 and 179"),
    ("fov", Self.keyframes(#"{"time": 0, "fov": 180}"#), "keyframes[0].fov is not between 1 and 179"),
    ("tilt", Self.keyframes(#"{"time": 0, "tilt": 91}"#), "keyframes[0].tilt is not between -90 and 90"),
    ("pan", Self.keyframes(#"{"time": 0, "pan": 1e7}"#), "keyframes[0].pan is not between"),
    (
      "too many", Self.keyframes((0...10_000).map { "{\"time\": \($0)}" }.joined(separator: ",")),
      "more than 10000 keyframes"
    ),
    ("too large", String(repeating: " ", count: 4 << 20) + Self.keyframes(#"{"time": 0}"#), "it is larger than 4 MiB"),
    ("deep", String(repeating: "[", count: 100_000), "more than 32 deep"),
  ]
  static let refusals = rows.map(RefusedText.init)

  @Test(arguments: refusals)
  func isRefusedInOneSentence(row: RefusedText) throws {
    let failure = #expect(throws: Failure.self) { try Self.file(row.text) }
    #expect(failure?.kind == .input && failure?.attempt.hasSuffix("tour.json'") ?? false)
    #expect(failure?.cause.contains(row.words) ?? false, "\(row.name): \(failure?.description ?? "")")
    #expect(failure?.description.contains("\n") == false)
  }

  @Test func tenThousandKeyframesAreTaken() throws {
    let many = (0..<10_000).map { "{\"time\": \($0)}" }.joined(separator: ",")
    #expect(try Self.file(Self.keyframes(many)).path.keyframes.count == 10_000)
  }

  @Test func whatIsNoFileIsSaidToBe() throws {
    try TestFolders.withTemporary { folder in
      let missing = #expect(throws: Failure.self) { try CameraFile(path: folder + "/none.json") }
      #expect(missing?.cause == "no such file or directory")
      let itself = #expect(throws: Failure.self) { try CameraFile(path: folder) }
      #expect(itself?.kind == .input)
    }
  }

  /// The schema takes what we take, and refuses what it can see is wrong.
  @Test(
    .tier(.test), .enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
  func theSchemaAgrees() throws {
    try TestFolders.withTemporary { folder in
      let good = folder + "/good.json"
      try Data(Self.good.utf8).write(to: URL(filePath: good))
      #expect(try PythonJudge.schemaRefusals([good], of: .camera).isEmpty)
    }
    // Order, equal times and size are beyond a schema; what is not JSON is no matter for one.
    try RefusedText.expectRefusals(
      of: Self.refusals, by: .camera,
      beyond: ["no JSON", "empty file", "not a number", "unsorted", "twice", "too large", "overflow", "deep"])
  }
}
