import Foundation
import Frames
import Support
import Testing
import Verdict

/// What is told of records that are missing, of other cells, or damaged.
@Suite struct MergePlanTests {
  @Test func whatIsMissingIsNamedByShardAndCell() throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    func sentence(_ there: [String], shards: Int) throws -> String? {
      let expected = Shards.expected(names, shards: shards)
      let records = there.map { ("\($0).json", Shards.record($0, [80], session: $0)) }
      let (_, plan) = try Shards.merged(Dictionary(uniqueKeysWithValues: records), expected: expected)
      return plan.missingSentence(expected, shards: shards)
    }
    #expect(try sentence(names, shards: 3) == nil)
    #expect(try sentence(["a", "d"], shards: 3) == "shards 1 and 2 of 3 are missing: 4 cells: b, c, e, f")
    #expect(try sentence(["a", "b", "d", "e"], shards: 3) == "shard 2 of 3 is missing: 2 cells: c, f")
    #expect(
      try sentence(["a", "b", "d"], shards: 3) == "shard 2 of 3 is missing, shard 1 of 3 lacks cells: 3 cells: c, e, f")
    #expect(try sentence(["a", "b"], shards: 1) == "of 6 cells 4 are missing: c, d, e, f")
  }

  @Test func recordsOfOtherCellsAreLeftOutAndSaid() throws {
    let (files, plan) = try Shards.merged(
      [
        "a.json": Shards.record("a", [80], session: "1"), "old.json": Shards.record("old", [80], session: "2"),
        "none.json": Shards.record(nil, [80], session: "3"),
      ], expected: Shards.expected(["a"], shards: 1))
    #expect(files.keys.sorted() == ["a.json"] && plan.notes == ["2 records are of no cell of the matrix and left out"])
  }

  @Test func damagedRecordsAreNamedAndCanBeLeftOut() throws {
    try Shards.withRecords(["a.json": Shards.record("a", [80], session: "1")]) { folder in
      try Data("{".utf8).write(to: URL(filePath: folder + "/b.json"))
      try Data("{}".utf8).write(to: URL(filePath: folder + "/c.trace.json"))
      let failure = #expect(throws: Failure.self) { try Merge(paths: [folder], expected: nil) }
      #expect(failure?.attempt.hasSuffix("/b.json'") == true && failure?.remedy?.contains("--skip-damaged") == true)
      let merge = try Merge(paths: [folder], expected: nil, leavingOutDamaged: true)
      #expect(merge.damaged.count == 1 && merge.plan.items.count == 1)
      // Samples that are none are seen when they are to be moved.
      var text = String(decoding: try RecordCoding.encode(Shards.record("a", [70], session: "2")), as: UTF8.self)
      text = text.replacing("\"samples\" : [70]", with: "\"samples\" : [7O]")
      try Data(text.utf8).write(to: URL(filePath: folder + "/b.json"))
      let lying = try Merge(paths: [folder], expected: nil)
      let refusal = #expect(throws: Failure.self) { try lying.write(toFolder: folder + "/out") }
      #expect(refusal?.cause == "samples in it are not numbers", "\(String(describing: refusal))")
      #expect(!FileManager.default.fileExists(atPath: folder + "/out"), "all records or none")
    }
  }

  @Test func whatCannotBeReadOrWrittenIsSaid() throws {
    try Shards.withRecords([
      "in/a.json": Shards.record("a", [80], session: "1"), "in/b.json": Shards.record("b", [80], session: "1"),
    ]) { folder in
      let missing = #expect(throws: Failure.self) { try Merge(paths: [folder + "/nowhere"], expected: nil) }
      #expect(missing?.cause == "no such file or folder")
      let merge = try Merge(paths: [folder + "/in"], expected: nil)
      let full = #expect(throws: Failure.self) { try merge.write(toFolder: folder + "/in") }
      #expect(full?.cause == "it is a folder with something in it")
      for path in ["/in/a.json/x", "/in/a.json"] {
        let file = #expect(throws: Failure.self) { try merge.write(toFolder: folder + path) }
        #expect(file?.kind == .output, "\(path)")
      }
      let two = #expect(throws: Failure.self) { try merge.single(for: "x.json") }
      #expect(two?.cause == "the records are of 2 cells, and a file holds one")
      let stopped = #expect(throws: Failure.self) { try merge.write(toFolder: folder + "/out", goesOn: { false }) }
      #expect(stopped?.kind == .cancelled)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["in"], "a merge left something behind")
    }
  }

  /// The order in which paths are named, and files found, changes nothing; nor does naming them twice.
  @Test func theSameRecordsComeToTheSameBytes() throws {
    let records = Dictionary(
      uniqueKeysWithValues: (0..<12).map { number in
        (
          "\(number % 3)/\(number).json",
          Shards.record("cell \(number % 4)", [Double(80 + number), 3], session: "s\(number)", second: number)
        )
      })
    let (one, _) = try Shards.merged(records)
    let (two, plan) = try Shards.merged(records, paths: ["in/2", "in/0", "in/1/", "in/0", "in"])
    #expect(one == two && one.count == 4 && plan.recordsRead == 12 && plan.notes.isEmpty)
  }
}
