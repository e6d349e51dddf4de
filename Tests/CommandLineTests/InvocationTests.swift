import Foundation
import Support
import Testing

extension CommandTests {
  /// Words that are no verb: clips, mistyped verbs, files that look like options.
  @Suite struct InvocationTests {
    @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
    func aClipAloneIsMeasuredWithoutADisplay() throws {
      try Program.withClip { folder, clip in
        try FileManager.default.copyItem(atPath: folder + "/" + clip, toPath: folder + "/film")
        for name in [clip, "film"] {
          let result = try Program.run(
            [name, "--scenario", "decode", "--trials", "1", "--duration", "0.1", "-o", "\(name).json"], in: folder,
            environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
          #expect(result.status == 0 && result.text.contains("decode_fps"), "\(result.errors)")
          let note = "bench360: there is no display: the clip is measured instead of shown, as 'run' does"
          #expect(result.errorLines.first == note[...], "\(result.errors)")
          #expect(try RecordText(file: "\(folder)/\(name).json").inputName == name)
        }
      }
    }

    /// Without options it is measured by the smallest suite, within 30 s; the sentence before the measuring says so.
    @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
    func aClipAloneIsMeasuredWithinATime() throws {
      try Program.withClip { folder, clip in
        let result = try Program.run(
          [clip], in: folder, environment: ["DISPLAY": "", "WAYLAND_DISPLAY": "", "HOME": folder])
        #expect(result.status == 0 && result.text.contains("pipeline_fps"), "\(result.errors)")
        let first = try #require(result.errorLines.first)
        #expect(
          first.contains("for at most 30 s; '") && first.hasSuffix(" run \(clip)' measures longer and more exactly"))
        let records = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
        let record = try RecordText(file: folder + "/" + #require(records.first))
        #expect(records.count == 1 && record.isComplete == true)
        #expect((record.values["settings"] as? [String: Any])?["suite"] as? String == "smoke")
      }
    }

    /// Scenarios at full speed end at their deadline, with a few frames; the record is complete and says so.
    @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
    func trialsEndAtTheTimeLimit() throws {
      try Program.withClip { folder, clip in
        let result = try Program.run(
          ["run", clip, "--scenario", "decode,render,pipeline", "--trials", "1", "--within", "0.001", "-o", "r.json"],
          in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/r.json")
        #expect(record.isComplete == true && record.warningCodes.filter { $0 == "time_limit" }.count == 1)
        let drawn = try #require(record.counter("presented"))
        #expect((10..<100).contains(drawn), "\(drawn)")
      }
    }

    /// A display that cannot be opened: the viewer says so.
    @Test func aClipAloneIsViewedOnADisplay() throws {
      try Program.withClip { folder, clip in
        let result = try Program.run([clip, "--loop"], in: folder, environment: ["DISPLAY": ":12345"])
        result.expectRefusal(saying: ["cannot open a window"])
        let missing = try Program.run(["missing.mp4"], in: folder, environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
        missing.expectRefusal(saying: ["'missing.mp4': no such file"])
      }
    }

    @Test(arguments: [
      (["rnu"], "did you mean 'run'?"), (["runn", "clip.mp4"], "did you mean 'run'?"), (["vew"], "'view'"),
      (["compre", "a", "b"], "'compare'"), (["help", "reprot"], "'report'"), (["help", "nope"], "lists the verbs"),
      (["trail"], "there is no verb or file of that name"), (["x"], "lists the verbs"), ([""], "lists the verbs"),
    ])
    func aMistypedVerbIsAUsageErrorWithASuggestion(words: [String], saying: String) throws {
      // A folder without a file that is named like one of the words.
      let result = try TestFolders.withTemporary { try Program.run(words, in: $0) }
      result.expectRefusal(status: 64, saying: [saying])
      #expect(!result.errors.contains("did you mean 'trial'"), "it is no verb for people")
    }

    @Test(arguments: [
      ("--thread", "--threads"), ("--hepl", "--help"), ("--vresion", "--version"), ("--xyz", nil), ("--a", nil),
    ])
    func aMistypedOptionIsAUsageErrorWithASuggestion(option: String, meant: String?) throws {
      let result = try Program.run(["run", option, "2"], in: NSTemporaryDirectory())
      let question = meant.map { ". Did you mean '\($0)'?" } ?? ""
      #expect(
        result.status == 64 && result.errors.contains("Unknown option '\(option)'\(question)\n"), "\(result.errors)")
    }

    @Test func aFileThatLooksLikeAnOptionIsAUsageErrorThatTellsHowToNameIt() throws {
      try TestFolders.withTemporary { folder in
        for name in ["-dash.mp4", "-clip.mp4"] {
          try Data("no clip".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
          let result = try Program.run(["probe", name], in: folder)
          #expect(result.status == 64 && result.output.isEmpty, "\(result.errors)")
          #expect(result.errors.contains("'./\(name)'"), "\(result.errors)")
          try Program.run(["probe", "./" + name], in: folder).expectRefusal(saying: ["not a video"])
        }
        for words in [["-h"], ["probe", "-h"], ["help"], ["help", "run"], ["probe", "--help"]] {
          #expect(try Program.run(words, in: folder).status == 0)
        }
      }
    }

    @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
    func abTakesAClipAndTheOptionsOfItsSides() throws {
      try Program.withClip { folder, clip in
        try FileManager.default.moveItem(atPath: folder + "/" + clip, toPath: folder + "/it's a clip.mp4")
        let short = "--scenario decode --duration 0.1"
        let result = try Program.run(
          ["ab", "it's a clip.mp4", "--base", "\(short) --threads 1", "--head", "\(short) --threads 2"]
            + ["--runs", "2", "--keep", "kept"], in: folder)
        #expect(result.status == 8 && result.text.contains("threads: 1"), "\(result.text)\(result.errors)")
        let record = try RecordText(file: folder + "/kept/head/001.json")
        let settings = record.values["settings"] as? [String: Any]
        #expect(record.inputName == "it's a clip.mp4" && record.scenarioNames == ["decode"])
        #expect(settings?["threads"] as? Int == 2 && settings?["suite"] as? String == "smoke")
      }
    }

    @Test(arguments: [
      (["ab", "clip.mp4", "--base", "threads", "--head", "--threads 2"], "--base must be options"),
      (["ab", "-", "--base", "", "--head", "--threads 2"], "many times"),
      (["ab", "--base", "", "--head", "x"], "--base is empty"),
      (["ab", "clip.mp4", "--base", "--threads 1"], "--head"),
      (
        ["ab", "clip.mp4", "--base", "--threads 1", "--head", "--thread 2"],
        "cannot use --head '--thread 2': Unknown option '--thread'. Did you mean '--threads'?"
      ),
    ])
    func sidesThatCannotBeAreUsageErrors(words: [String], saying: String) throws {
      let result = try Program.run(words, in: NSTemporaryDirectory())
      #expect(result.status == 64 && result.errors.contains(saying), "\(result.errors)")
    }
  }
}
