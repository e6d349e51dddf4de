import Foundation
import Frames
import Origin
import Support
import Testing

@Suite(.tier(.test)) struct FaultFileTests {
  /// A rule of each kind, with all its fields.
  private static let samples = [
    #"{"kind": "status", "status": 503, "retry_after": 2, "path": "*.m4s", "nth_of_path": 3, "from": 1, "until": 2.5}"#,
    #"{"kind": "reset", "after": 0, "nth_in_all": [2, 1]}"#, #"{"kind": "truncated", "after": 10}"#,
    #"{"kind": "wrong_length", "by": -3}"#, #"{"kind": "stall", "after": 5, "seconds": 0.5}"#,
    #"{"kind": "slow_headers", "seconds": 3}"#, #"{"kind": "wrong_type", "type": "text/html"}"#,
    #"{"kind": "stale_playlist"}"#, #"{"kind": "clock_skew", "seconds": -3600}"#,
  ]

  private static func file(_ rules: [String]) -> String {
    #"{"schema": "bench360-faults/1", "faults": ["# + rules.joined(separator: ",\n") + "]}"
  }

  private static func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
    try TestFolders.withTemporary { folder in
      try Data(text.utf8).write(to: URL(filePath: folder + "/faults.json"))
      return try body(folder + "/faults.json")
    }
  }

  @Test func everyKindIsRead() throws {
    let rules = try Self.withFile(Self.file(Self.samples)) { try FaultFile.read($0) }
    #expect(rules.map { type(of: $0.fault).kind } == FaultTable.all.map { $0.kind })
    #expect(rules[0].nthOfPath == [3] && rules[0].window == 1..<2.5 && rules[0].pattern.description == "*.m4s")
    #expect(rules[1].nthInAll == [1, 2] && rules[1].window == 0..<(.infinity))
    #expect((rules[0].fault as? StatusFault)?.retryAfter == 2 && (rules[8].fault as? ClockSkewFault)?.seconds == -3600)
  }

  @Test(arguments: [
    ("", "it is not JSON"), ("[]", "it is not JSON with a schema"), ("{\"schema\": 3}", "it is not JSON with a schema"),
    (#"{"schema": "bench360-matrix/1", "faults": []}"#, "its schema is 'bench360-matrix/1'"),
    (file([#"{"status": 404}"#]), "faults[0].kind is missing"),
    (file([#"{"kind": "stale_playlist"}"#, #"{"kind": "earthquake"}"#]), "no kind 'earthquake'; there are: status,"),
    (file([#"{"kind": "status"}"#]), "has no status"),
    (file([#"{"kind": "status", "status": 200}"#]), "from 400 to 599"),
    (file([#"{"kind": "status", "status": 404.5}"#]), "faults[0].status is no whole number"),
    (file([#"{"kind": "status", "status": "404"}"#]), "faults[0].status is no whole number"),
    (file([#"{"kind": "reset", "after": -1}"#]), "faults[0].after"),
    (file([#"{"kind": "reset", "after": 1e300}"#]), "faults[0].after"),
    (file([#"{"kind": "reset", "seconds": 1}"#]), "unknown field 'seconds'; there are: kind, path"),
    (file([#"{"kind": "truncated"}"#]), "after how many bytes"),
    (file([#"{"kind": "wrong_length", "by": 0}"#]), "by how many"),
    (file([#"{"kind": "slow_headers"}"#]), "faults[0].seconds is missing"),
    (file([#"{"kind": "slow_headers", "seconds": 1e9}"#]), "from 0 to 86400"),
    (file([#"{"kind": "wrong_type", "type": "a\r\nSet-Cookie: b"}"#]), "faults[0].type is no text"),
    (file([#"{"kind": "wrong_type", "type": "é"}"#]), "not ASCII"),
    (file([#"{"kind": "stale_playlist", "nth_of_path": 0}"#]), "faults[0].nth_of_path"),
    (file([#"{"kind": "stale_playlist", "nth_in_all": []}"#]), "faults[0].nth_in_all"),
    (file([#"{"kind": "stale_playlist", "nth_in_all": [1, "2"]}"#]), "faults[0].nth_in_all"),
    (file([#"{"kind": "stale_playlist", "from": 3, "until": 3}"#]), "'from' is not before 'until'"),
    (file([#"{"kind": "stale_playlist", "path": ""}"#]), "faults[0].path is no text"),
    (file([#"{"kind": null}"#]), "faults[0].kind is no text"),
    (file([String](repeating: #"{"kind":"stale_playlist"}"#, count: 1001)), "more than 1000 faults"),
    (String(repeating: "[", count: 100_000), "it is not JSON"),
    (String(repeating: " ", count: 1 << 20 | 1), "larger than 1 MiB"),
  ])
  func mistakesAreNamedInOneSentence(text: String, words: String) throws {
    try Self.withFile(text) { path in
      let failure = #expect(throws: Failure.self) { try FaultFile.read(path) }
      let sentence = failure?.description ?? ""
      #expect(sentence.hasPrefix("cannot use faults '") && sentence.contains(words), "\(sentence)")
      #expect(!sentence.contains("\n"))
    }
  }

  @Test func aMissingFileIsNamed() {
    let failure = #expect(throws: Failure.self) { try FaultFile.read("/none/faults.json") }
    #expect(failure?.kind == .input)
    #expect(throws: Failure.self) { try FaultFile.read("/") }
  }

  @Test func damagedFilesNeverTrap() throws {
    var generator = SeededGenerator(for: "damagedFilesNeverTrap")
    let sound = Array(Self.file(Self.samples).utf8)
    for _ in 0..<500 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: [UInt8(ascii: "9"), UInt8(ascii: "9")], at: place)
        }
      }
      _ = try? FaultFile.rules(Data(bytes))
    }
  }

  @Test(.enabled("no Python has jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
  func theSchemaAgrees() throws {
    try TestFolders.withTemporary { folder in
      let sound = folder + "/sound.json"
      try Data(Self.file(Self.samples).utf8).write(to: URL(filePath: sound))
      let strange = try Self.samples.enumerated().map { index, sample in
        let path = folder + "/\(index).json"
        let text = Self.file([sample.dropLast() + #", "strange": 1}"#])
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
      }
      let refusals = try PythonJudge.schemaRefusals([sound] + strange, of: .faults)
      let refused = Set(refusals.compactMap { $0.split(separator: " ").first.map(String.init) })
      #expect(refused == Set(Self.samples.indices.map { "\($0).json" }), "\(refusals)")
    }
  }
}
