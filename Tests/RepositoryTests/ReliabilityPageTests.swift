import Testing

/// Docs/Reliability.md names the suites that hold its rows.
@Suite struct ReliabilityPageTests {
  @Test func everyRowNamesSuitesThatExist() throws {
    let rows = try Repository.lines("Docs/Reliability.md").filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(rows.count > 15)
    let tests = try Repository.swiftFiles(below: "Tests").map { try Repository.text($0) }.joined()
    for row in rows {
      let suites = row.split(separator: "|").last?.split(separator: ",") ?? []
      #expect(!suites.isEmpty)
      for suite in suites.map({ $0.filter { !$0.isWhitespace } }) {
        #expect(tests.contains("struct \(suite) {"), "\(suite)")
      }
    }
  }
}
