import Foundation
import Support
import Testing

extension CommandTests {
  /// `compare`: every exit code it promises, and what it says and writes.
  @Suite struct CompareTests {
    /// `base.json` around 1000 frames a second and `head.json` around `head`, changed by `change`.
    private static func withRecords(
      head: Double = 1000, change: (inout MadeRecord) -> Void = { _ in }, _ body: (_ folder: String) throws -> Void
    ) throws {
      try TestFolders.withTemporary { folder in
        try MadeRecord.rates(around: 1000).write(folder + "/base.json")
        var record = try MadeRecord.rates(around: head)
        change(&record)
        try record.write(folder + "/head.json")
        try body(folder)
      }
    }

    private static func compare(
      _ folder: String, _ options: [String] = [], environment: [String: String] = [:]
    ) throws -> CommandOutput {
      try Program.run(["compare", "base.json", "head.json"] + options, in: folder, environment: environment)
    }

    struct Case: CustomTestStringConvertible, Sendable {
      var head: Double
      var options: [String] = []
      var status: Int32
      var says: String
      var testDescription: String { "\(head) \(options.joined(separator: " "))" }
    }

    @Test(arguments: [
      Case(head: 1000, status: 0, says: "same: "),
      Case(head: 990, status: 0, says: "same: "),
      Case(head: 990, options: ["--threshold", "0.5"], status: 2, says: "regression: decode · decode_fps"),
      Case(head: 900, status: 2, says: "regression: decode · decode_fps"),
      Case(head: 900, options: ["--threshold", "20"], status: 0, says: "same: "),
      Case(head: 900, options: ["--fail-on", "improvement"], status: 0, says: "regression: "),
      Case(head: 900, options: ["--fail-on", "regression,improvement"], status: 2, says: "regression: "),
      Case(head: 1100, status: 0, says: "improvement: decode · decode_fps"),
      Case(head: 1100, options: ["--fail-on", "improvement"], status: 4, says: "improvement: "),
      Case(head: 1100, options: ["--fail-on", "regression,improvement"], status: 4, says: "improvement: "),
      Case(head: 900, options: ["--gate", "decode/decode_latency_ms"], status: 0, says: "same: "),
      Case(head: 900, options: ["--noise-floor", "15"], status: 0, says: "same: "),
    ])
    func theVerdictIsTheExitCode(_ wanted: Case) throws {
      try Self.withRecords(head: wanted.head) { folder in
        let result = try Self.compare(folder, wanted.options)
        #expect(result.status == wanted.status, "\(result.text)\(result.errors)")
        #expect(result.errors.isEmpty, "\(result.errors)")
        #expect(result.lines.last?.contains(wanted.says) == true, "\(result.text)")
      }
    }

    @Test func aWrongPictureIsWorseThanARegression() throws {
      try Self.withRecords(head: 900, change: { $0.setWrongFrames(2) }) { folder in
        let result = try Self.compare(folder)
        #expect(result.status == 3, "\(result.errors)")
        #expect(result.flowing.contains("head was incorrect: wrong_frame 2"), "\(result.text)")
      }
    }

    @Test func whatIsMissingIsNoBaselineOrAFailure() throws {
      try Self.withRecords { folder in
        try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: URL(filePath: folder + "/empty/.hidden.json"))
        try Data("no record".utf8).write(to: URL(filePath: folder + "/empty/notes.txt"))
        for place in ["missing.json", "empty"] {
          try Program.run(["compare", place, "head.json"], in: folder)
            .expectRefusal(status: 5, saying: ["'\(place)'", "no record", "bench360 run"])
          try Program.run(["compare", "base.json", place], in: folder)
            .expectRefusal(status: 1, saying: ["'\(place)'", "no record"])
        }
      }
    }

    @Test func anotherClipIsNeverComparable() throws {
      try Self.withRecords(change: {
        $0.set("input", "sha256", String(repeating: "0", count: 64))
        $0.set("input", "name", "other.mp4")
      }) { folder in
        try Self.compare(folder).expectRefusal(status: 7, saying: ["no clip in common", "clip.mp4", "other.mp4"])
      }
    }

    @Test func differencesAreNamedAndCanBeAdmitted() throws {
      try Self.withRecords(change: {
        $0.set("settings", "threads", 63)
        $0.set("settings", "low_delay", true)
      }) { folder in
        try Self.compare(folder).expectRefusal(
          status: 7,
          saying: ["threads (", " against 63)", "low_delay (false against true)", "--vary threads,low_delay"])
        try Self.compare(folder, ["--vary", "threads"]).expectRefusal(status: 7, saying: ["--vary low_delay"])
        let admitted = try Self.compare(folder, ["--vary", "low_delay,threads"])
        #expect(admitted.status == 0, "\(admitted.errors)")
        #expect(admitted.text.contains("low_delay: false against true"))
      }
    }

    @Test func aSideOfTwoMachinesIsAlwaysRefused() throws {
      try Self.withRecords { folder in
        var other = try MadeRecord.rates(around: 1000)
        other.set("machine", "host_class", "Another machine")
        other.set("machine", "cpu", "Another machine")
        try other.write(folder + "/mixed/other.json")
        try FileManager.default.copyItem(atPath: folder + "/base.json", toPath: folder + "/mixed/base.json")
        for sides in [["mixed", "head.json"], ["head.json", "mixed"]] {
          for options in [[], ["--vary", "machine"]] {
            try Program.run(["compare"] + sides + options, in: folder)
              .expectRefusal(status: 7, saying: ["a side mixes records", "machine", "Another machine"])
          }
        }
      }
    }

    @Test func withoutACommonMetricNothingIsCompared() throws {
      try Self.withRecords { folder in
        try Self.compare(folder, ["--gate", "ttff_ms"]).expectRefusal(status: 7, saying: ["no metric", "--gate"])
      }
    }

    @Test func tooFewTrialsAreInconclusive() throws {
      try TestFolders.withTemporary { folder in
        try MadeRecord.rates([1000]).write(folder + "/base.json")
        try MadeRecord.rates([500]).write(folder + "/head.json")
        let result = try Self.compare(folder)
        #expect(result.status == 8, "\(result.errors)")
        #expect(
          result.flowing.contains("measure more trials (--trials N)") && result.flowing.contains("inconclusive: decode")
        )
      }
    }

    /// Sessions may lie any distance apart, unless it is known how far.
    @Test func timesOfDifferentSessionsAreInconclusiveWithoutANoiseFloor() throws {
      try Self.withRecords(head: 900, change: { $0.set("session", "another") }) { folder in
        let unknown = try Self.compare(folder)
        #expect(unknown.status == 8, "\(unknown.errors)")
        #expect(unknown.flowing.contains("different sessions") && unknown.flowing.contains("--noise-floor"))
        #expect(try Self.compare(folder, ["--noise-floor", "3"]).status == 2)
      }
    }

    @Test(arguments: [
      (["--gate", "nonsense"], "nonsense"), (["--gate", "decode_fps,"], "--gate"),
      (["--threshold", "nan"], "--threshold"),
      (["--threshold", "101"], "--threshold"), (["--threshold", "much"], "--threshold"),
      (["--fail-on", "same"], "--fail-on"),
      (["--fail-on", "regression,"], "--fail-on"), (["--format", "html"], "--format"), (["--vary", "clip"], "'clip'"),
      (["--vary", "threads,"], "''"), (["--noise-floor", "nan"], "--noise-floor"), (["--output", ""], "--output"),
      (["third.json"], "third.json"),
    ])
    func badArgumentsAreUsage(options: [String], word: String) throws {
      try TestFolders.withTemporary { folder in
        let result = try Self.compare(folder, options)
        #expect(result.status == 64 && result.output.isEmpty, "\(result.errors)")
        #expect(result.errors.contains(word), "\(result.errors)")
        #expect(try names(in: folder).isEmpty)
      }
    }

    /// What may lie where a record should, and the words that must tell what it is.
    struct Damage: CustomTestStringConvertible, Sendable {
      let testDescription: String
      let words: [String]
      let change: @Sendable (_ whole: Data) throws -> Data

      static func edit(_ name: String, _ words: [String], _ edit: @Sendable @escaping (inout MadeRecord) -> Void)
        -> Self
      {
        Damage(testDescription: name, words: words) { _ in
          var record = try MadeRecord.rates(around: 1000)
          edit(&record)
          return try JSONSerialization.data(withJSONObject: record.values)
        }
      }
    }

    static let damages = [
      Damage(testDescription: "empty", words: ["is empty"]) { _ in Data() },
      Damage(testDescription: "text", words: ["not JSON"]) { _ in Data("a letter".utf8) },
      Damage(testDescription: "truncated", words: ["not JSON"]) { $0.prefix($0.count * 2 / 3) },
      Damage(testDescription: "list", words: ["not a bench360 record"]) { _ in Data("[1, 2]".utf8) },
      Damage(testDescription: "other JSON", words: ["names no schema"]) { _ in Data("{\"a\": 1}".utf8) },
      Damage(testDescription: "deep", words: ["more than 64 deep"]) { _ in
        Data(String(repeating: "[", count: 100_000).utf8) + Data(String(repeating: "]", count: 100_000).utf8)
      },
      Damage(testDescription: "no text", words: ["not JSON"]) { _ in Data(repeating: 0xFF, count: 100_000) },
      .edit("another program's", ["'other/1' is not bench360's"]) { $0.set("schema", "other/1") },
      .edit("newer", ["'bench360/9' is newer", "update bench360"]) { $0.set("schema", "bench360/9") },
      .edit("without a clip", ["'input'"]) { $0.set("input", "none") },
      .edit("negative", ["'decode_fps' of trial 2", "negative"]) { $0.setRates([1000, -1, 1000]) },
    ]

    @Test(arguments: damages)
    func aDamagedRecordIsRefusedOrLeftOut(damage: Damage) throws {
      try Self.withRecords { folder in
        let whole = try Data(contentsOf: URL(filePath: folder + "/base.json"))
        for name in ["alone/damaged.json", "among/damaged.json"] {
          let url = URL(filePath: folder + "/" + name)
          try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
          try damage.change(whole).write(to: url)
        }
        for name in ["a.json", "deeper/z.json"] {
          let url = URL(filePath: folder + "/among/" + name)
          try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
          try whole.write(to: url)
        }
        let alone = "alone/damaged.json"
        try Program.run(["compare", alone, "head.json"], in: folder).expectRefusal(
          saying: ["'\(alone)'"] + damage.words)
        try Program.run(["compare", "base.json", alone], in: folder).expectRefusal(
          saying: ["'\(alone)'"] + damage.words)
        let among = ["compare", "among", "head.json"]
        let first = damage.words.prefix(1)
        try Program.run(among, in: folder).expectRefusal(saying: ["'among/damaged.json'", "--skip-damaged"] + first)
        let skipped = try Program.run(among + ["--skip-damaged"], in: folder)
        #expect(skipped.status == 0, "\(skipped.errors)")
        #expect(skipped.flowing.contains("2 records") && skipped.flowing.contains("it was left out"), "\(skipped.text)")
      }
    }

    /// A link into itself, a pipe without a writer: nothing waits, and nothing is read twice.
    @Test func aFolderWithALoopIsReadOnce() throws {
      try Self.withRecords { folder in
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder + "/loop/deeper", withIntermediateDirectories: true)
        try manager.copyItem(atPath: folder + "/base.json", toPath: folder + "/loop/deeper/base.json")
        try manager.createSymbolicLink(atPath: folder + "/loop/deeper/up", withDestinationPath: "..")
        let looped = try Program.run(["compare", "loop", "head.json"], in: folder)
        #expect(looped.status == 0 && looped.text.contains("loop · 1 record"), "\(looped.text)\(looped.errors)")

        #expect(mkfifo(folder + "/pipe.json", 0o600) == 0)
        try Program.run(["compare", "pipe.json", "head.json"], in: folder).expectRefusal(saying: ["'pipe.json'"])
      }
    }

    @Test func everyFormatIsPrinted() throws {
      try Self.withRecords(head: 900) { folder in
        func printed(_ format: String, _ environment: [String: String] = [:]) throws -> CommandOutput {
          let result = try Self.compare(folder, ["--format", format], environment: environment)
          #expect(result.status == 2 && result.errors.isEmpty, "\(result.errors)")
          #expect(result.output.last == UInt8(ascii: "\n"))
          return result
        }
        let comparison = try RecordText(printed("json").output).values
        #expect(comparison["schema"] as? String == "bench360-comparison/1")
        let results = try #require(comparison["results"] as? [[String: Any]])
        #expect(
          results.contains { $0["metric"] as? String == "decode_fps" && $0["verdict"] as? String == "regression" })

        let rows = try printed("csv").lines
        #expect(rows.count == results.count + 1 && rows[0].hasPrefix("input,scenario,variant,metric,"))
        let xml = try printed("junit").text
        #expect(
          xml.hasPrefix("<?xml") && xml.contains(#"failures="1""#) && xml.contains(#"<failure type="regression""#))
        for (format, holds) in [("github-bigger", true), ("github-smaller", false)] {
          let entries = try JSONSerialization.jsonObject(with: printed(format).output) as? [[String: Any]]
          let listed = try #require(entries).contains { ($0["name"] as? String)?.contains("decode_fps") == true }
          #expect(listed == holds, "\(format)")
        }

        let summary = folder + "/summary.md"
        try Data("before\n".utf8).write(to: URL(filePath: summary))
        let markdown = try printed("markdown", ["GITHUB_STEP_SUMMARY": summary]).text
        #expect(markdown.hasPrefix("### bench360: regression") && markdown.contains("decode · decode_fps |"))
        let table = try printed("table", ["GITHUB_STEP_SUMMARY": summary]).text
        #expect(table.contains("98 % interval") && !table.contains("\u{1B}"))
        #expect(try String(contentsOfFile: summary, encoding: .utf8) == "before\n" + markdown)
      }
    }

    /// The answer stands where its summary cannot be written.
    @Test(arguments: ["/dev/full", "/proc", "/proc/none/summary.md"])
    func aSummaryThatCannotBeWrittenIsTold(path: String) throws {
      try Self.withRecords(head: 900) { folder in
        let result = try Self.compare(folder, ["--format", "markdown"], environment: ["GITHUB_STEP_SUMMARY": path])
        #expect(result.status == 2 && result.text.hasPrefix("### bench360"))
        #expect(result.errorLines.count == 1)
        #expect(
          result.errors.hasPrefix("bench360: cannot append to $GITHUB_STEP_SUMMARY '\(path)'"), "\(result.errors)")
      }
    }

    @Test func theComparisonIsKeptAsJSON() throws {
      try Self.withRecords(head: 900) { folder in
        let kept = try Self.compare(folder, ["-o", "deeper/kept.json"])
        #expect(kept.status == 2 && kept.errors == "comparison: deeper/kept.json\n", "\(kept.errors)")
        #expect(kept.lines.last?.hasPrefix("regression: ") == true)
        let file = try RecordText(file: folder + "/deeper/kept.json").values
        #expect((file["results"] as? [Any])?.isEmpty == false && file["alpha"] as? Double == 0.01)
        #expect((file["base"] as? [String: Any])?["name"] as? String == "base.json")

        let printed = try Self.compare(folder, ["--output", "-", "--format", "markdown"])
        #expect(printed.status == 2 && printed.errors.isEmpty, "\(printed.errors)")
        #expect(try RecordText(printed.output).values["schema"] as? String == "bench360-comparison/1")
        #expect(try names(in: folder) == ["base.json", "deeper", "head.json"])

        // The answer is told all the same.
        for place in ["base.json/kept.json", "deeper"] {
          let failed = try Self.compare(folder, ["--output", place])
          #expect(failed.status == 1 && failed.lines.last?.hasPrefix("regression: ") == true)
          #expect(failed.errors.hasPrefix("bench360: cannot write comparison '\(place)': "), "\(failed.errors)")
        }
      }
    }

    @Test func noDriverIsNeeded() throws {
      try Self.withRecords { folder in
        let result = try Self.compare(
          folder, environment: ["VK_DRIVER_FILES": "/nowhere", "VK_ICD_FILENAMES": "/nowhere"])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      }
    }
  }
}
