import Foundation
import Frames
import Support
import Testing

/// The parts of paths, and numbers as text.
@Suite struct PathPartsTests {
  @Test(arguments: [
    ("/a/b.mp4", "b.mp4", "/a", "mp4", "/a/b"), ("a/b/", "b", "a", "", "a/b"), ("a", "a", "", "", "a"),
    ("/", "/", "/", "", "/"), ("/a", "a", "/", "", "/a"), ("a//b//", "b", "a", "", "a//b"), ("", "", "", "", ""),
    ("x/.hidden", ".hidden", "x", "", "x/.hidden"), ("a.b/c.tar.gz", "c.tar.gz", "a.b", "gz", "a.b/c.tar"),
    ("ä.mp4", "ä.mp4", "", "mp4", "ä"),
  ])
  func pathsHaveParts(path: String, name: String, folder: String, suffix: String, stem: String) {
    #expect(path.lastPathComponent == name && path.deletingLastPathComponent == folder)
    #expect(path.pathExtension == suffix && path.deletingPathExtension == stem)
  }

  @Test func pathsGoOn() {
    #expect(["", "a", "/", "a/"].map { $0.appendingPathComponent("b") } == ["b", "a/b", "/b", "a/b"])
  }

  @Test func numbersAreFoundations() {
    var generator = SeededGenerator(for: "numbers as text")
    for format in ["%.0f", "%.1f", "%.2f", "%.3g", "%.1e", "%.6f", "%8.2f %%"] {
      for _ in 0..<500 {
        let value =
          Double.random(in: -1e3...1e3, using: &generator) * pow(10, Double(Int.random(in: -9...9, using: &generator)))
        #expect(formatted(format, value) == String(format: format, value))
      }
    }
    #expect(formatted("%03d of %d", 7, 12) == "007 of 12")
  }
}

/// Files that are read and written by the system's calls.
@Suite struct OpenFileTests {
  @Test func bytesComeBack() throws {
    try TestFolders.withTemporary { folder in
      let path = folder + "/file"
      #expect(throws: SystemError(ENOENT)) { try OpenFile(reading: path) }
      #expect(throws: SystemError(ENOENT)) { try OpenFile(writing: path) }
      #expect(FileManager.default.createFile(atPath: path, contents: Data("12345".utf8)))
      try OpenFile(writing: path).write([UInt8](repeating: 0x41, count: 3))
      try OpenFile(writing: path, appends: true).write("67".utf8)
      let file = try OpenFile(reading: path)
      #expect(try file.read(upTo: 4) == Array("AAA4".utf8) && file.read() == Array("567".utf8) && file.read().isEmpty)
      file.close()
      #expect(throws: SystemError(EBADF)) { try file.read() }
      #expect(throws: SystemError(EISDIR)) { try OpenFile(reading: folder).read() }
      let full = try OpenFile(writing: "/dev/full")
      #expect(throws: SystemError(ENOSPC)) { try full.write([1]) }
      #expect(SystemError(ENOSPC).reason == "no space is left" && SystemError(EIO).reason == "input/output error")
    }
  }
}
