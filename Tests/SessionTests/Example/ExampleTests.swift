import Decode
import Foundation
import Frames
import GPU
import Support
import TestPicture
import Testing

/// The examples of `Docs/Library.md` and of the modules' pages, which are the files beside this one.
@Suite(.tier(.test)) struct ExampleTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(TestFolders.repository)/\(path)", encoding: .utf8)
  }

  private static func clip() throws -> String {
    try SharedClips.synthetic("examples.mp4") { $0.size = PictureSize(width: 640, height: 320) }
  }

  @Test func libraryPageShowsTheExample() throws {
    let example = try Self.text("Tests/SessionTests/Example/ListFrames.swift")
    #expect(try Self.text("Docs/Library.md").contains("```swift\n\(example)```\n"))
    let lines = try listFrames(of: Self.clip(), count: 2)
    #expect(lines.count == 3 && lines[0].hasPrefix("640x320, 30/1 "), "\(lines)")
    #expect(lines[2].hasPrefix("frame 1 at 0.0333") && lines[2].hasSuffix(" s, yuv420p"), "\(lines)")
  }

  /// An ad that is left at once, one that is not there, and one behind the clip.
  @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  func libraryPagePlaysAds() async throws {
    let example = try Self.text("Tests/SessionTests/Example/PlayWithAds.swift")
    #expect(try Self.text("Docs/Library.md").contains("```swift\n\(example)```\n"))
    let ad = try SharedClips.synthetic("examples-ad.mp4") {
      ($0.size, $0.frames) = (PictureSize(width: 640, height: 320), 15)
    }
    let schedule = AdText.vmap([
      ("start", [AdText.ad(ad, number: 1, skips: "00:00:00")]), ("50%", [AdText.ad("/nowhere/ad.mp4", number: 2)]),
      ("end", [AdText.ad(ad, number: 3)]),
    ])
    try await TestFolders.withTemporary { folder in
      try Data(schedule.utf8).write(to: URL(filePath: folder + "/ads.xml"))
      let lines = try await play(Self.clip(), withAds: folder + "/ads.xml")
      let told = lines.map { $0.contains("/nowhere/ad.mp4") ? "not there" : $0 }
      #expect(
        told == ["ad 1: Ad 1", "the clip goes on", "not there", "ad 1: Ad 3", "ended"], "\(lines)")
    }
  }

  /// Each page has one block, whose lines stand in `ModuleExamples.swift` in that order.
  @Test(arguments: [
    "Bench360Player", "Decode", "Encode", "Frames", "GPU", "Media", "Offline", "Playback", "Render",
    "Session",
    "TestPicture", "Verdict", "Window",
  ])
  func modulePagesShowTheirExample(module: String) throws {
    let page = try Self.text("Docs/Bench360.docc/Modules/\(module).md")
    let block = try #require(page.firstMatch(of: #/```swift\n((?:.|\n)*?)```/#)).output.1
    let indented = block.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n") + "\n"
    #expect(try Self.text("Tests/SessionTests/Example/ModuleExamples.swift").contains(indented), "\(module).md")
  }

  @Test func examplesOfFilesRun() throws {
    ModuleExamples.frames()
    ModuleExamples.window()
    let clip = try Self.clip()
    try ModuleExamples.media(clip: clip)
    try ModuleExamples.decode(clip: clip)
    try ModuleExamples.playback(clip: clip)
    try TestFolders.withTemporary { try ModuleExamples.encode(path: $0 + "/clip.mp4") }
  }

  @Test func examplesOfDownloadsRun() throws {
    let content = [UInt8](try Data(contentsOf: URL(filePath: Self.clip())))
    let server = try ScriptedServer { request, connection in connection.serve(content, request, ["ETag: \"a\""]) }
    try TestFolders.withTemporary { folder in
      try ModuleExamples.offline(url: server.url("/clip.mp4"), library: folder + "/library")
      #expect(FileManager.default.fileExists(atPath: folder + "/library/clip/clip.mp4"))
    }
  }

  @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  func examplesOfDevicesRun() async throws {
    try ModuleExamples.gpu()
    let clip = try Self.clip()
    try await ModuleExamples.bench360Player(clip: clip)
    try ModuleExamples.session(clip: clip)
    let frame = try #require(try FrameReader(path: clip).next())
    ModuleExamples.testPicture(frame: frame)
    let pixels = try ModuleExamples.render(device: GPUDevice("auto"), frame: frame)
    let (width, height) = (640, 360)
    #expect(pixels?.count == width * height * 4)
  }

  /// A committed reference beside itself: too few sessions for a verdict, and a page.
  @Test func examplesOfRecordsRun() throws {
    let record = "\(TestFolders.repository)/results/amd-epyc-2core/reference-built-in-clip.json"
    try ModuleExamples.verdict(base: record, head: record)
    #expect(try ModuleExamples.report(records: record).contains("</html>"))
  }
}
