import Foundation
import RecordSamples
import Support
import Testing
import Verdict

@Suite struct ScenarioTests {
  @Test func rowsHaveNamesOfTheirOwn() throws {
    #expect(Set(Scenario.allCases.map(\.name)).count == Scenario.allCases.count)
    for scenario in Scenario.allCases {
      #expect(Scenario.named(scenario.name) == scenario)
      let text = String(decoding: try JSONEncoder().encode([scenario]), as: UTF8.self)
      #expect(text == "[\"\(scenario.name)\"]")
      #expect(try JSONDecoder().decode([Scenario].self, from: Data(text.utf8)) == [scenario])
    }
  }

  /// A record by another build may hold a scenario that this one does not know: it is kept, and nothing is said of it.
  @Test func aStrangerIsKept() throws {
    let stranger = Record.Scenario(name: "rewind", trials: [Sample.trial(["decode_fps": [80]])])
    let record = Sample.record(scenarios: [stranger])
    let back = try RecordCoding.decodeRecord(RecordCoding.encode(record), name: "x")
    #expect(back == record && back.scenarios[0].key == nil)
    #expect(try ReportFormat.csv.render(back).contains("rewind"))
  }

  /// What others need to know of a scenario stands in its row: nothing compares its name.
  @Test func onlyRowsKnowNames() throws {
    let sources = TestFolders.repository + "/Sources"
    let files = try #require(FileManager.default.enumerator(atPath: sources)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") }
    let names = Scenario.allCases.map(\.name).joined(separator: "|")
    let comparison = try Regex("(name|scenario|scenarios) ?([=!]= ?|\\.contains\\()\"(\(names))\"")
    for file in files {
      for line in try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8).split(separator: "\n")
      where line.contains(comparison) {
        Issue.record("\(file): \(line)")
      }
    }
  }
}
