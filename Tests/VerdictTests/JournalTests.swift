import Foundation
import RecordSamples
import Support
import Testing
import Verdict

/// What is left of a run that was killed.
@Suite struct JournalTests {
  /// As a run tells its trials, one record each: round after round over its scenarios.
  private static func trials() -> [Record] {
    [("decode", 80.0), ("pipeline", 70), ("decode", 81), ("pipeline", 71)].map { name, rate in
      var record = Sample.record(scenarios: [
        Record.Scenario(name: name, trials: [Sample.trial(["\(name)_fps": [rate]], counters: ["wrong_frame": 0])])
      ])
      record.complete = false
      return record
    }
  }

  /// Writes them into the journal of `record.json` and ends as SIGKILL does: without another word.
  private static func leave(_ trials: [Record], in folder: URL) throws {
    let journal = try #require(RecordJournal(besideRecord: folder.appending(path: "record.json").path))
    for trial in trials { journal.add(trial) }
  }

  private static func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// Reading commands write nothing; merging, or the next run that writes there, makes a record of it.
  @Test func aJournalIsReadAsARecordOfAllItsTrials() throws {
    try TestFiles.withTemporaryFolder { folder in
      try Self.leave(Self.trials(), in: folder)
      #expect(try Self.names(folder) == ["record.json.journal"])
      let path = folder.appending(path: "record.json").path
      let record = try RecordFile.read(path + ".journal")
      let scenarios = ["decode": [80.0, 81], "pipeline": [70, 71]].sorted { $0.key < $1.key }.map { name, rates in
        Record.Scenario(
          name: name, trials: rates.map { Sample.trial(["\(name)_fps": [$0]], counters: ["wrong_frame": 0]) })
      }
      var expected = Sample.record(scenarios: scenarios)
      expected.complete = false
      #expect(record == expected)
      #expect(try RecordSet.load(folder.path, asDigests: false).records == [expected])
      let merged = try Merge(paths: [folder.path], expected: nil).single(for: "-")
      #expect(try RecordCoding.decodeRecord(merged, name: "merged") == expected)
      #expect(try Self.names(folder) == ["record.json.journal"])
      let next = RecordJournal(besideRecord: path)
      #expect(try RecordFile.read(path) == expected && next != nil)
    }
  }

  /// A record that was not written is found by its name, and merging reads it as any other.
  @Test func aRecordIsFoundByItsNameToo() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = folder.appending(path: "record.json").path
      try Self.leave(Array(Self.trials().prefix(1)), in: folder)
      #expect(try Merge(paths: [path], expected: nil).plan.recordsRead == 1)
      #expect(try RecordSet.load(path).records.count == 1)
      #expect(try Self.names(folder) == ["record.json.journal"])
    }
  }

  /// A record may have any name, and merging names its own file after it.
  @Test(arguments: ["record.json", "record.rec"]) func theRecordsNameCounts(name: String) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = folder.appending(path: name).path
      let journal = try #require(RecordJournal(besideRecord: path))
      for trial in Self.trials() { journal.add(trial) }
      _ = consume journal
      #expect(try RecordSet.load(path).records.count == 1)
      #expect(try RecordFile.read(path + ".journal").scenarios.count == 2)
      #expect(try Merge(paths: [path], expected: nil).plan.items.map(\.name) == ["record.json"])
    }
  }

  @Test func aTrialThatWasCutShortIsLeftOut() throws {
    try TestFiles.withTemporaryFolder { folder in
      try Self.leave(Self.trials(), in: folder)
      let journal = folder.appending(path: "record.json.journal")
      let whole = try Data(contentsOf: journal)
      try whole.prefix(whole.count - 10).write(to: journal)
      let records = try RecordSet.load(folder.path).records
      #expect(records.flatMap(\.scenarios).map(\.trials.count) == [2, 1])
    }
  }

  @Test func aRunThatStillMeasuresKeepsItsJournal() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = folder.appending(path: "record.json").path
      let journal = try #require(RecordJournal(besideRecord: path))
      for trial in Self.trials() { journal.add(trial) }
      #expect(try RecordSet.load(folder.path).records.isEmpty && RecordSet.load(path).records.isEmpty)
      #expect(failure { _ = try RecordFile.read(path + ".journal") }?.cause.hasPrefix("its run has not ended") == true)
      #expect(RecordJournal(besideRecord: path) == nil, "another run goes on without one")
      #expect(try Self.names(folder) == ["record.json.journal"])
      try RecordFile.write(Sample.record(), to: path)
      journal.end(recordWrittenTo: path)
      #expect(try Self.names(folder) == ["record.json"])
    }
  }

  @Test func aRecordThatIsThereStays() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = folder.appending(path: "record.json").path
      let older = Sample.decodeOnly
      try RecordFile.write(older, to: path)
      try Self.leave(Self.trials(), in: folder)
      #expect(try RecordSet.load(folder.path).records.count == 2)
      #expect(RecordJournal(besideRecord: path) != nil)
      #expect(try Self.names(folder).prefix(2) == ["record-2.json", "record.json"])
      #expect(try RecordFile.read(path) == older)
    }
  }

  /// Killed between the record and the end of its journal.
  @Test func aRecordThatHasAllTrialsIsNotMadeTwice() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = folder.appending(path: "record.json").path
      try Self.leave(Self.trials(), in: folder)
      try RecordFile.write(Sample.record(), to: path)
      #expect(try RecordSet.load(folder.path).records.count == 1)
      #expect(try Self.names(folder) == ["record.json", "record.json.journal"])
    }
  }

  @Test func anotherProgramsFileStays() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = folder.appending(path: "record.json.journal")
      try Data("a database's\n".utf8).write(to: journal)
      #expect(try RecordSet.load(folder.path).records.isEmpty)
      #expect(RecordJournal(besideRecord: folder.appending(path: "record.json").path) == nil)
      #expect(try Data(contentsOf: journal) == Data("a database's\n".utf8))
    }
  }

  /// It lies where the record will: beside the target of a link; not at all beside a pipe or a device.
  @Test func linksAreFollowedAndPipesHaveNone() throws {
    try TestFiles.withTemporaryFolder { folder in
      try FileManager.default.createDirectory(
        at: folder.appending(path: "target"), withIntermediateDirectories: true)
      let link = folder.appending(path: "record.json").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target/real.json")
      try Self.leave(Self.trials(), in: folder)
      #expect(try Self.names(folder.appending(path: "target")) == ["real.json.journal"])
      #expect(try RecordSet.load(link).records.count == 1)
      #expect(try Self.names(folder.appending(path: "target")) == ["real.json.journal"])
      #expect(RecordJournal(besideRecord: "/dev/null") == nil)
    }
  }
}
