import Foundation
import Frames
import Run
import Support
import Testing
import Verdict

@Suite struct MatrixTests {
  private static let whole = """
    {\(matrixHead), "inputs": ["a.mp4", "b.mp4"], "defaults": {"trials": 2, "size": "640x360", "low-delay": true},
     "axes": {"upload": ["direct", "copy"], "threads": [1, 2, 4]},
     "exclude": [{"upload": "copy", "threads": 4}, {"input": "b.mp4", "threads": 1}],
     "include": [{"input": "b.mp4", "shading": "compute"}, {"threads": 8, "low-delay": false}]}
    """

  /// Two inputs times six choices, less one of each input and, of the other, two; then one and two more.
  @Test func cellsAreInputsTimesChoicesLessAndMore() throws {
    let cells = try matrix(Self.whole).cells
    let told = cells.map { cell in
      ([(cell.input as NSString?)?.lastPathComponent ?? "-"] + cell.arguments).joined(separator: " ")
    }
    let common = "--low-delay --size=640x360"
    #expect(
      told == [
        "a.mp4 \(common) --threads=1 --trials=2 --upload=direct",
        "a.mp4 \(common) --threads=1 --trials=2 --upload=copy",
        "a.mp4 \(common) --threads=2 --trials=2 --upload=direct",
        "a.mp4 \(common) --threads=2 --trials=2 --upload=copy",
        "a.mp4 \(common) --threads=4 --trials=2 --upload=direct",
        "b.mp4 \(common) --threads=2 --trials=2 --upload=direct",
        "b.mp4 \(common) --threads=2 --trials=2 --upload=copy",
        "b.mp4 \(common) --threads=4 --trials=2 --upload=direct",
        "b.mp4 --low-delay --shading=compute --size=640x360 --trials=2",
        "a.mp4 --size=640x360 --threads=8 --trials=2", "b.mp4 --size=640x360 --threads=8 --trials=2",
      ], "\(told)")
    #expect(cells.map(\.number) == Array(0..<11))
  }

  @Test func withoutInputsTheBuiltInClipIsMeasured() throws {
    let cells = try matrix(#"{\#(matrixHead), "axes": {"threads": [1, "2"]}}"#).cells
    #expect(cells.count == 2 && cells.allSatisfy { $0.input == nil && $0.name.hasPrefix("built-in-clip_threads-") })
    #expect(try matrix("{\(matrixHead)}").cells.count == 1)
  }

  @Test func withoutInputsAStreamIsOfTheBuiltInLadder() throws {
    let cells = try matrix(
      #"{\#(matrixHead), "defaults": {"scenario": "stream"}, "axes": {"controller": ["bola", "lowest"]}}"#
    ).cells
    #expect(cells.allSatisfy { $0.playsStream && $0.input == nil && $0.inputName == "built-in ladder" })
    #expect(cells.map(\.name).allSatisfy { $0.hasPrefix("built-in-ladder_controller-") }, "\(cells.map(\.name))")
    let mixed = try matrix(#"{\#(matrixHead), "axes": {"scenario": ["stream", "seek"]}}"#).cells
    #expect(mixed.map(\.inputName).sorted() == ["built-in clip", "built-in ladder"])
  }

  @Test func numbersAreWrittenAsTheyAre() throws {
    let cells = try matrix(#"{\#(matrixHead), "axes": {"seed": [18446744073709551615, -1, 0.5]}}"#).cells
    #expect(cells.map(\.arguments) == [["--seed=18446744073709551615"], ["--seed=-1"], ["--seed=0.5"]])
  }

  @Test func tenThousandCellsAreTheMost() throws {
    let values = (0..<100).map(String.init).joined(separator: ",")
    let axes = #""axes": {"seed": [\#(values)], "threads": [\#(values)]}"#
    #expect(try matrix("{\(matrixHead), \(axes)}").cells.count == 10_000)
    let failure = #expect(throws: Failure.self) {
      try matrix(#"{\#(matrixHead), \#(axes), "include": [{"trials": 1}]}"#)
    }
    #expect(failure?.cause == "it has 10001 cells, and 10000 is the most")
  }

  /// Names of the same file in another order of keys, with other white space, in another folder.
  @Test func theOrderOfKeysChangesNothing() throws {
    let other = """
      {"include": [{"shading": "compute", "input": "b.mp4"}, {"low-delay": false, "threads": 8}],
       "exclude": [{"threads": 4, "upload": "copy"}, {"threads": 1, "input": "b.mp4"}],
       "axes": {"threads": [1, 2, 4], "upload": ["direct", "copy"]},
       "defaults": {"low-delay": true, "size": "640x360", "trials": "2"}, "inputs": ["a.mp4", "b.mp4"], \(matrixHead)}
      """
    let (one, two) = (try matrix(Self.whole).cells, try matrix(other, in: "other.json").cells)
    #expect(one.map(\.identity) == two.map(\.identity) && one.map(\.arguments) == two.map(\.arguments))
    #expect(one[0].name == "a_threads-1_upload-direct-\(one[0].id.prefix(16))")
  }

  /// This one is written down: records of one machine must be found by another, and by the next version.
  @Test(.tier(.test)) func identityIsTheSameEverywhere() throws {
    let cell = try #require(try matrix(#"{\#(matrixHead), "inputs": ["a.mp4"], "axes": {"threads": [3]}}"#).cells.first)
    let judge = try CommandOutput.of(
      "python3",
      [
        "-c",
        "import hashlib; print(hashlib.sha256(b'bench360-cell/1\\n10 file a.mp4\\n7 threads\\n1 3\\n').hexdigest())",
      ])
    #expect(cell.id + "\n" == judge.text)
  }

  @Test func pathsLieBelowTheMatrix() throws {
    let text = """
      {\(matrixHead), "inputs": ["sub/a.mp4", "/clips/a.mp4", "https://example.org/a.mp4?key=1", "-odd.mp4"],
       "defaults": {"camera": "tour.JSON", "input-events": "hand.json"}, "include": [{"camera": "pan"}]}
      """
    let cells = try matrix(text).cells
    #expect(cells[0].input?.hasSuffix("/sub/a.mp4") == true && cells[0].input?.hasPrefix("/") == true)
    #expect(cells[1].input == "/clips/a.mp4" && cells[2].input == "https://example.org/a.mp4?key=1")
    #expect(cells[3].input?.hasSuffix("/-odd.mp4") == true)
    #expect(cells[0].arguments.contains { $0.hasPrefix("--camera=/") && $0.hasSuffix("/tour.JSON") })
    #expect(cells[0].arguments.contains { $0.hasPrefix("--input-events=/") })
    #expect(cells[4].arguments.contains("--camera=pan"))
    #expect(Set(cells.map(\.name)).count == 8 && cells.allSatisfy { !$0.name.contains("key") })
  }

  // MARK: Names

  /// Texts that file systems, shells and people mix up.
  private static func hostile(_ random: inout SeededGenerator) -> String {
    let pieces = [
      "a", "A", "é", "e\u{301}", "/", "..", ".", "-", "_", " ", "\\", "\u{202E}", "\u{1F3A5}", ":", "*", "con", "'",
      "\"",
      "%2F", "0", String(repeating: "x", count: 90), "ſ", "ß", "~", "$(x)", "|", ".json", "\u{FEFF}",
    ]
    return (1...Int.random(in: 1...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  @Test(.tier(.test)) func namesAreSafeAndNeverMeet() throws {
    var random = SeededGenerator(for: "namesAreSafeAndNeverMeet")
    for round in 0..<20 {
      let inputs = (0..<60).map { _ in Self.hostile(&random) }.filter { $0 != "-" && !$0.isEmpty }
      let labels = (0..<5).map { _ in Self.hostile(&random) }
      func unique(_ texts: [String]) -> [String] {
        var seen: Set<[UInt8]> = []
        return texts.filter { seen.insert(Array($0.utf8)).inserted }
      }
      let values: [String: Any] = [
        "schema": "bench360-matrix/1", "inputs": unique(inputs), "axes": ["device": Array(Set(labels))],
      ]
      let text = String(decoding: try JSONSerialization.data(withJSONObject: values), as: UTF8.self)
      let cells = try matrix(text).cells
      #expect(cells.count == unique(inputs).count * Set(labels).count, "seed \(random.seed), round \(round)")
      #expect(Set(cells.map { $0.name.lowercased() }).count == cells.count, "seed \(random.seed), round \(round)")
      for cell in cells {
        let name = cell.name
        #expect(name.utf8.count <= 80 && name.first != "." && name.first != "-", "\(name), seed \(random.seed)")
        #expect(name.utf8.allSatisfy { "._+-".utf8.contains($0) || ($0 < 128 && isalnum(Int32($0)) != 0) }, "\(name)")
        #expect(RecordFile.fileNameSafe(name) == name, "merge would call it otherwise")
      }
    }
  }

  /// Where a scenario of the cells has a use for it, or an exclusion leaves one of the equals, nothing is refused.
  @Test func whatOneScenarioUsesVaries() throws {
    let axes = #""axes": {"scenario": ["decode", "play"], "look-ahead": [2, 3]}"#
    let exclude = #""exclude": [{"scenario": "decode", "look-ahead": 3}]"#
    #expect(try matrix("{\(matrixHead), \(axes), \(exclude)}").cells.count == 3)
    #expect(
      try matrix(#"{\#(matrixHead), "defaults": {"scenario": "decode,play"}, "axes": {"look-ahead": [2, 3]}}"#).cells
        .count
        == 2)
    for (name, values) in [("device", "[0, 1]"), ("decoder", #"["cuda", "software"]"#)] {
      let defaults = #""defaults": {"scenario": "decode", "require-gpu": true}"#
      #expect(try matrix("{\(matrixHead), \(defaults), \"axes\": {\"\(name)\": \(values)}}").cells.count == 2)
    }
  }

  // MARK: Refusals

  private static let many = (0..<40).map { "\($0)" }.joined(separator: ",")

  private static let rows: [(name: String, text: String, words: String)] = [
    ("no JSON", "matrix", "it is not JSON"), ("empty file", "", "it is not JSON"), ("list", "[]", "no object"),
    ("deep", String(repeating: "[", count: 100_000), "more than 32 deep"),
    (
      "deep value", "{\(matrixHead), \"axes\": {\"threads\": \(String(repeating: "[", count: 90_000))}}",
      "more than 32 deep"
    ),
    ("too large", String(repeating: " ", count: 4 << 20) + "{\(matrixHead)}", "it is larger than 4 MiB"),
    ("no schema", "{}", "schema is missing"),
    ("other schema", #"{"schema": "bench360/1"}"#, "its schema is 'bench360/1', not 'bench360-matrix/1'"),
    ("stranger", "{\(matrixHead), \"axis\": {}}", "unknown key 'axis'"),
    (
      "setting", "{\(matrixHead), \"axes\": {\"uplaod\": [\"copy\"]}}",
      "axes has an unknown key 'uplaod'; there are: ads, audio, audio-delay, audio-track"
    ),
    ("output", "{\(matrixHead), \"defaults\": {\"output\": \"x\"}}", "defaults has an unknown key 'output'"),
    ("input as an axis", "{\(matrixHead), \"axes\": {\"input\": [\"a\"]}}", "unknown key 'input'"),
    ("no list", "{\(matrixHead), \"axes\": {\"threads\": 1}}", "axes.threads is no list"),
    ("no values", "{\(matrixHead), \"axes\": {\"threads\": []}}", "axes.threads has no values"),
    ("twice", "{\(matrixHead), \"axes\": {\"threads\": [1, 2, \"1\"]}}", "axes.threads has '1' twice"),
    ("flag", "{\(matrixHead), \"defaults\": {\"low-delay\": \"yes\"}}", "defaults.low-delay is not true or false"),
    ("text", "{\(matrixHead), \"defaults\": {\"camera\": 3}}", "defaults.camera is not text"),
    ("number", "{\(matrixHead), \"defaults\": {\"threads\": true}}", "defaults.threads is not a number"),
    ("object", "{\(matrixHead), \"defaults\": {\"size\": {}}}", "defaults.size is no text, number"),
    ("null", "{\(matrixHead), \"defaults\": {\"size\": null}}", "defaults.size is no text, number"),
    ("control", "{\(matrixHead), \"defaults\": {\"device\": \"a\\nb\"}}", "control character"),
    ("no inputs", "{\(matrixHead), \"inputs\": []}", "inputs is empty"),
    ("standard input", "{\(matrixHead), \"inputs\": [\"a\", \"-\"]}", "inputs[1] is no path"),
    ("empty input", "{\(matrixHead), \"inputs\": [\"\"]}", "inputs[0] is no path"),
    ("input twice", "{\(matrixHead), \"inputs\": [\"a\", \"a\"]}", "is in it twice"),
    (
      "exclude", "{\(matrixHead), \"axes\": {\"threads\": [1]}, \"exclude\": [{\"threads\": 2}]}",
      "exclude[0] fits no cell"
    ),
    (
      "exclude input", "{\(matrixHead), \"exclude\": [{\"input\": \"a\"}]}",
      "exclude[0].input 'a' is none of its inputs"
    ),
    (
      "exclude key", "{\(matrixHead), \"exclude\": [{\"inptu\": \"a\"}]}",
      "exclude[0] has an unknown key 'inptu'; there are: input"
    ),
    ("empty choice", "{\(matrixHead), \"include\": [{}]}", "include[0] is empty"),
    (
      "all excluded", "{\(matrixHead), \"axes\": {\"seed\": [1]}, \"exclude\": [{\"seed\": 1}]}",
      "everything in it is excluded"
    ),
    ("included twice", "{\(matrixHead), \"axes\": {\"seed\": [1]}, \"include\": [{\"seed\": 1}]}", "is in it twice"),
    (
      "no use",
      "{\(matrixHead), \"defaults\": {\"scenario\": \"decode\"}, \"axes\": {\"size\": [\"64x64\", \"32x32\"]}}",
      "measure the same, for scenario 'decode' has no use for 'size': exclude one of them"
    ),
    (
      "no use in part",
      "{\(matrixHead), \"axes\": {\"scenario\": [\"decode\", \"play\"], \"look-ahead\": [2, 3], \"threads\": [1, 2]}}",
      "scenario 'decode' has no use for 'look-ahead'"
    ),
    (
      "a billion",
      "{\(matrixHead), \"axes\": {"
        + ["seed", "threads", "look-ahead", "timeout", "refresh", "duration"].map { "\"\($0)\": [\(many)]" }
        .joined(separator: ",") + "}}", "it has 4096000000 cells, and 10000 is the most"
    ),
    (
      "far too many",
      "{\(matrixHead), \"axes\": {"
        + [
          "bounds", "decoder", "device", "duration", "eye", "geometry", "lens-fov", "look-ahead", "pin",
          "pose", "present", "projection", "refresh", "seed",
        ].map { "\"\($0)\": [\(many)]" }.joined(separator: ",") + "}}",
      "it has far too many cells"
    ),
  ]
  static let refusals = rows.map(RefusedText.init)

  @Test(arguments: refusals)
  func isRefusedInOneSentence(row: RefusedText) throws {
    let failure = #expect(throws: Failure.self) { try matrix(row.text) }
    #expect(failure?.kind == .input && failure?.attempt.hasSuffix("matrix.json'") ?? false)
    #expect(failure?.cause.contains(row.words) ?? false, "\(row.name): \(failure?.description ?? "")")
    #expect(failure?.description.contains("\n") == false)
  }

  @Test(
    .tier(.test), .enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
  func theSchemaAgrees() throws {
    try TestFolders.withTemporary { folder in
      let files = try [Self.whole, "{\(matrixHead)}"].enumerated().map { number, text in
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(number).json"))
        return "\(folder)/\(number).json"
      }
      #expect(try PythonJudge.schemaRefusals(files, of: .matrix).isEmpty)
    }
    // What is in one place and not in another, and how much there is, is beyond a schema.
    try RefusedText.expectRefusals(
      of: Self.refusals, by: .matrix,
      beyond: [
        "no JSON", "empty file", "deep", "deep value", "too large", "twice", "input twice", "exclude", "exclude input",
        "all excluded", "included twice", "no use", "no use in part", "a billion", "far too many", "control",
      ])
  }

  /// The schema's names and types of settings are those of the table.
  @Test func theSchemaHasTheRowsOfSettings() throws {
    struct Schema: Decodable {
      struct Kind: Decodable, Equatable {
        var type: String?
        var reference: String?
        enum CodingKeys: String, CodingKey {
          case type
          case reference = "$ref"
        }
      }
      struct Names: Decodable { var `enum`: [String] }
      struct Values: Decodable { var properties: [String: Kind] }
      struct Definitions: Decodable {
        var name: Names
        var values: Values
      }
      var definitions: Definitions
      enum CodingKeys: String, CodingKey { case definitions = "$defs" }
    }
    let data = try Data(contentsOf: URL(filePath: TestFolders.repository + "/results/matrix.schema.json"))
    let definitions = try JSONDecoder().decode(Schema.self, from: data).definitions
    #expect(definitions.name.enum == Setting.allCases.map(\.name).sorted())
    let expected = Setting.allCases.map { setting -> (String, Schema.Kind) in
      switch setting.row.value {
      case .flag: (setting.name, .init(type: "boolean"))
      case .file, .nameOrFile: (setting.name, .init(reference: "#/$defs/text"))
      case .text, .signedText, .count, .number: (setting.name, .init(reference: "#/$defs/numeral"))
      }
    }
    #expect(definitions.values.properties == Dictionary(uniqueKeysWithValues: expected))
  }
}
