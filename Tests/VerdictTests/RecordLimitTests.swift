import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Files that are given as records and are none: each is refused before it costs memory or time.
@Suite struct RecordLimitTests {
  private func failure(_ path: String, _ environment: [String: String] = [:]) -> Failure? {
    do throws(Failure) {
      _ = try RecordBytes.load(path, environment: environment)
      return nil
    } catch {
      return error
    }
  }

  @Test func aLargeFileIsRefusedBeforeItIsRead() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = folder.appending(path: "large.json").path
      // A hole: no disk is filled and nothing can be read quickly by mistake.
      try Data().write(to: URL(filePath: path))
      #expect(truncate(path, (300 << 20) + 5) == 0)
      let refusal = try #require(failure(path))
      #expect(refusal.kind == .input)
      #expect(
        refusal.description == "cannot read record '\(path)': it has 300 MiB, more than the limit of 256 MiB — "
          + "give a smaller record, or set BENCH360_RECORD_LIMIT to more MiB")
      #expect(failure(path, ["BENCH360_RECORD_LIMIT": "301"]) == nil)
      #expect(failure(path, ["BENCH360_RECORD_LIMIT": "300"]) != nil, "five bytes too many")
      for word in ["", "0", "-5", "many", "1e9"] {
        #expect(RecordBytes.limit(["BENCH360_RECORD_LIMIT": word]) == 256, "\(word)")
      }
      #expect(RecordBytes.limit(["BENCH360_RECORD_LIMIT": "9223372036854775807"]) << 20 > 0)
    }
  }

  @Test func whatIsNoRegularFileIsNotWaitedFor() throws {
    try TestFiles.withTemporaryFolder { folder in
      let pipe = folder.appending(path: "pipe").path
      #expect(mkfifo(pipe, 0o600) == 0)
      for path in [pipe, "/dev/zero", "/dev/null"] {
        #expect(failure(path)?.cause == "it is not a regular file", "\(path)")
      }
      #expect(failure(folder.path)?.cause == "it is a folder")
    }
  }

  @Test func depthIsCountedOutsideOfTexts() {
    func isNested(_ text: String) -> Bool { RecordCoding.isNested(Data(text.utf8), deeperThan: 3) }
    #expect(
      !isNested("abcdé[[[[") && !isNested("\u{1}[[[[") && isNested("\u{FEFF}[[[[")
        && isNested("[\u{0}[\u{0}[\u{0}[\u{0}"))
    #expect(!isNested("[{\"a\":[1]}]") && isNested("[{\"a\":[[1]]}]"))
    #expect(!isNested("[\"[[[[\", \"\\\"[[[[\"]") && !isNested("[],[],[],[],[]") && isNested("[\"\\\\\",[[["))
  }

  /// `"samples":[` a hundred thousand times, open and closed. Before, each was looked for to the end of the file.
  @Test func nestedSamplesAreRefusedInOnePass() throws {
    let open = #"{"samples":["#
    for text in [String(repeating: open, count: 100_000), String(repeating: "\"samples\":[", count: 200_000)] {
      for isDigest in [true, false] {
        #expect(throws: Failure.self) {
          try RecordCoding.decodeRecord(Data(text.utf8), name: "nested", asDigest: isDigest)
        }
      }
    }
    let failure = #expect(throws: Failure.self) {
      try RecordCoding.decodeRecord(Data(String(repeating: "[", count: 1 << 20).utf8), name: "nested")
    }
    #expect(failure?.cause == "its lists and objects lie more than 64 deep in each other")
  }

  /// A key that is written otherwise hides samples from the merge, which would take their numbers for places.
  @Test(arguments: ["[0]", "[5]", "[1e18]", "[0, 1]", "[-1]"])
  func hiddenSamplesAreNoPlaces(samples: String) throws {
    try TestFiles.withTemporaryFolder { folder in
      var paths: [String] = []
      for name in ["a", "b"] {
        var record = Sample.record()
        record.session = name
        record.scenarios[0].trials[0].started = name
        let text = String(decoding: try RecordCoding.encode(record), as: UTF8.self)
        let hidden = text.replacing(#/"samples" : \[[^\]]*\]/#, maxReplacements: 1) { _ in
          "\"s\\u0061mples\" : \(samples)"
        }
        #expect(hidden != text)
        paths.append(folder.appending(path: name + ".json").path)
        try Data(hidden.utf8).write(to: URL(filePath: paths[paths.count - 1]))
      }
      let merge = try Merge(paths: paths, expected: nil)
      do throws(Failure) {
        _ = try merge.single(for: "test")
      } catch {
        #expect(error.kind == .input, "\(error)")
      }
    }
  }
}
