import Foundation
import Support
import Testing

extension CommandTests {
  @Suite struct MergeTests {
    private static func withRecords(_ body: (_ folder: String) throws -> Void) throws {
      try TestFolders.withTemporary { folder in
        for (name, rate) in [("a", 1000.0), ("b", 900)] {
          var record = try MadeRecord.rates([rate])
          record.set("session", name)
          try record.write("\(folder)/in/\(name).json")
        }
        try body(folder)
      }
    }

    private static func merge(_ arguments: [String], in folder: String) throws -> CommandOutput {
      try Program.run(["merge"] + arguments, in: folder)
    }

    @Test func oneFileHoldsOneCell() throws {
      try Self.withRecords { folder in
        let result = try Self.merge(["in", "-o", "both.json"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.text == "2 records merged into 1 record in both.json, 1 of them joined from several\n")
        #expect(try RecordText(file: folder + "/both.json").trials.count == 2)
        let again = try Self.merge(["in", "both.json", "-o", "again.json"], in: folder)
        #expect(again.status == 0 && again.errors.contains("there already and dropped"), "\(again.errors)")
        var other = try MadeRecord.rates([1])
        other.set("settings", "threads", 63)
        try other.write(folder + "/in/other.json")
        try Self.merge(["in", "-o", "all.json"], in: folder).expectRefusal(saying: [
          "'all.json'", "2 cells", "--output",
        ])
        let compared = try Program.run(["compare", "both.json", "both.json"], in: folder)
        #expect([0, 8].contains(compared.status), "\(compared.errors)")
      }
    }

    @Test func whatIsDamagedIsNamed() throws {
      try Self.withRecords { folder in
        try Data("{".utf8).write(to: URL(filePath: folder + "/in/c.json"))
        try Self.merge(["in", "-o", "out"], in: folder)
          .expectRefusal(saying: ["record 'in/c.json'", "not JSON", "--skip-damaged"])
        let lenient = try Self.merge(["in", "-o", "out", "--skip-damaged"], in: folder)
        #expect(
          lenient.status == 0
            && lenient.errors.contains("cannot read record 'in/c.json': it is not JSON; it was left out"))
        try Self.merge(["in", "-o", "out", "--skip-damaged"], in: folder)
          .expectFailure(saying: "cannot merge into 'out': it is a folder with something in it")
        try Self.merge(["nowhere", "-o", "other"], in: folder).expectRefusal(saying: ["'nowhere'", "no such file"])
        #expect(try names(in: folder) == ["in", "out"])
      }
    }

    @Test(arguments: [
      (["merge"], "<records>"), (["merge", "x"], "--output"), (["merge", "x", "-o", ""], "--output"),
      (["merge", "x", "-o", "y", "--shards", "2"], "--matrix"),
      (["merge", "x", "-o", "y", "--matrix", "m.json", "--shards", "0"], "--shards"),
      (["run", "--shard", "0/2"], "--matrix"), (["run", "--again"], "--matrix"), (["run", "--list"], "--matrix"),
      (["run", "--matrix", "-", "-o", "x"], "takes a file"), (["run", "--matrix", "", "-o", "x"], "takes a file"),
      (["run", "--matrix", "m.json"], "--output"), (["run", "--matrix", "m.json", "-o", "-"], "folder"),
      (["run", "clip.mp4", "--matrix", "m.json", "-o", "x"], "its own inputs"),
      (["run", "--matrix", "m.json", "-o", "x", "--shard", "2/2"], "--shard"),
      (["run", "--matrix", "m.json", "-o", "x", "--threads", "2"], "--threads belongs into the matrix"),
      (["run", "--matrix", "m.json", "-o", "x", "--threads=0"], "--threads belongs into the matrix"),
    ])
    func isRefused(arguments: [String], word: String) throws {
      try TestFolders.withTemporary { folder in
        let result = try Program.run(arguments, in: folder)
        #expect(result.status == 64 && result.output.isEmpty, "\(arguments): \(result.errors)")
        #expect(result.errors.contains(word), "\(arguments): \(result.errors)")
        #expect(try names(in: folder).isEmpty, "\(arguments) left something behind")
      }
    }
  }
}

extension CommandOutput {
  /// A failure whose sentence may stand among others.
  fileprivate func expectFailure(saying words: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(status == 1 && output.isEmpty && errors.contains(words), "\(errors)", sourceLocation: sourceLocation)
  }
}
