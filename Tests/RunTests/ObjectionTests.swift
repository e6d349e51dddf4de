import Foundation
import Frames
import Run
import Support
import Testing
import Verdict

/// Whether a record that is there answers for a cell, or the cell has to be measured.
@Suite struct ObjectionTests {
  @Test func onlyTheCellsOwnRecordOfThisBuildAndInputCounts() throws {
    let cell = try #require(try matrix("{\(matrixHead)}").cells.first)
    let facts = Matrix.Cell.Facts(
      inputSHA256: "aa", cameraSHA256: nil, inputEventsSHA256: nil, label: "x",
      build: Record.Build(version: "1", commit: "c", dirty: false))
    var settings = Record.Settings()
    settings.viewing.camera = "still"
    var input = Record.Input(name: "a.mp4")
    input.sha256 = "aa"
    var good = Record(
      created: "2025-11-21T09:30:14Z", label: "x", build: Record.Build(version: "1", commit: "c", dirty: false),
      command: [],
      complete: true,
      environment: Record.Environment(machine: Record.Machine(), device: nil, libraries: Record.Libraries()),
      input: input, settings: settings,
      scenarios: [])
    good.cell = cell.identity
    #expect(cell.objection(to: good, facts) == nil)
    let changes: [(String, (inout Record) -> Void)] = [
      ("another cell", { $0.cell = nil }), ("another cell", { $0.cell?.id = "0" }),
      ("incomplete", { $0.complete = false }),
      ("another build", { $0.build.version = "2" }), ("another build", { $0.build.commit = "d" }),
      ("another build", { $0.build.dirty = true }),
      ("label", { $0.label = nil }), ("input has changed", { $0.input.sha256 = "bb" }),
      ("camera path", { $0.settings.viewing.cameraSha256 = "cc" }),
      ("input events", { $0.settings.viewing.inputEventsSha256 = "dd" }),
    ]
    for (words, change) in changes {
      var record = good
      change(&record)
      #expect(cell.objection(to: record, facts)?.contains(words) == true, "\(words)")
    }
    // Scenarios that show nothing have no camera and no hand: none of the matrix's files is read.
    var others = facts
    (others.cameraSHA256, others.inputEventsSHA256) = ("cc", "dd")
    var blind = good
    blind.settings.viewing.camera = nil
    #expect(cell.objection(to: blind, others) == nil)
    #expect(cell.objection(to: good, others)?.contains("camera path") == true)
  }
}
