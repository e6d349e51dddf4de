import Foundation
import Support
import Testing

extension CommandTests {
  /// `abr`: controllers over networks on a virtual clock.
  @Suite(.tier(.test)) struct AbrTests {
    private static let traces = TestFolders.repository + "/Benchmarks/traces"

    private static func run(_ arguments: [String], in folder: String = NSTemporaryDirectory()) throws -> CommandOutput {
      try Program.run(["abr"] + arguments, in: folder)
    }

    @Test func aRowForEachControllerAndNetworkAndTheirMeans() throws {
      let result = try Self.run([
        "--controller", "lowest,bola", "--network", Self.traces + "/steps.json", Self.traces + "/sine.json",
      ])
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      let rows = result.lines.map { $0.split(separator: " ").map(String.init) }
      #expect(rows.map { $0[0] } == ["network", "steps", "steps", "sine", "sine", "mean", "mean"])
      #expect(rows[1...4].map { $0[1] } == ["lowest", "bola", "lowest", "bola"])
      // The lowest of the built-in rungs, without a stall or a switch: ten minutes of 1 Mbit/s in segments of 4 s.
      #expect(Array(rows[1][2...]) == ["1.000", "0.35", "0", "0.00", "0.00", "0", "0", "0.00", "150.0"])
      #expect(Set(result.lines.map(\.count)).count == 1, "columns are aligned")
    }

    @Test func aFolderOfTracesIsReadByName() throws {
      let result = try Self.run(["--controller", "fixed:2", "--network", Self.traces])
      // The folder holds the script that makes the traces as well.
      result.expectRefusal(saying: ["Benchmarks/traces/make", "none of the known formats"])
      try TestFolders.withTemporary { folder in
        for name in ["b", "a"] {
          try FileManager.default.copyItem(atPath: Self.traces + "/steps.json", toPath: "\(folder)/\(name).json")
        }
        let rows = try Self.run(["--controller", "fixed:2", "--network", folder]).lines
        #expect(rows.count == 4 && rows[1].hasPrefix("steps "))
      }
    }

    @Test func sessionsAreWrittenAsJSONToTheBit() throws {
      try TestFolders.withTemporary { folder in
        let arguments = ["--network", Self.traces + "/markov.json", "--duration", "60", "-o"]
        let first = try Self.run(arguments + ["a.json", "--threads", "1"], in: folder)
        let second = try Self.run(arguments + ["b.json", "--threads", "5"], in: folder)
        #expect(first.status == 0 && first.output == second.output && first.lines.count == 6, "\(first.errors)")
        let data = try Data(contentsOf: URL(filePath: folder + "/a.json"))
        #expect(try Data(contentsOf: URL(filePath: folder + "/b.json")) == data)
        #expect(try Self.run(arguments + ["-"]).output == data)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(json["schema"] as? String == "bench360-abr/1")
        let sessions = try #require(json["sessions"] as? [[String: Any]])
        #expect(sessions.compactMap { $0["controller"] as? String } == ["throughput", "bola", "dynamic", "mpc", "bba"])
        for session in sessions { #expect((session["requests"] as? [[String: Any]])?.isEmpty == false) }
        #expect(try Self.run(arguments + ["a.json"], in: folder).status == 0, "its own file is replaced")
      }
    }

    @Test func settingsChangeTheSession() throws {
      let base = ["--controller", "throughput,bola", "--network", Self.traces + "/steps.json"]
      let usual = try Self.run(base).text
      for options in [
        ["--buffer", "10,40"], ["--resume-buffer", "12"], ["--peak-bitrate", "5M"], ["--start-bitrate", "9000k"],
        ["--estimator", "sliding"], ["--rtt", "300"], ["--duration", "100"],
      ] {
        let result = try Self.run(base + options)
        #expect(result.status == 0 && result.text != usual, "\(options): \(result.errors)")
      }
      // The ladder has a rung of 2.5 Mbit/s.
      let texts = try ["2499k", "2500k", "2.5M", "2500000"].map { try Self.run(base + ["--peak-bitrate", $0]).text }
      #expect(texts[0] != texts[1] && texts[1] == texts[2] && texts[2] == texts[3], "\(texts)")
    }

    @Test func aNetworkThatEndsIsSaid() throws {
      try TestFolders.withTemporary { folder in
        let trace =
          #"{"schema": "bench360-network/1", "name": "ends", "repeats": false, "periods": [{"seconds": 9, "bits_per_second": 4e6}, {"seconds": 1, "bits_per_second": 0}]}"#
        try Data(trace.utf8).write(to: URL(filePath: folder + "/t.json"))
        let result = try Self.run(["--controller", "lowest,bola", "--network", "t.json"], in: folder)
        #expect(result.status == 0)
        #expect(
          result.text.hasSuffix(
            "\nlowest over ends ended early: the network delivers nothing more, and so did 1 more\n"))
      }
    }

    private static func matrix(_ rest: String, in folder: String) throws {
      for name in ["steps", "sine"] {
        try FileManager.default.copyItem(atPath: "\(traces)/\(name).json", toPath: "\(folder)/\(name).json")
      }
      try Data(#"{"schema": "bench360-matrix/1", \#(rest)}"#.utf8).write(to: URL(filePath: folder + "/matrix.json"))
    }

    /// Records by name, without what tells when and by which call they were made.
    private static func records(_ place: String) throws -> [String: NSDictionary] {
      var records: [String: NSDictionary] = [:]
      for name in try names(in: place) {
        var record = try RecordText(file: place + "/" + name).values
        for key in ["created", "command", "session"] { record[key] = nil }
        record["scenarios"] = (record["scenarios"] as? [[String: Any]])?.map { scenario in
          var scenario = scenario
          scenario["trials"] = (scenario["trials"] as? [[String: Any]])?.map { $0.filter { $0.key != "started" } }
          return scenario
        }
        records[name] = record as NSDictionary
      }
      return records
    }

    /// Controllers, buffers, networks and estimators over a ladder's folder: three shards, merged, are the whole to the bit.
    @Test func shardsMergedAreTheWholeMatrix() throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        try Self.matrix(
          """
          "inputs": ["\(ladder.folder)"], "defaults": {"scenario": "stream", "duration": 60},
          "axes": {"controller": ["bola", "mpc"], "buffer": ["6,6", "20,20"], "network": ["steps.json", "sine.json"]},
          "include": [{"controller": "bba", "rate": 0.3, "rtt": 40, "estimator": "sliding"}]
          """, in: folder)
        let whole = try Self.run(["--matrix", "matrix.json", "--records", "whole"], in: folder)
        #expect(whole.status == 0 && whole.lines.count == 10 && whole.lines[0].hasPrefix("cell "), "\(whole.errors)")
        for shard in 0..<3 {
          let result = try Self.run(
            ["--matrix", "matrix.json", "--shard", "\(shard)/3", "--records", "shards/\(shard)"], in: folder)
          #expect(result.status == 0 && result.lines.count == 4, "\(result.errors)")
        }
        let merged = try Program.run(
          ["merge", "shards", "-o", "merged", "--matrix", "matrix.json", "--shards", "3"], in: folder)
        #expect(merged.text == "9 records merged into 9 records in merged\n", "\(merged.errors)")
        let (all, parts) = (try Self.records(folder + "/whole"), try Self.records(folder + "/merged"))
        #expect(all == parts && all.count == 9)
        let settings = all.values.compactMap { ($0["settings"] as? [String: Any])?["streaming"] as? [String: Any] }
        #expect(Set(settings.compactMap { $0["buffer_maximum"] as? Double }) == [6, 20, 25])
        let links = settings.compactMap { $0["link"] as? [String: Any] }
        #expect(Set(links.compactMap { $0["network"] as? String }) == ["steps", "sine", "constant"])
        let constant = try #require(links.first { $0["network"] as? String == "constant" })
        #expect(constant["rate_mbps"] as? Double == 0.3 && constant["rtt_ms"] as? Double == 40)
        let estimators = settings.filter { ($0["link"] as? [String: Any])?["network"] as? String == "constant" }
        #expect(estimators.allSatisfy { $0["estimator"] as? String == "sliding" })
        guard PythonJudge.hasJSONSchema || PythonJudge.isRequired else { return }
        #expect(try PythonJudge.schemaRefusals(parts.keys.map { folder + "/merged/" + $0 }).isEmpty)
      }
    }

    @Test(arguments: [
      (#""defaults": {"controller": "bola"}"#, ["cell 0", "its scenario is not 'stream'"]),
      (#""defaults": {"scenario": "stream", "threads": 2, "rate": 1}"#, ["has the setting 'threads'"]),
      (
        #""defaults": {"scenario": "stream", "controller": "best", "rate": 1}"#, ["no controller 'best'", "abr --help"]
      ),
      (#""defaults": {"scenario": "stream", "controller": "bola,mpc", "rate": 1}"#, ["2 sessions", "one controller"]),
      (#""defaults": {"scenario": "stream", "controller": "bola"}"#, ["There is no network"]),
    ])
    func aMatrixWithAMistakeIsRefusedBeforeAnyRecord(rest: String, words: [String]) throws {
      try TestFolders.withTemporary { folder in
        try Self.matrix(rest, in: folder)
        try Self.run(["--matrix", "matrix.json", "--records", "out"], in: folder)
          .expectRefusal(saying: ["matrix 'matrix.json'"] + words)
        #expect(try names(in: folder) == ["matrix.json", "sine.json", "steps.json"])
      }
    }

    @Test(arguments: [
      (["--matrix", "m.json"], "--records"), (["--matrix", "m.json", "--records", "r", "--rtt", "4"], "--rtt belongs"),
      (["--matrix", "m.json", "--records", "r", "-o", "x"], "--output is of one ladder"),
      (["--shard", "0/2", "--rate", "1"], "--shard needs a --matrix"), ([], "There is no network"),
      (["--rate", "1", "--network", "x"], "leave one out"), (["--rate", "0"], "--rate must be between"),
    ])
    func misuseIsTold(arguments: [String], words: String) throws {
      let result = try Self.run(arguments)
      #expect(result.status == 64 && result.errors.contains(words), "\(result.errors)")
    }

    @Test(arguments: [
      (["--network", "none.json"], ["cannot read network trace 'none.json'", "no such file"]),
      (["--network", "/dev/zero"], ["not a regular file"]), (["--network", "empty"], ["the file is empty"]),
      (["--network", "empty", "--ladder", "empty"], ["cannot read ladder 'empty'", "not JSON"]),
    ])
    func whatCannotBeReadIsRefused(arguments: [String], words: [String]) throws {
      try TestFolders.withTemporary { folder in
        try Data().write(to: URL(filePath: folder + "/empty"))
        try Self.run(arguments, in: folder).expectRefusal(saying: words)
      }
    }
  }
}
