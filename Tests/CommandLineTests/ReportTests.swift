import Foundation
import Support
import Testing

extension CommandTests {
  /// `report` and `history`: what they write, what they refuse, and how they end.
  @Suite struct ReportTests {
    /// Records of twelve commits in `folder/records`, slower from the seventh on.
    private static func withRecords(_ body: (_ folder: String) throws -> Void) throws {
      try TestFolders.withTemporary { folder in
        for index in 0..<14 {
          var record = try MadeRecord.rates(around: (index < 7 ? 1000 : 900) * (1 + Double(index % 3) / 1000))
          record.set("commit", String(format: "%02d", index) + String(repeating: "ab", count: 19))
          record.set("created", String(format: "2026-03-%02dT03:00:00Z", index + 1))
          record.set("session", "session \(index)")
          record.set("dirty", false)
          try record.write(folder + String(format: "/records/%02d.json", index))
        }
        try body(folder)
      }
    }

    @Test func thePageIsWrittenWholeAndNamed() throws {
      try Self.withRecords { folder in
        let result = try Program.run(
          ["report", "records", "-o", "deeper/page.html", "--title", "A <title>"], in: folder)
        #expect(result.status == 0 && result.output.isEmpty, "\(result.errors)")
        #expect(result.errors == "report: deeper/page.html\n")
        let page = try String(contentsOfFile: folder + "/deeper/page.html", encoding: .utf8)
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
        #expect(page.contains("<title>A &lt;title&gt;</title>") && page.contains("14 records"))
        #expect(page.contains(">History<") && page.contains("worse, first seen 2026-03-08"))
        #expect(try names(in: folder + "/deeper") == ["page.html"])

        let printed = try Program.run(["report", "records", "-o", "-", "--title", "A <title>"], in: folder)
        #expect(printed.status == 0 && printed.text == page && printed.errors.isEmpty)

        let unnamed = try Program.run(["report", "records/00.json"], in: folder)
        #expect(unnamed.status == 0 && unnamed.errors == "report: bench360-report.html\n", "\(unnamed.errors)")
      }
    }

    /// A file that is named twice, by itself and by its folder, is one record.
    @Test func noRecordCountsTwice() throws {
      try Self.withRecords { folder in
        let result = try Program.run(
          ["report", "records/00.json", "records", "./records/00.json", "-o", "-"], in: folder)
        #expect(result.status == 0 && result.text.contains("14 records"))
      }
    }

    @Test func baseIsCompared() throws {
      try Self.withRecords { folder in
        let head = "records/13.json"
        let command = [
          "report", head, "-o", "page.html", "--noise-floor", "1", "--base", "records/00.json", "records/01.json",
        ]
        let result = try Program.run(command, in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let page = try String(contentsOfFile: folder + "/page.html", encoding: .utf8)
        #expect(page.contains("Regression: decode · decode_fps") && page.contains(">Comparison<"))
        #expect(page.contains("2 records"))
      }
    }

    /// The clip is drawn where it is still at hand, whole and unchanged. A busy machine may need longer than the time limit.
    @Test func thePageShowsTheClipThatIsAtHand() throws {
      try Program.withClip { folder, clip in
        let run = try Program.run(Program.shortRun(clip, scenario: "decode") + ["-o", "records/x.json"], in: folder)
        try #require(run.status == 0, "\(run.errors)")
        func page(_ options: [String] = []) throws -> String {
          let result = try Program.run(["report", "records/x.json", "-o", "-"] + options, in: folder)
          #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
          return result.text
        }
        let shown = try page()
        #expect(
          shown.contains("<img src=\"data:image/jpeg;base64,") && shown.contains("The measured clip at ")
            || shown.contains("drawing it took more than 5 s"))
        let plain = try page(["--no-picture"])
        #expect(!plain.contains("<img") && !plain.contains("picture of the clip"))
        let path = folder + "/" + URL(filePath: clip).lastPathComponent
        let bytes = try Data(contentsOf: URL(filePath: path))
        try (bytes + [0]).write(to: URL(filePath: path))
        #expect(try page().contains("There is no picture of the clip: the file of its name has changed since the run."))
        try FileManager.default.removeItem(atPath: path)
        #expect(try page().contains("There is no picture of the clip: its file is not at hand."))
        // From the record's own folder, after it was moved there.
        try bytes.write(to: URL(filePath: "\(folder)/records/\(URL(filePath: clip).lastPathComponent)"))
        #expect(try !page().contains("not at hand"))
      }
    }

    @Test func aClipThatCannotBeDrawnIsNoFailureOfTheReport() throws {
      try Program.withClip { folder, clip in
        let run = try Program.run(Program.shortRun(clip, scenario: "decode") + ["-o", "x.json"], in: folder)
        try #require(run.status == 0, "\(run.errors)")
        let result = try Program.run(
          ["report", "x.json", "-o", "-"], in: folder,
          environment: ["VK_DRIVER_FILES": "/nowhere.json", "VK_ICD_FILENAMES": "/nowhere.json"])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.text.contains("There is no picture of the clip: "))
      }
    }

    @Test func whatWasMeasuredIsNotOverwritten() throws {
      try Self.withRecords { folder in
        let before = try Data(contentsOf: URL(filePath: folder + "/records/00.json"))
        try FileManager.default.createSymbolicLink(
          atPath: folder + "/link.html", withDestinationPath: "records/00.json")
        for output in ["records/00.json", "./records/../records/00.json", "link.html"] {
          for command in [
            ["report", "records"], ["report", "records/13.json", "--base", "records/00.json", "--noise-floor", "1"],
          ] {
            try Program.run(command + ["-o", output], in: folder).expectRefusal(
              saying: ["'\(output)'", "one of the records"])
          }
        }
        #expect(try Data(contentsOf: URL(filePath: folder + "/records/00.json")) == before)
      }
    }

    @Test func whatIsMissingIsTold() throws {
      try Self.withRecords { folder in
        try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
        for verb in [["report"], ["history", "--metric", "decode_fps"]] {
          try Program.run(verb + ["empty"], in: folder).expectRefusal(saying: ["'empty'", "there is no record"])
          try Program.run(verb + ["nowhere", "empty"], in: folder).expectRefusal(saying: ["'nowhere'", "'empty'"])
        }
        try Program.run(["report", "records", "--base", "empty"], in: folder)
          .expectRefusal(status: 5, saying: ["cannot compare with 'empty'"])
        try Program.run(["report", "records", "-o", "empty"], in: folder).expectRefusal(
          saying: ["cannot write report 'empty'", "folder"])
        var other = try MadeRecord.rates(around: 1000)
        other.set("input", "sha256", "0b")
        try other.write(folder + "/other.json")
        try Program.run(["report", "records", "--base", "other.json"], in: folder)
          .expectRefusal(status: 7, saying: ["no clip in common"])
        try Program.run(["history", "records", "--metric", "ttff_ms"], in: folder).expectRefusal(
          saying: ["'ttff_ms'", "no record has it", "decode_fps"])
        #expect(try names(in: folder) == ["empty", "other.json", "records"])
      }
    }

    @Test func aDamagedRecordIsNamed() throws {
      try Self.withRecords { folder in
        try Data("{".utf8).write(to: URL(filePath: folder + "/records/bad.json"))
        for verb in [["report"], ["history", "--metric", "decode_fps"]] {
          try Program.run(verb + ["records"], in: folder).expectRefusal(
            saying: ["'records/bad.json'", "--skip-damaged"])
        }
        let page = try Program.run(["report", "records", "--skip-damaged", "-o", "-"], in: folder)
        #expect(
          page.status == 0 && page.text.contains("records/bad.json&#39;") && page.text.contains("it was left out"))
        let history = try Program.run(["history", "records", "--skip-damaged", "--metric", "decode_fps"], in: folder)
        #expect(history.status == 0 && history.errors.contains("'records/bad.json'"))
      }
    }

    @Test func theHistoryIsPrinted() throws {
      try Self.withRecords { folder in
        func printed(_ options: [String], _ environment: [String: String] = [:]) throws -> CommandOutput {
          let result = try Program.run(
            ["history", "records", "--metric", "decode_fps"] + options, in: folder, environment: environment)
          #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
          return result
        }
        let table = try printed([], ["LC_ALL": "C.UTF-8"])
        #expect(table.flowing.contains("commit 07ababababab: decode_fps −10.0 %"), "\(table.text)")
        #expect(table.flowing.contains("worse, first seen 2026-03-08"), "\(table.text)")
        #expect(table.text.contains("█") && !table.text.contains("\u{1B}"))
        #expect(try !printed([], ["LC_ALL": "C"]).text.contains("█"))
        #expect(try printed(["--format", "csv"]).lines.count == 15)
        let json = try RecordText(printed(["--format", "json", "--scenario", "decode"]).output).values
        #expect(json["schema"] as? String == "bench360-history/1" && (json["series"] as? [Any])?.count == 1)
        let summary = folder + "/summary.md"
        let markdown = try printed(["--format", "markdown"], ["GITHUB_STEP_SUMMARY": summary]).text
        #expect(try String(contentsOfFile: summary, encoding: .utf8) == markdown)
      }
    }
  }
}
