import Foundation
import Support
import Testing

extension CommandTests {
  /// `run --matrix` and `merge`, as jobs on many machines call them.
  @Suite struct MatrixTests {
    private static let matrix = """
      {"schema": "bench360-matrix/1", "inputs": ["clips/one.mp4", "clips/two.mp4"],
       "defaults": {"scenario": "decode", "trials": 1, "duration": 0.1, "low-delay": true}, "axes": {"threads": [1, 2]}}
      """

    /// `matrix.json` and its two clips in `folder`.
    fileprivate static func withMatrix(_ body: (_ folder: String) throws -> Void) throws {
      try TestFolders.withTemporary { folder in
        try FileManager.default.createDirectory(atPath: folder + "/clips", withIntermediateDirectories: true)
        for (name, size) in [("one", "160x80"), ("two", "320x160")] {
          try Program.generate("clips/\(name).mp4", in: folder, ["--size", size, "--duration", "1"])
        }
        try Data(matrix.utf8).write(to: URL(filePath: folder + "/matrix.json"))
        try body(folder)
      }
    }

    private static func run(_ options: [String], in folder: String) throws -> CommandOutput {
      try Program.run(["run", "--matrix", "matrix.json"] + options, in: folder)
    }

    fileprivate static func records(_ place: String) throws -> [String: RecordText] {
      Dictionary(uniqueKeysWithValues: try names(in: place).map { ($0, try RecordText(file: place + "/" + $0)) })
    }

    @Test func shardsMergedAreTheWholeMatrix() throws {
      try Self.withMatrix { folder in
        let whole = try Self.run(["-o", "whole"], in: folder)
        #expect(whole.status == 0 && whole.errors.contains("cell 4 of 4: two_threads-2-"), "\(whole.errors)")
        for shard in ["0", "1"] {
          let result = try Self.run(["--shard", "\(shard)/2", "-o", "shards/\(shard)"], in: folder)
          #expect(result.status == 0 && result.errors.contains("cell 2 of 2 of shard \(shard)/2: "), "\(result.errors)")
        }
        let merged = try Program.run(
          ["merge", "shards", "-o", "merged", "--matrix", "matrix.json", "--shards", "2"], in: folder)
        #expect(merged.status == 0 && merged.errors.isEmpty, "\(merged.errors)")
        #expect(merged.text == "4 records merged into 4 records in merged\n")

        let (all, parts) = (try Self.records(folder + "/whole"), try Self.records(folder + "/merged"))
        #expect(all.keys.sorted() == parts.keys.sorted() && all.count == 4)
        for (name, record) in all {
          let part = try #require(parts[name])
          for key in ["cell", "settings", "input", "machine", "label", "libraries"] {
            #expect(record.values[key] as? NSDictionary == part.values[key] as? NSDictionary, "\(name): \(key)")
          }
          #expect(part.isComplete == true && part.counter("wrong_frame") == 0)
          #expect(part.scenarioNames == ["decode"] && part.trials.count == 1)
          #expect((part.values["settings"] as? [String: Any])?["low_delay"] as? Bool == true)
        }
        #expect(Set(all.values.compactMap(\.inputName)) == ["one.mp4", "two.mp4"])
        guard PythonJudge.hasJSONSchema || PythonJudge.isRequired else { return }
        #expect(try PythonJudge.schemaRefusals(parts.keys.map { folder + "/merged/" + $0 }).isEmpty)

        // The same cells measured again elsewhere: joined, and all of it compared with the matrix that was measured whole.
        let twice = try Program.run(["merge", "shards", "whole", "-o", "twice"], in: folder)
        #expect(
          twice.text == "8 records merged into 4 records in twice, 4 of them joined from several\n", "\(twice.errors)")
        #expect(try Self.records(folder + "/twice").values.allSatisfy { $0.trials.count == 2 })
      }
    }

    @Test func whatIsThereIsNotMeasuredAgainUnlessItIsAsked() throws {
      try Self.withMatrix { folder in
        let first = try Self.run(["--shard", "0/2", "-o", "out"], in: folder)
        #expect(first.status == 0, "\(first.errors)")
        let written = try names(in: folder + "/out")
        func contents() throws -> [Data] {
          try written.map { try Data(contentsOf: URL(filePath: folder + "/out/" + $0)) }
        }
        let before = try contents()
        let second = try Self.run(["--shard", "0/2", "-o", "out"], in: folder)
        #expect(
          second.status == 0 && second.output.isEmpty && second.errors.contains("2 cells of shard 0/2 are in out"))
        #expect(second.errors.ranges(of: ": is there already").count == 2, "\(second.errors)")
        #expect(try contents() == before && names(in: folder + "/out") == written)

        // One is cut short, one damaged, and a clip is changed: each is told and made again.
        let path = folder + "/out/" + written[0]
        let cut = String(decoding: before[0], as: UTF8.self)
          .replacing("\"complete\" : true,\n  \"created\"", with: "\"complete\" : false,\n  \"created\"")
        #expect(Data(cut.utf8) != before[0])
        try Data(cut.utf8).write(to: URL(filePath: path))
        try Data("{".utf8).write(to: URL(filePath: folder + "/out/" + written[1]))
        let third = try Self.run(["--shard", "0/2", "-o", "out"], in: folder)
        #expect(third.errors.contains("measured again, for its record is incomplete"), "\(third.errors)")
        #expect(third.errors.contains("measured again, for its record is damaged"), "\(third.errors)")
        #expect(try Self.records(folder + "/out").values.allSatisfy { $0.isComplete == true })
        try Program.generate("clips/one.mp4", in: folder, ["--size", "160x80", "--duration", "1", "--seed", "7"])
        let fourth = try Self.run(["--shard", "0/2", "-o", "out"], in: folder)
        #expect(fourth.errors.contains("measured again, for its input has changed"), "\(fourth.errors)")
        #expect(fourth.errors.ranges(of: ": is there already").count == 1)
        let again = try Self.run(["--shard", "0/2", "-o", "out", "--again"], in: folder)
        #expect(again.status == 0 && !again.errors.contains("there already"), "\(again.errors)")
        #expect(try names(in: folder + "/out") == written)
      }
    }

    @Test func aCellThatFailsIsNamedAndTheOthersGoOn() throws {
      try Self.withMatrix { folder in
        try FileManager.default.removeItem(atPath: folder + "/clips/one.mp4")
        let result = try Self.run(["-o", "out"], in: folder)
        #expect(result.status == 1, "\(result.errors)")
        #expect(result.errors.ranges(of: "bench360: cell ").count == 2 && result.errors.contains("one.mp4'"))
        #expect(result.errors.contains("bench360: 2 of 4 cells failed: one_threads-1-"), "\(result.errors)")
        #expect(try Self.records(folder + "/out").values.map(\.inputName) == ["two.mp4", "two.mp4"])
        let merged = try Program.run(
          ["merge", "out", "-o", "merged", "--matrix", "matrix.json", "--shards", "4"], in: folder)
        #expect(merged.status == 1 && merged.text == "2 records merged into 2 records in merged\n")
        #expect(
          merged.errors.hasPrefix("bench360: shards 0 and 1 of 4 are missing: 2 cells: one_threads-1-"),
          "\(merged.errors)")
        #expect(try names(in: folder + "/merged").count == 2, "what there is, is there")
      }
    }

    /// A trial of a cell that is measured again dies: it is told, and what is left lies beside the whole record.
    @Test func anIncompleteRecordReplacesNoWholeOne() throws {
      try Self.withMatrix { folder in
        let single = """
          {"schema": "bench360-matrix/1", "inputs": ["clips/two.mp4"],
           "defaults": {"scenario": "play", "trials": 2, "duration": 2, "size": "160x90"}}
          """
        try Data(single.utf8).write(to: URL(filePath: folder + "/matrix.json"))
        let first = try Self.run(["-o", "out"], in: folder)
        let name = try #require(try names(in: folder + "/out").first, "\(first.errors)")
        let whole = try Data(contentsOf: URL(filePath: folder + "/out/" + name))
        let running = try RunningProgram(["run", "--matrix", "matrix.json", "-o", "out", "--again"], in: folder)
        kill(try running.trial(following: "first of 2 trials"), SIGKILL)
        let result = try running.wait()
        #expect(result.status == 1 && result.errors.contains("1 of 1 cells failed: two"), "\(result.errors)")
        let beside = name.replacing(".json", with: "-2.json")
        #expect(try names(in: folder + "/out") == [beside, name])
        #expect(try Data(contentsOf: URL(filePath: folder + "/out/" + name)) == whole)
        let record = try RecordText(file: folder + "/out/" + beside)
        #expect(record.isComplete == false && record.trials.count == 1 && record.warningCodes.contains("ended_early"))
      }
    }

    /// A clip whose frames come in the wrong order: the whole matrix is measured, and the status tells of it.
    @Test func wrongPicturesOfACellAreToldByTheStatus() throws {
      try Self.withMatrix { folder in
        try Program.ffmpeg(
          ["-i", "clips/one.mp4", "-vf", "reverse", "-map_metadata", "0", "-c:v", "libx264", "clips/wrong.mp4"],
          in: folder)
        let two = Self.matrix.replacing("clips/one.mp4", with: "clips/wrong.mp4")
          .replacing(#""threads": [1, 2]"#, with: #""threads": [1]"#)
        try Data(two.utf8).write(to: URL(filePath: folder + "/matrix.json"))
        let result = try Self.run(["-o", "out"], in: folder)
        #expect(result.status == 3 && result.errors.contains("2 cells are in out"), "\(result.errors)")
        let records = try Self.records(folder + "/out").values
        #expect(records.count == 2 && records.allSatisfy { $0.isComplete == true })
        for record in records { #expect((record.counter("wrong_frame") == 0) == (record.inputName == "two.mp4")) }
      }
    }

    @Test func listPrintsEveryCellWithItsShardAndMeasuresNothing() throws {
      try Self.withMatrix { folder in
        let result = try Self.run(["--list", "--shard", "1/3"], in: folder)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let rows = result.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        #expect(rows.map { $0[0] } == ["cell", "0", "1", "2", "3"] && rows.allSatisfy { $0.count == 4 })
        #expect(rows.dropFirst().map { $0[1] } == ["0/3", "1/3", "2/3", "1/3"])
        #expect(rows[1][3] == "clips/one.mp4 --duration=0.1 --low-delay --scenario=decode --threads=1 --trials=1")
        #expect(try names(in: folder) == ["clips", "matrix.json"])
      }
    }

    @Test(arguments: [
      (#""threads": [1, "many"]"#, "'many' is invalid for '--threads"), (#""upload": ["telepathy"]"#, "'direct'"),
      (#""scenario": ["decode", "nonsense"]"#, "nonsense"), (#""trials": [0]"#, "between 1 and 10000"),
    ])
    func whatRunDoesNotTakeIsToldBeforeAnythingIsMeasured(axis: String, words: String) throws {
      try Self.withMatrix { folder in
        let bad = Self.matrix.replacing(#""threads": [1, 2]"#, with: axis)
        try Data(bad.utf8).write(to: URL(filePath: folder + "/matrix.json"))
        for options in [["-o", "out"], ["--list"]] {
          try Self.run(options, in: folder).expectRefusal(saying: [
            "matrix 'matrix.json'", "cell ", words, "run --help",
          ])
        }
        #expect(try names(in: folder) == ["clips", "matrix.json"])
      }
    }

    @Test func tracesLieBesideEachOtherAndAreNoRecords() throws {
      try Self.withMatrix { folder in
        let result = try Self.run(
          ["-o", "out", "--trace", "out", "--frames", "out", "--shard", "0/4", "--label", "own", "--format=markdown"],
          in: folder)
        #expect(result.status == 0 && result.text.contains("\n|"), "\(result.errors)")
        let written = try names(in: folder + "/out")
        #expect(written.count == 3 && written.contains { $0.hasSuffix(".trace.json") })
        let merged = try Program.run(["merge", "out", "-o", "-"], in: folder)
        #expect(merged.status == 0 && merged.errors.isEmpty, "\(merged.errors)")
        let record = try RecordText(merged.output)
        #expect(record.inputName == "one.mp4" && record.values["label"] as? String == "own")
      }
    }

    /// Every option of `run` either may stand in a matrix or is the caller's.
    @Test func theTableOfSettingsIsThatOfTheOptions() throws {
      let help = try Program.run(["run", "--help-all"], in: NSTemporaryDirectory()).text
      let options = Set(help.matches(of: /\n  (?:-[a-z], )?--([a-z0-9-]+)/).map { String($0.1) })
      let callers: Set<String> = [
        "again", "events", "force", "format", "frames", "frames-format", "help", "help-all", "key", "label", "list",
        "list-scenarios",
        "matrix",
        "output", "p1203",
        "shard", "trace", "verbose", "version",
      ]
      let schema = try String(contentsOfFile: TestFolders.repository + "/results/matrix.schema.json", encoding: .utf8)
      let names = Set(
        schema.matches(of: /"([a-z-]+)": \{"(?:\$ref|type)": "(?:#\/\$defs\/(?:numeral|text)|boolean)"/).map {
          String($0.1)
        }
      ).subtracting(["items"])
      #expect(options.subtracting(callers).symmetricDifference(names).isEmpty, "\(options.symmetricDifference(names))")
    }
  }
}

extension CommandLineTests {
  @Suite struct MatrixInterruptTests {
    /// Interrupted in its second cell, which would take an hour: the first one's record is whole, the second one's says it is not.
    @Test func controlCKeepsWhatWasMeasured() throws {
      try CommandTests.MatrixTests.withMatrix { folder in
        let slow = """
          {"schema": "bench360-matrix/1", "inputs": ["clips/one.mp4"], "axes": {"duration": [0.1, 3600]},
           "defaults": {"scenario": "play", "trials": 1, "size": "160x90", "timeout": 3600}}
          """
        try Data(slow.utf8).write(to: URL(filePath: folder + "/matrix.json"))
        let running = try RunningProgram(["run", "--matrix", "matrix.json", "-o", "out"], in: folder)
        // Each cell has a warm-up and a trial.
        _ = try running.trial(3)
        running.interrupt()
        let result = try running.wait()
        #expect(result.status == 130, "\(result.errors)")
        #expect(result.errors.contains("interrupted: the measurements so far are kept"), "\(result.errors)")
        let records = try CommandTests.MatrixTests.records(folder + "/out")
        #expect(records.count == 2, "\(records.keys)")
        for (name, record) in records { #expect(record.isComplete == name.hasPrefix("one_duration-0.1-"), "\(name)") }
      }
    }
  }
}
