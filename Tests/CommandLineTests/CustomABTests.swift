import Foundation
import Support
import Testing

extension CommandLineTests {
  /// `ab --metric`: commands of other programs, and environments that differ. The commands are shell scripts.
  @Suite struct CustomABTests {
    private static func ab(_ folder: String, _ options: [String]) throws -> CommandOutput {
      try Program.run(["ab"] + options, in: folder, environment: ["TMPDIR": folder])
    }

    /// Prints, as FFmpeg does, a number that is written over; about `rate`, in an order that favours no side.
    private static func command(_ rate: String, _ more: String = "true") -> String {
      "echo x >>log; n=$(wc -l <log); printf 'fps=1\\rfps=%d.5 done\\n' $((\(rate) + n * 5 % 7)) >&2; \(more)"
    }

    @Test(arguments: [
      ("9500", Int32(2), "regression: command · fps −5"), ("10500", 0, "improvement: command · fps +5"),
    ])
    func aNumberInTheOutputIsJudged(rate: String, status: Int32, says: String) throws {
      try TestFolders.withTemporary { folder in
        let result = try Self.ab(
          folder,
          [
            "--base", Self.command("10000"), "--head", Self.command(rate), "--metric", "fps:1/s:high=fps=([0-9.]+)",
            "--keep", "kept",
          ])
        #expect(result.status == status, "\(result.text)\(result.errors)")
        #expect(result.lines.last?.hasPrefix(says) == true, "\(result.text)")
        let kept = try RecordText(file: folder + "/kept/head/001.json").values
        #expect(kept["schema"] as? String == "bench360-numbers/1")
        let metrics = try #require(kept["metrics"] as? [[String: Any]])
        #expect(metrics.first?["name"] as? String == "fps" && (metrics.first?["values"] as? [Double])?.count == 1)
      }
    }

    /// Work that takes about a tenth of a second, and a process of its own that needs memory.
    @Test func timeAndMemoryAreThoseOfTheProcesses() throws {
      try TestFolders.withTemporary { folder in
        func run(_ mebibytes: Int) -> String {
          "python3 -c 'x = bytearray(\(mebibytes) << 20); x[::4096] = bytes(len(x[::4096])); print(sum(range(200000)))'"
        }
        let result = try Self.ab(
          folder,
          [
            "--base", run(200), "--head", run(400), "--metric", "rss", "--metric", "wall", "--metric", "user", "--runs",
            "4", "--keep", "kept",
          ])
        #expect(result.status == 8, "\(result.text)\(result.errors)")
        func value(_ file: String, _ name: String) throws -> Double {
          let metrics = try RecordText(file: folder + "/kept/" + file).values["metrics"] as? [[String: Any]] ?? []
          let metric = try #require(metrics.first { $0["name"] as? String == name })
          return try #require((metric["values"] as? [Double])?.first)
        }
        let (base, head) = (try value("base/001.json", "rss"), try value("head/001.json", "rss"))
        #expect((200...260).contains(base) && (400...460).contains(head), "\(base) \(head)")
        let (wall, user) = (try value("base/001.json", "wall"), try value("base/001.json", "user"))
        #expect(user > 0 && wall >= user * 0.9, "\(wall) \(user)")
      }
    }

    @Test func oneVariableIsVaried() throws {
      try TestFolders.withTemporary { folder in
        let result = try Self.ab(
          folder,
          ["--base", Self.command("$RATE"), "--vary", "RATE=10000,9500", "--metric", "fps:1/s:high=fps=([0-9.]+)"])
        #expect(result.status == 2, "\(result.text)\(result.errors)")
        #expect(result.flowing.contains("differs environment: RATE=10000 against RATE=9500"), "\(result.text)")
      }
    }

    /// Also for bench360's own records; an empty value takes a variable of this process away.
    @Test func eachSideHasItsEnvironment() throws {
      try ABTests.withSide { folder in
        let command = "sh side \"${MINE-none}\" 100000"
        let result = try Program.run(
          [
            "ab", "--base", command, "--base-env", "MINE=a", "--base-env", "OTHER=b", "--head-env", "MINE=", "--runs",
            "2",
          ],
          in: folder, environment: ["TMPDIR": folder + "/tmp", "MINE": "outside"])
        #expect(result.status == 8, "\(result.errors)")
        #expect(result.flowing.contains("differs environment: MINE=a OTHER=b against MINE="), "\(result.text)")
        let sides = try String(contentsOfFile: folder + "/log", encoding: .utf8).split(separator: "\n")
        #expect(sides == ["a", "none", "a", "none", "none", "a"])
      }
    }

    @Test func anotherDeviceIsRefused() throws {
      try TestFolders.withTemporary { folder in
        let command = """
          echo '{"schema": "bench360-numbers/1", "device": "'$GPU'", \
          "metrics": [{"name": "fps", "better": "high", "values": [1]}]}' >"$BENCH360_JSON"
          """
        let arguments = ["--base", command, "--metric", "json", "--runs", "2"]
        try Self.ab(folder, arguments + ["--vary", "GPU=first,second"])
          .expectRefusal(status: 7, saying: ["base says device 'first', head 'second'", "leave 'device' out"])
        #expect(try Self.ab(folder, arguments + ["--vary", "N=first,second"]).status == 8)
      }
    }

    @Test func jsonMayBePrinted() throws {
      try TestFolders.withTemporary { folder in
        let json = #"{"benchmarks": [{"name": "BM_A", "real_time": 2, "cpu_time": 1, "time_unit": "ms"}]}"#
        let result = try Self.ab(
          folder, ["--base", "echo '\(json)'", "--vary", "N=1,2", "--metric", "json", "--runs", "2"])
        #expect(result.status == 8 && result.flowing.contains("benchmark · BM_A · real_time"), "\(result.text)")
      }
    }

    @Test(arguments: [
      ("echo fps=none", "'fps=([0-9]+)' of metric 'fps' matches nothing"), ("exit 3", "status 3"),
    ])
    func aRunWithoutItsNumberFails(command: String, words: String) throws {
      try TestFolders.withTemporary { folder in
        let result = try Self.ab(
          folder, ["--base", command, "--vary", "N=1,2", "--metric", "fps:high=fps=([0-9]+)"])
        #expect(result.status == 1 && result.output.isEmpty && result.errorLines.count == 1, "\(result.errors)")
        #expect(result.errors.hasPrefix("bench360: warm-up of base failed: ") && result.errors.contains(words))
      }
    }

    @Test(arguments: [
      [], ["--head", "true", "--vary", "N=1,2"], ["--vary", "N"], ["--vary", "N=1"], ["--vary", "N=1,2,3"],
      ["--vary", "N=1,1"], ["--vary", "1=1,2"], ["--vary", "N=1,2", "--base-env", "N=3"],
      ["--base-env", "N=1", "--base-env", "N=2"], ["--head-env", "=2"], ["--vary", "N=1,2", "--metric", "wall"],
      ["--vary", "N=1,2", "--metric", "x=(1)"], ["--vary", "N=1,2", "--metric", "x"],
    ])
    func badSidesAreUsage(options: [String]) throws {
      try TestFolders.withTemporary { folder in
        // The metric is there once already.
        let result = try Self.ab(
          folder, ["--base", "echo x >>log", "--metric", options.contains("x=(1)") ? "y=(1)" : "wall"] + options)
        #expect(result.status == 64 && result.output.isEmpty, "\(options): \(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder + "/log"), "it ran something")
      }
    }
  }
}
