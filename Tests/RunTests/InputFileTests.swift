import Foundation
import Frames
import Playback
import Render
import Run
import Support
import Testing

@Suite struct InputFileTests {
  private static let head = #""schema": "bench360-input/1", "width": 640, "height": 360"#

  private static func file(_ text: String) throws -> InputFile {
    try TestFolders.withTemporary { folder in
      try Data(text.utf8).write(to: URL(filePath: folder + "/hand.json"))
      return try InputFile(path: folder + "/hand.json")
    }
  }

  private static func events(_ text: String) -> String { "{\(head), \"events\": [\(text)]}" }

  private static let all: [LookEvent] =
    [
      .grab(x: 1, y: 2), .drag(x: 0.1, y: -3e-7), .letGo, .zoom(steps: -0.5, x: 640, y: 0), .recentre(x: 5, y: 1e5),
      .releaseAll, .reset, .look(Camera(pan: -179.25, tilt: 90, roll: 1.0 / 3, fieldOfView: 25)),
    ] + LookAround.Turn.allCases.flatMap { [.hold($0), .release($0)] }

  @Test(.tier(.test)) func whatIsWrittenIsReadAgain() throws {
    var random = SeededGenerator(for: "whatIsWrittenIsReadAgain")
    var moments = Self.all.map { LookRecording.Moment(0, $0) }.shuffled(using: &random)
    for index in moments.indices.dropFirst() {
      moments[index].seconds = moments[index - 1].seconds + .random(in: 0...0.1, using: &random)
    }
    let recording = LookRecording(size: PictureSize(width: 1281, height: 719), moments: moments)
    try TestFolders.withTemporary { folder in
      let path = folder + "/hand.json"
      try InputFile.write(recording, to: path, option: "--record-input")
      let file = try InputFile(path: path)
      #expect(file.recording == recording && file.name == "hand.json")
      let judge = try CommandOutput.of("sha256sum", [path]).text.prefix(64)
      #expect(file.sha256 == judge)
      guard PythonJudge.hasJSONSchema || PythonJudge.isRequired else { return }
      #expect(try PythonJudge.schemaRefusals([path], of: .input).isEmpty)
    }
    #expect(throws: Failure.self) {
      try InputFile.write(recording, to: "/proc/none/hand.json", option: "--record-input")
    }
  }

  /// What is wrong, and the words that say so.
  private static let rows: [(name: String, text: String, words: String)] = [
    ("no JSON", "grab", "it is not JSON"), ("empty file", "", "it is not JSON"),
    ("not a number", events(#"{"time": NaN, "event": "let-go"}"#), "it is not JSON"),
    ("overflow", events(#"{"time": 1e999, "event": "let-go"}"#), "a number in it is too large"),
    ("list", "[]", "its content is no object"), ("no schema", #"{"events": []}"#, "schema is missing"),
    ("other schema", #"{"schema": "bench360-camera/1", "events": []}"#, "its schema is 'bench360-camera/1'"),
    ("no list", "{\(head)}", "events is missing"), ("nothing", events(""), "it has no events"),
    ("no size", #"{"schema": "bench360-input/1", "width": 3, "events": []}"#, "height is missing"),
    ("size", #"{"schema": "bench360-input/1", "width": 0, "height": 3, "events": []}"#, "width is not between 1 and"),
    ("a stranger", "{\(head), \"loop\": true, \"events\": []}", "unknown key 'loop'"),
    ("no time", events(#"{"event": "let-go"}"#), "events[0].time is missing"),
    ("no event", events(#"{"time": 0}"#), "events[0].event is missing"),
    ("event", events(#"{"time": 0, "event": "pull"}"#), "events[0].event is none of grab, drag"),
    ("no place", events(#"{"time": 0, "event": "grab", "x": 3}"#), "events[0].y is missing"),
    ("another's place", events(#"{"time": 0, "event": "let-go", "x": 3}"#), "events[0] has an unknown key 'x'"),
    ("far", events(#"{"time": 0, "event": "grab", "x": 3, "y": 1e6}"#), "events[0].y is not between"),
    ("text", events(#"{"time": 0, "event": "grab", "x": 3, "y": "4"}"#), "events[0].y is no number"),
    ("turn", events(#"{"time": 0, "event": "hold", "turn": "round"}"#), "events[0].turn is none of left"),
    ("steps", events(#"{"time": 0, "event": "zoom", "steps": 1e4, "x": 1, "y": 1}"#), "events[0].steps is not between"),
    (
      "tilt", events(#"{"time": 0, "event": "look", "pan": 0, "tilt": 91, "roll": 0, "fov": 80}"#),
      "events[0].tilt is not between -90 and 90"
    ),
    ("negative time", events(#"{"time": -1, "event": "reset"}"#), "events[0].time is not between 0 and 3600"),
    ("endless time", events(#"{"time": 3601, "event": "reset"}"#), "events[0].time is not between"),
    (
      "unsorted", events(#"{"time": 2, "event": "reset"}, {"time": 1, "event": "reset"}"#),
      "events[1].time is earlier"
    ),
    (
      "too many", events((0...100_000).map { _ in #"{"time":0,"event":"reset"}"# }.joined(separator: ",")),
      "more than 100000 events"
    ),
    ("too large", String(repeating: " ", count: 16 << 20) + events(""), "it is larger than 16 MiB"),
    ("deep", String(repeating: "[", count: 100_000), "more than 32 deep"),
  ]
  static let refusals = rows.map(RefusedText.init)

  @Test(arguments: refusals)
  func isRefusedInOneSentence(row: RefusedText) throws {
    let failure = #expect(throws: Failure.self) { try Self.file(row.text) }
    #expect(failure?.kind == .input && failure?.attempt.hasSuffix("hand.json'") ?? false)
    #expect(failure?.cause.contains(row.words) ?? false, "\(row.name): \(failure?.description ?? "")")
    #expect(failure?.description.contains("\n") == false)
  }

  @Test func whatIsNoFileIsSaidToBe() {
    let missing = #expect(throws: Failure.self) { try InputFile(path: "/none.json") }
    #expect(missing?.cause == "no such file or directory")
  }

  /// The schema refuses what it can see is wrong.
  @Test(
    .tier(.test), .enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
  func theSchemaAgrees() throws {
    // Order and size are beyond a schema; what is not JSON is no matter for one.
    try RefusedText.expectRefusals(
      of: Self.refusals, by: .input,
      beyond: ["no JSON", "empty file", "not a number", "unsorted", "too large", "overflow", "deep", "too many"])
  }
}
