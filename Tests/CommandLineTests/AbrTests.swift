import Foundation
import Support
import Testing

extension CommandLineTests {
  /// `abr`: controllers over networks on a virtual clock.
  @Suite struct AbrTests {
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
