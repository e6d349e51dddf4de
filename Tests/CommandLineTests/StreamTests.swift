import Foundation
import Support
import Testing

extension CommandLineTests {
  /// `run --scenario stream`: a ladder over a shaped link, judged by the origin's log and by the pictures.
  @Suite struct StreamTests {
    private static let base = ["--scenario", "stream", "--trials", "1", "--size", "160x90"]

    private static func run(_ input: [String], in folder: String, _ options: [String]) throws -> CommandOutput {
      try Program.run(["run"] + input + base + options, in: folder)
    }

    private static func stream(_ file: String) throws -> (record: RecordText, stream: [String: Any]) {
      let record = try RecordText(file: file)
      let scenarios = try #require(record.values["scenarios"] as? [[String: Any]])
      let trials = try #require(scenarios.first?["trials"] as? [[String: Any]])
      return (record, try #require(trials.first?["stream"] as? [String: Any]))
    }

    private static func warnings(_ record: RecordText) -> [String] {
      (record.values["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    private static func requests(_ stream: [String: Any], _ outcome: String) -> [[String: Any]] {
      (stream["requests"] as? [[String: Any]] ?? []).filter { $0["outcome"] as? String == outcome }
    }

    /// Every picture of the ladder's 4.5 s is shown once or counted, with its number and its rung; every byte is in both logs.
    @Test(arguments: ["hls-fmp4", "hls-ts", "dash"])
    func aLadderIsPlayedToItsEnd(packaging: String) throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        let result = try Self.run(
          [ladder.folder], in: folder,
          ["--packaging", packaging, "--rate", "3", "--rtt", "10", "-o", "r.json", "--trace", "t.json"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.flowing.hasPrefix("plays at "), "\(result.text)")
        #expect(result.flowing.contains("Mbit/s") && result.flowing.contains("first frame after"), "\(result.text)")
        let (record, stream) = try Self.stream(folder + "/r.json")
        func count(_ name: String) -> Int { record.counter(name) ?? -1 }
        #expect(count("wrong_frame") == 0 && count("wrong_rung") == 0)
        #expect(count("presented") + count("dropped") + count("skipped") == 135)
        #expect(!Self.warnings(record).contains("origin_disagrees"))
        #expect(stream["format"] as? String == (packaging == "dash" ? "dash" : "hls"))
        let segments = Self.requests(stream, "finished").filter { $0["kind"] as? String == "segment" }
        #expect(segments.compactMap { $0["segment"] as? Int } == [0, 1, 2, 3, 4])
        let settings = record.values["settings"] as? [String: Any]
        let streaming = settings?["streaming"] as? [String: Any]
        #expect(streaming?["packaging"] as? String == packaging && streaming?["rate_mbps"] as? Double == 3)
        let trace = try String(contentsOfFile: folder + "/t.json", encoding: .utf8)
        for name in [#""name":"playing""#, #""name":"rung 0""#, #""name":"segment 4 rung "#, #""name":"manifest""#] {
          #expect(trace.contains(name), "no \(name)")
        }
      }
    }

    @Test func whatBreaksOffGoesOnWhereItWas() throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        let rules = """
          {"kind": "reset", "after": 9000, "path": "*.m4s", "nth_in_all": 2},
          {"kind": "status", "status": 503, "retry_after": 0, "path": "00003.m4s", "nth_of_path": 1}
          """
        try Data(#"{"schema": "bench360-faults/1", "faults": [\#(rules)]}"#.utf8)
          .write(to: URL(filePath: folder + "/faults.json"))
        let result = try Self.run(
          [ladder.folder], in: folder,
          ["--controller", "fixed:1", "--faults", "faults.json", "--rate", "8", "-o", "r.json"])
        #expect(result.status == 0, "\(result.errors)")
        let (record, stream) = try Self.stream(folder + "/r.json")
        #expect(record.counter("wrong_frame") == 0 && record.counter("wrong_rung") == 0)
        #expect(record.counter("retries") == 2 && Self.requests(stream, "failed").count == 2)
        #expect(!Self.warnings(record).contains("origin_disagrees"))
        let again = Self.requests(stream, "finished").filter { $0["attempt"] as? Int == 1 }
        #expect(again.compactMap { ($0["transfer"] as? [String: Any])?["status"] as? Int } == [206, 200])
      }
    }

    /// Past the retries it ends with a sentence, and keeps the measurements before.
    @Test func pastTheRetriesItEndsAndKeepsWhatWasMeasured() throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        try Data(
          #"{"schema": "bench360-faults/1", "faults": [{"kind": "status", "status": 503, "path": "00002.m4s"}]}"#.utf8
        ).write(to: URL(filePath: folder + "/faults.json"))
        let result = try Self.run(
          [ladder.folder], in: folder,
          ["--faults", "faults.json", "--rate", "8", "--retries", "1", "--retry-limit", "2", "-o", "r.json"])
        #expect(result.status == 1)
        #expect(result.errors.contains("past 2 s: the server answered 503 Service Unavailable"), "\(result.errors)")
        #expect(result.flowing.contains("then fails after"), "\(result.text)")
        let (record, stream) = try Self.stream(folder + "/r.json")
        #expect(record.values["complete"] as? Bool == false)
        #expect((record.counter("presented") ?? 0) > 0 && record.counter("wrong_frame") == 0)
        #expect((stream["states"] as? [[String: Any]])?.last?["state"] as? String == "failed")
      }
    }

    @Test func misuseIsToldInOneSentence() throws {
      try TestFolders.withTemporary { folder in
        try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
        try Self.run(["empty"], in: folder, []).expectRefusal(saying: ["'empty'", "no hls-fmp4/main.m3u8"])
        try Self.run(["none"], in: folder, []).expectRefusal(saying: ["'none'", "no such file"])
        try Self.run(["http://127.0.0.1:9/a.m3u8"], in: folder, ["--rate", "3"])
          .expectRefusal(status: 64, saying: ["only the link to an origin of the run's own is shaped"])
        try Self.run(["http://127.0.0.1:9/a.m3u8"], in: folder, ["--retries", "0"])
          .expectRefusal(saying: ["127.0.0.1:9/a.m3u8"])
        let mixed = try Program.run(["run", "empty", "--scenario", "stream,decode"], in: folder)
        #expect(
          mixed.status == 64 && mixed.errors.contains("one measures a clip, the other a stream"), "\(mixed.errors)")
        let wrong = try Self.run(["empty"], in: folder, ["--controller", "best"])
        #expect(wrong.status == 64 && wrong.errors.contains("there is no controller 'best'"), "\(wrong.errors)")
        let expect = try Self.run(["empty"], in: folder, ["--expect", "software"])
        #expect(expect.status == 64 && expect.errors.contains("--expect is of clips"), "\(expect.errors)")
      }
    }
  }
}
