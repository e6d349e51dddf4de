import Foundation
import Testing

/// Text names its subject: the program, a type, or a person with a role.
@Suite struct WordTests {
  /// Folders and files that still use the words below. The list only shrinks.
  private static let notYet: [String] = []
  /// Text that the program prints in a golden file, and published files.
  private static let exempt = ["Tests/RepositoryTests/Fixtures/"]

  /// Written so that this file does not hold them. They are found in identifiers too: `closedByWho` + `everHasIt`.
  private static let banned = ["no|body", "some|body", "any|body", "every|body", "who|ever", "what|ever"]
    .map { $0.replacing("|", with: "") }
  private static let phrases = ["what| was", "that| which", "those| that"].map { $0.replacing("|", with: "") }

  /// The first banned word of a line.
  private static func word(in line: some StringProtocol) -> String? {
    let text = line.lowercased()
    return (banned + phrases).first { text.contains($0) }
  }

  @Test(.enabled("this is no git work tree") { try !Repository.committed().isEmpty })
  func noBannedWords() throws {
    let kinds = [".swift", ".md", ".glsl", ".py", ".c", ".h", ".txt", ".yml", ".yaml", ".json"]
    var count = 0
    for file in try Repository.committed() {
      let name = URL(filePath: file).lastPathComponent
      guard kinds.contains(where: file.hasSuffix) || !name.contains("."),
        !(Self.notYet + Self.exempt).contains(where: file.hasPrefix),
        !file.contains("/Golden/"), !file.contains("/Fixtures/"), !file.contains("/reference-"), name != "LICENSE",
        let lines = try? Repository.lines(file)
      else { continue }
      count += 1
      for (index, line) in lines.enumerated() {
        if let word = Self.word(in: line) { Issue.record("\(file):\(index + 1) has '\(word)': \(line)") }
      }
    }
    #expect(count > 300, "\(count) files")
  }

  @Test func foldersNotYetDoneExist() {
    for folder in Self.notYet {
      #expect(!((try? Repository.swiftFiles(below: folder)) ?? []).isEmpty, "\(folder)")
    }
  }

  @Test(arguments: [
    ("/// closed once by who" + "ever has it", true), ("func heldByNo" + "body()", true),
    ("// What" + " was drawn", true), ("// the picture that is drawn", false), ("// somewhere else", false),
  ])
  func findsWords(line: String, isFound: Bool) {
    #expect((Self.word(in: line) != nil) == isFound)
  }
}
