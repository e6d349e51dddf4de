import Foundation
import Frames
import FuzzTargets
import Support
import Testing

/// A short run of what `make fuzz` does for an hour: each reader of untrusted bytes with inputs of its corpus, earlier findings, and mutants
/// of both. One after the other, and others are let in between: they hold a thread that tests of servers wait for.
@Suite(.tier(.test), .serialized) struct FuzzTests {
  private static let folder = TestFolders.repository + "/Tests/Fuzz"
  private static let findings = TestFolders.repository + "/Tests/Fixtures/hostile"

  private static func files(_ folder: String) throws -> [(name: String, bytes: [UInt8])] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return try names.sorted().map { ($0, try [UInt8](Data(contentsOf: URL(filePath: folder + "/" + $0)))) }
  }

  private static func corpus(of target: String) throws -> [[UInt8]] {
    try (files(folder + "/corpus/" + target) + files(findings + "/" + target)).map(\.bytes)
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func mutantsAreReadOrRefused(name: String) async throws {
    let target = try #require(FuzzTarget.named(name))
    let corpus = try Self.corpus(of: name)
    try #require(!corpus.isEmpty, "Tests/Fuzz/corpus/\(name) is empty")
    corpus.forEach(target.read)
    let words = dictionaryWords(
      try String(contentsOfFile: Self.folder + "/dictionaries/\(name).dict", encoding: .utf8))
    #expect(!words.isEmpty)
    var mutator = Mutator(corpus: corpus, tokens: words, random: SeededGenerator(for: "FuzzTests \(name)"))
    let count = Tier.selected == .full ? 5000 : 500
    for number in 0..<(target.isMedia ? min(count, 250) : count) {
      target.read(mutator.next())
      if number % 10 == 0 { await Task.yield() }
    }
  }

  /// Corpus, dictionaries and findings belong to targets that exist.
  @Test func nothingIsLeftOver() throws {
    let names = Set(FuzzTarget.all.map(\.name))
    #expect(names.count == FuzzTarget.all.count)
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: Self.folder + "/corpus")) == names)
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: Self.folder + "/dictionaries"))
        == Set(names.map { $0 + ".dict" }))
    #expect(names.isSuperset(of: try FileManager.default.contentsOfDirectory(atPath: Self.findings)))
  }

  @Test func dictionariesAreReadAsLibFuzzerDoes() {
    #expect(
      dictionaryWords("# no\nmoov=\"moov\"\n\"\\x00\\xffa\"\nq=\"\\\"\\\\\"") == [
        Array("moov".utf8), [0, 0xff, 0x61], Array("\"\\".utf8),
      ])
  }
}
