import Foundation
import Support
import Testing

/// A file's text that must be refused, told by its name where tests are listed: some texts are megabytes long.
struct RefusedText: Sendable, CustomTestStringConvertible {
  var name: String
  var text: String
  /// What the refusal says.
  var words: String

  var testDescription: String { name }

  /// Expects that the schema refuses every text but those whose names are `beyond` it. One judge reads all of them.
  static func expectRefusals(
    of rows: [RefusedText], by schema: PythonJudge.Schema, beyond: Set<String>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(beyond.isSubset(of: rows.map(\.name)), sourceLocation: sourceLocation)
    let judged = rows.filter { !beyond.contains($0.name) }
    try TestFolders.withTemporary { folder in
      let files = try judged.indices.map { number in
        try Data(judged[number].text.utf8).write(to: URL(filePath: "\(folder)/\(number).json"))
        return "\(folder)/\(number).json"
      }
      let refused = Set(try PythonJudge.schemaRefusals(files, of: schema).compactMap { $0.split(separator: " ").first })
      for (number, row) in judged.enumerated() {
        #expect(refused.contains("\(number).json"), "\(row.name) was accepted", sourceLocation: sourceLocation)
      }
    }
  }
}
