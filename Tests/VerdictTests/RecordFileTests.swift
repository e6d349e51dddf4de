import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

@Suite struct RecordFileTests {
  private static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func writesIntoFoldersItCreatesAndLeavesNothingBeside() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = folder.appending(path: "a/b/record.json").path
      try RecordFile.write(Sample.decodeOnly, to: path)
      try RecordFile.write(Sample.record(), to: path)
      #expect(try RecordFile.read(path) == Sample.record())
      #expect(try Self.names(in: folder.appending(path: "a/b")) == ["record.json"])
    }
  }

  @Test func aFolderInItsPlaceIsAFailureThatLeavesNothing() throws {
    try TestFiles.withTemporaryFolder { folder in
      try FileManager.default.createDirectory(at: folder.appending(path: "x.json"), withIntermediateDirectories: true)
      let failure = try #require(throws: Failure.self) {
        try RecordFile.write(Sample.decodeOnly, to: folder.appending(path: "x.json").path)
      }
      #expect(failure.kind == .output && failure.cause == "it is a folder" && failure.remedy != nil)
      #expect(try Self.names(in: folder) == ["x.json"])
    }
  }

  @Test func aFileWhereAFolderShouldBeIsNamed() throws {
    try TestFiles.withTemporaryFolder { folder in
      try Data("kept".utf8).write(to: folder.appending(path: "file"))
      let failure = try #require(throws: Failure.self) {
        try RecordFile.write(Sample.decodeOnly, to: folder.appending(path: "file/sub/x.json").path)
      }
      #expect(failure.kind == .output && failure.cause == "a part of its path is not a folder")
      #expect(try String(contentsOf: folder.appending(path: "file"), encoding: .utf8) == "kept")
    }
  }

  @Test func aFailedRenameLeavesNothing() throws {
    try TestFiles.withTemporaryFolder { folder in
      let tooLong = String(repeating: "n", count: 300) + ".json"
      let failure = try #require(throws: Failure.self) {
        try RecordFile.write(Sample.decodeOnly, to: folder.appending(path: tooLong).path)
      }
      #expect(failure.cause == "file name too long")
      #expect(try Self.names(in: folder).isEmpty)
    }
  }

  // /proc refuses every user, root included.
  @Test func whatCannotBeWrittenIsAFailure() throws {
    let failure = try #require(throws: Failure.self) {
      try RecordFile.write(Sample.decodeOnly, to: "/proc/record.json")
    }
    #expect(failure.kind == .output)
    #expect(failure.description.hasPrefix("cannot write record '/proc/record.json': "))
  }

  @Test func linksAreFollowed() throws {
    try TestFiles.withTemporaryFolder { folder in
      let link = folder.appending(path: "latest.json")
      // Longer than the record: what is overwritten in place, not replaced, keeps its tail.
      try Data(repeating: 0x20, count: 100_000).write(to: folder.appending(path: "real.json"))
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "real.json")
      try RecordFile.write(Sample.decodeOnly, to: link.path)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "real.json")
      let written = try Data(contentsOf: folder.appending(path: "real.json"))
      #expect(written == (try RecordCoding.encode(Sample.decodeOnly)))
    }
  }

  @Test func pipesAreWrittenIntoAndNotReplaced() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = folder.appending(path: "pipe").path
      #expect(mkfifo(path, 0o600) == 0)
      // Open for both, so that neither end waits; the record is smaller than a pipe's buffer.
      let descriptor = open(path, O_RDWR | O_NONBLOCK)
      defer { close(descriptor) }
      try RecordFile.write(Sample.decodeOnly, to: path)
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = read(descriptor, &buffer, buffer.count)
      #expect(Data(buffer.prefix(max(0, count))) == (try RecordCoding.encode(Sample.decodeOnly)))
    }
  }

  @Test func aMissingFileIsNamed() throws {
    let failure = try #require(throws: Failure.self) { try RecordFile.read("/nowhere/x.json") }
    #expect(failure.kind == .input)
    #expect(failure.description.hasPrefix("cannot read record '/nowhere/x.json': no such file or folder — "))
    let folder = try #require(throws: Failure.self) { try RecordFile.read("/") }
    #expect(folder.cause == "it is a folder")
  }

  @Test func theDefaultPathFollowsTheRule() {
    func path(_ record: Record, _ hasResults: Bool, _ dataFolder: String?) -> String {
      RecordFile.defaultPath(
        for: record, currentFolder: "/here", hasResults: hasResults, dataFolder: dataFolder)
    }
    let record = Sample.record()
    let tail = "results/epyc-7763-2-cores/20251121T093014Z-0123456789ab-balloon-the-tour.json"
    #expect(path(record, true, "/data/bench360") == "/here/" + tail)
    #expect(path(record, false, "/data/bench360") == "/data/bench360/" + tail)
    #expect(path(record, false, nil) == "/here/bench360/" + tail)
    var remote = Sample.decodeOnly
    remote.input.name = "https://host/a/clip.v2.m3u8?token=../../x"
    #expect(path(remote, true, nil) == "/here/results/unknown/20251121T093014Z-unknown-clip.v2.json")
  }

  @Test(arguments: [
    ("clip.mp4", "clip.mp4"), ("/home/a/b c/clip.v2.mp4", "clip.v2.mp4"), ("../a?b#c.mp4", "a?b#c.mp4"), ("", ""),
    ("https://host/a/clip.m3u8?token=1/2", "https://host/a/clip.m3u8"), ("http://host?a@b", "http://host"),
    ("https://user:p%40ss@host:8080/a@b.mp4#t=3", "https://host:8080/a@b.mp4"), ("rtsp://@host", "rtsp://host"),
    ("built-in clip", "built-in clip"),
  ])
  func recordsTellClipsByTheirNames(_ input: String, _ name: String) {
    #expect(Record.Input.name(of: input) == name && Record.Input.name(of: name) == name)
  }

  @Test(arguments: [
    ("../../etc/passwd", "etc-passwd"), ("..", "unknown"), ("", "unknown"), (".hidden", "hidden"), ("a\u{0}\nb", "a-b"),
    ("--help", "help"), ("größe 4K", "größe-4K"),
    (String(repeating: "é", count: 99), String(repeating: "é", count: 40)),
  ])
  func namesAreSafe(_ text: String, _ safe: String) {
    #expect(RecordFile.fileNameSafe(text) == safe)
  }
}
