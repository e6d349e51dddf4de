import Foundation
import Support
import Testing

/// FFmpeg and others, loaded at the first call of one of their functions.
@Suite(.tier(.test), .enabled("clang is missing") { (try? CommandOutput.of("clang", ["--version"]).status) == 0 })
struct CalledLibrariesTests {
  private static let sources = TestFolders.repository + "/Sources/C/CLibraries"

  /// `Fixtures/first-call.c` as a program in `folder`, with the libraries' files as `load` has them.
  private static func program(in folder: String, load: String = sources + "/load.c") throws -> String {
    let program = folder + "/first-call"
    let built = try CommandOutput.of(
      "clang",
      [
        "-O1", "-I", sources, TestFolders.repository + "/Tests/Fixtures/first-call.c", sources + "/calls.S", load, "-o",
        program,
      ])
    try #require(built.status == 0, "\(built.errors)")
    return program
  }

  @Test func theFirstCallHasAllItsArguments() throws {
    try TestFolders.withTemporary { folder in
      let result = try CommandOutput.of(Self.program(in: folder), [])
      #expect(result.status == 0)
      #expect(result.errors == "1 2 three 4.5 5.5 6.5 7.5 8.5 9.5 10.5 11.5 12.5 13 14 15\n")
    }
  }

  @Test func aMissingLibraryIsNamed() throws {
    try TestFolders.withTemporary { folder in
      let text = try String(contentsOfFile: Self.sources + "/load.c", encoding: .utf8)
      try text.replacing("\"libavutil.so.\"", with: "\"libabsent.so.\"").write(
        toFile: folder + "/load.c", atomically: true, encoding: .utf8)
      let result = try CommandOutput.of(Self.program(in: folder, load: folder + "/load.c"), [])
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix("bench360: cannot load a library: libabsent.so."))
      #expect(result.errors.hasSuffix("cannot open shared object file: No such file or directory\n"))
    }
  }

  /// What a start pays for: the program is linked to none of them.
  @Test func aStartLoadsFewLibraries() throws {
    let result = try CommandOutput.of(
      TestFolders.program, ["--version"], environment: ["LD_TRACE_LOADED_OBJECTS": "1"])
    let names = result.text.split(whereSeparator: \.isNewline).compactMap { $0.split(separator: ".so").first }
      .map { $0.filter { !$0.isWhitespace } }
    for name in ["libavformat", "libavcodec", "libswscale", "libass", "libcurl", "libglfw"] {
      #expect(!names.contains(name), "\(result.text)")
    }
    #expect(names.contains("libc"), "\(result.text)")
  }
}
