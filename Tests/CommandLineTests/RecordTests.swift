import Foundation
import Support
import Testing

extension CommandTests {
  @Suite struct RecordTests {
    @Test(.enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
    func aRunOfAllScenariosPrintsATableAndKeepsAValidRecord() throws {
      try Program.withClip { folder, clip in
        let arguments = Program.shortRun(clip, scenario: "decode,render,pipeline,startup/warm")
        let result = try Program.run(
          arguments + ["-o", "record.json", "--label", "ours", "--format", "table"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        // A run that lasts for half a minute, as on a busy machine, has lines of progress besides.
        let progress = result.errorLines.dropLast().filter { !$0.contains(#/ · \d+ % · /#) }.map {
          $0.prefix { $0 != ":" }
        }
        #expect(progress == ["decode", "render", "pipeline", "startup/warm"], "\(result.errors)")
        #expect(result.errorLines.last == "record: record.json", "standard error is for progress and warnings")
        for word in ["decode_fps", "render_gpu_ms", "pipeline_fps", "ttff_ms"] { #expect(result.text.contains(word)) }
        let answer = result.lines.suffix(3).joined(separator: " ")
        // What it says depends on the machine.
        #expect(answer.contains(#/plays? in real time/#), "\(answer)")

        let record = try RecordText(file: folder + "/record.json")
        #expect(record.isComplete == true && record.inputName == clip)
        #expect(record.values["label"] as? String == "ours")
        #expect(record.scenarioNames == ["decode", "render", "pipeline", "startup"])
        #expect(record.counter("wrong_frame") == 0)
        // Of decode and pipeline: nothing is decoded while the others measure.
        let decoded = record.samples("decode_latency_ms").count
        #expect(decoded >= 200 && record.counter("decoded_frames") == decoded, "\(decoded)")
        let memory = record.samples("gpu_memory_mib")
        #expect(
          memory.count == 5 && memory.allSatisfy { $0 > 0 && $0 < 2048 },
          "render, pipeline, and startup three times: \(memory)")
        // The first picture of startup is copied, but that is not how frames get to the device.
        let settings = try #require(record.values["settings"] as? [String: Any])
        let reasons = try #require(settings["reasons"] as? [String: String])
        #expect(settings["upload"] as? String != "copy" && reasons["upload"]?.contains("cropping") == false)
        #expect(reasons["startup_first_picture"]?.contains("copied") == true)
        #expect(try PythonJudge.schemaRefusals([folder + "/record.json"]).isEmpty)
        #expect(try names(in: folder) == [clip, "record.json"], "nothing but the record is left")
      }
    }

    /// Which shader ran, why, and how far its picture lies from the reference, beside how fast it is.
    @Test(arguments: ["fragment", "compute", "auto"])
    func shadingIsRecordedWithItsError(_ shading: String) throws {
      try Program.withClip { folder, clip in
        let arguments = Program.shortRun(clip, scenario: "render") + ["--shading", shading, "--validate"]
        let result = try Program.run(arguments + ["-o", "record.json"], in: folder)
        #expect(result.status == 0 && !result.text.contains("validation"), "\(result.errors)")
        for word in ["render_gpu_ms", "ws_psnr_db", "max_error"] { #expect(result.text.contains(word)) }
        let record = try RecordText(file: folder + "/record.json")
        let settings = try #require(record.values["settings"] as? [String: Any])
        let ran = try #require(settings["shading"] as? String)
        let reason = (settings["reasons"] as? [String: String])?["shading"]
        #expect((reason != nil) == (shading == "auto") && (reason != nil || ran == shading), "\(ran), \(reason ?? "-")")
        let (quality, worst) = (record.samples("ws_psnr_db"), record.samples("max_error"))
        #expect(quality.count == 2 && worst.count == 2)
        // Rounding alone gives 58.9 dB and half a code value. Chroma at half rate is far from that in a view so small.
        let isExact = ran == "fragment"
        #expect(quality.allSatisfy { isExact ? $0 > 57 : $0 > 20 && $0 < 57 }, "\(quality)")
        #expect(worst.allSatisfy { isExact ? $0 < 3 : $0 > 3 }, "\(worst)")
      }
    }

    @Test func everyFormatIsPrinted() throws {
      try Program.withClip { folder, clip in
        func printed(_ format: String, _ environment: [String: String] = [:]) throws -> CommandOutput {
          let result = try Program.run(
            Program.shortRun(clip, scenario: format == "markdown" || format == "json" ? "decode" : "startup/warm")
              + ["-o", "record.json", "--format", format], in: folder, environment: environment)
          #expect(result.status == 0, "\(result.errors)")
          return result
        }
        let rows = try printed("csv").lines
        let columns = try #require(rows.first).split(separator: ",", omittingEmptySubsequences: false).count
        #expect(rows.count > 3 && rows.first?.hasPrefix("created,label,version") == true)
        #expect(rows.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count >= columns })
        #expect(rows.contains { $0.contains(",startup,warm,ttff_ms,ms,3,") })

        let json = try printed("json").output
        #expect(json == (try Data(contentsOf: URL(filePath: folder + "/record.json"))))

        let summary = folder + "/summary.md"
        try Data("before\n".utf8).write(to: URL(filePath: summary))
        let markdown = try printed("markdown", ["GITHUB_STEP_SUMMARY": summary]).text
        #expect(markdown.hasPrefix("### bench360") && markdown.contains("| decode_fps"))
        #expect(try String(contentsOfFile: summary, encoding: .utf8) == "before\n" + markdown)

        #expect(try printed("table", ["GITHUB_STEP_SUMMARY": summary]).text.contains("phases"))
        #expect(try String(contentsOfFile: summary, encoding: .utf8) == "before\n" + markdown)
      }
    }

    @Test func aHyphenPrintsTheRecordAndNothingElse() throws {
      try Program.withClip { folder, clip in
        let result = try Program.run(Program.shortRun(clip, scenario: "decode") + ["--output", "-"], in: folder)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(try RecordText(result.output).isComplete == true)
        #expect(try names(in: folder) == [clip])
      }
    }

    @Test func withoutOutputTheRecordGoesToResultsElseToTheDataFolder() throws {
      try Program.withClip { folder, clip in
        func records(below place: String) -> [String] {
          (FileManager.default.enumerator(atPath: folder + "/" + place)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix("-clip.json") }
        }
        #expect(try Program.run(Program.shortRun(clip, scenario: "decode"), in: folder).status == 0)
        #expect(records(below: "data/bench360/results").count == 1)
        try FileManager.default.createDirectory(atPath: folder + "/results", withIntermediateDirectories: true)
        #expect(try Program.run(Program.shortRun(clip, scenario: "decode"), in: folder).status == 0)
        #expect(records(below: "results").count == 1)
      }
    }

    @Test func severalInputsGiveARecordEachAndOneFailureSpoilsOnlyItself() throws {
      try Program.withClip { folder, clip in
        try FileManager.default.copyItem(atPath: folder + "/" + clip, toPath: folder + "/second.mp4")
        let arguments =
          Program.shortRun(clip, scenario: "decode") + ["missing.mp4", "second.mp4", "--output", "records/"]
        let result = try Program.run(arguments, in: folder)
        #expect(result.status == 1)
        #expect(result.errorLines.filter { $0.hasPrefix("bench360: ") }.count == 1)
        #expect(result.errors.contains("'missing.mp4'"))
        let written = try names(in: folder + "/records")
        #expect(written.count == 2 && written[0].hasSuffix("-clip.json") && written[1].hasSuffix("-second.json"))
      }
    }

    @Test func inputsOfOneNameDoNotOverwriteEachOther() throws {
      try Program.withClip { folder, clip in
        for name in ["a", "b", "c", "d"] {
          try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
          try FileManager.default.copyItem(atPath: folder + "/" + clip, toPath: "\(folder)/\(name)/\(clip)")
        }
        var arguments = Program.shortRun("a/\(clip)", scenario: "decode") + ["--output", "records/"]
        arguments += ["b/\(clip)", "c/\(clip)", "d/\(clip)"]
        #expect(try Program.run(arguments, in: folder).status == 0)
        let written = try names(in: folder + "/records")
        // A record is named by its second: the later of two in one second gets another name.
        #expect(written.count == 4, "\(written)")
      }
    }

    @Test func aRecordThatCannotBeWrittenIsAFailureThatLeavesNothing() throws {
      try Program.withClip { folder, clip in
        try Data("kept".utf8).write(to: URL(filePath: folder + "/file"))
        for output in ["file/record.json", "file/deeper/record.json"] {
          try Program.run(Program.shortRun(clip, scenario: "decode") + ["-o", output], in: folder)
            .expectRefusal(saying: ["cannot write record '\(output)'", "not a folder", "--output"])
        }
        try Program.run(["snapshot", clip, "-o", "file/x.png", "--size", "64x64"], in: folder)
          .expectRefusal(saying: ["'file/x.png'"])
        try Program.run(["generate", "-o", "file/x.mp4", "--size", "640x320", "--duration", "1"], in: folder)
          .expectRefusal(saying: ["'file/x.mp4'"])
        #expect(try names(in: folder) == [clip, "file"])
        #expect(try String(contentsOfFile: folder + "/file", encoding: .utf8) == "kept")
      }
    }
  }

  /// Synthetic clips tell the truth about their frames; one that lies must be caught by every scenario.
  @Suite struct WrongFrameTests {
    @Test(arguments: ["decode", "render", "pipeline", "play", "startup/warm", "scrub/random/exact"])
    func aReversedClipIsIncorrect(scenario: String) throws {
      try Program.withClip { folder, clip in
        // Re-encoding backwards keeps the comment, which now claims the wrong numbers.
        try Program.ffmpeg(
          ["-i", clip, "-vf", "reverse", "-map_metadata", "0", "-c:v", "mpeg4", "-q:v", "2", "backwards.mp4"],
          in: folder)
        let result = try Program.run(
          Program.shortRun("backwards.mp4", scenario: scenario) + ["-o", "record.json"], in: folder)
        #expect(result.status == 3, "\(result.errors)")
        #expect(result.text.contains("the picture was wrong in"))
        let record = try RecordText(file: folder + "/record.json")
        #expect((record.counter("wrong_frame") ?? 0) > 0)
        #expect(record.warningCodes.contains("wrong_frame"))
      }
    }

    @Test func aClipWithoutNumbersIsNotJudged() throws {
      try TestFolders.withTemporary { folder in
        try Program.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=320x160:d=1", "-c:v", "mpeg4", "other.mp4"], in: folder)
        let result = try Program.run(Program.shortRun("other.mp4", scenario: "decode") + ["-o", "-"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try RecordText(result.output).counter("wrong_frame") == nil)
      }
    }
  }
}
