import Foundation
import Frames
import Support
import Testing

/// The programs in `Examples`, the tutorial that leads to them, and the interface that they stand on.
@Suite(.tier(.test)) struct ExampleProgramTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(TestFolders.repository)/\(path)", encoding: .utf8)
  }

  @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  func framesAreChecked() throws {
    let clip = try SharedClips.synthetic("example-frames.mp4") {
      ($0.size, $0.frames) = (PictureSize(width: 480, height: 240), 60)
    }
    let run = try CommandOutput.of(TestFolders.repository + "/.build/release/FrameChecker", [clip])
    let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
    #expect(run.status == 0 && lines.count == 8 && lines.last == "all 8 pictures are right", "\(lines) \(run.errors)")
  }

  /// Each of the tutorial's programs is an example as it stands, and is shown whole.
  @Test(arguments: [
    ("MinimalPlayer", ["Package.swift", "main.swift"]), ("OwnControls", ["Package.swift", "main.swift"]),
    ("FrameChecker", ["Package.swift", "main.swift"]),
  ])
  func theTutorialEndsWithTheExamples(name: String, files: [String]) throws {
    let tutorial = try Self.text("Docs/Bench360.docc/Tutorials/EmbeddingAPlayer.tutorial")
    for file in files {
      let folder = file == "main.swift" ? "Sources/\(name)/" : ""
      let example = try Self.text("Examples/\(name)/\(folder)\(file)")
      #expect(try Self.text("Docs/Bench360.docc/Resources/\(name)-\(file)") == example)
      #expect(tutorial.contains("\"\(name)-\(file)\""))
    }
  }

  /// From `import` to a moving picture.
  @Test func theSmallestProgramIsShort() throws {
    let program = try Self.text("Examples/MinimalPlayer/Sources/MinimalPlayer/main.swift")
    #expect(try Self.text("Docs/Library.md").contains("```swift\n\(program)```\n"))
    let lines = program.split(separator: "\n")
    #expect(lines.filter { !$0.hasPrefix("//") }.count <= 15)
  }

  private static let examples = ["MinimalPlayer", "OwnControls", "FrameChecker"]

  @Test(arguments: examples.sample(oneIn: 3))
  func examplesArePackagesOfTheirOwn(name: String) throws { try Self.checkPackage(name) }

  @Test(.tier(.full), arguments: examples)
  func allExamplesArePackagesOfTheirOwn(name: String) throws { try Self.checkPackage(name) }

  private static func checkPackage(_ name: String) throws {
    try TestFolders.withTemporary { folder in
      let run = try CommandOutput.of(
        "swift",
        ["package", "--package-path", "\(TestFolders.repository)/Examples/\(name)", "--scratch-path", folder]
          + ["dump-package"])
      #expect(
        run.status == 0 && String(decoding: run.output, as: UTF8.self).contains("\"Bench360Player\""), "\(run.errors)")
    }
  }

  /// What programs that embed the player can see is a promise: a change is a line in CHANGELOG.md, and of the digest.
  @Test func thePublicInterfaceIsTheDigest() throws { try Self.checkInterface("Bench360Player") }

  @Test(.tier(.full)) func theInterfaceOfDownloadsIsTheDigest() throws { try Self.checkInterface("Offline") }

  private static func checkInterface(_ module: String) throws {
    let run = try CommandOutput.of(TestFolders.repository + "/Scripts/api", [module])
    let declared = String(decoding: run.output, as: UTF8.self)
    let digest = try text("Docs/api/\(module).txt")
    let changes = declared.split(separator: "\n").difference(from: digest.split(separator: "\n"))
    #expect(
      run.status == 0 && changes.isEmpty,
      "\(changes) \(run.errors): Scripts/api \(module) > Docs/api/\(module).txt")
  }
}
