import Encode
import Foundation
import Frames
import TestPicture
import Support
import Testing

@Suite(.tier(.test)) struct GenerateFailureTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  private func failure(_ clip: ClipSpecification, _ path: String) -> Failure? {
    do {
      try generateClip(clip, to: path)
    } catch {
      return error as? Failure
    }
    return nil
  }

  @Test func cancellingLeavesNothing() throws {
    let clip = smallClip()
    var calls: [Int] = []
    let error = #expect(throws: Failure.self) {
      try generateClip(clip, to: folder.file("clip.mp4")) { done, total in
        #expect(total == 20)
        calls.append(done)
        return done < 5
      }
    }
    #expect(error?.kind == .cancelled)
    #expect(calls.filter { $0 > 0 } == [1, 2, 3, 4, 5])
    #expect(folder.names.isEmpty)
  }

  @Test func cancellingWhileTheSceneIsPreparedLeavesNothing() throws {
    var calls = 0
    let error = #expect(throws: Failure.self) {
      try generateClip(smallClip(), to: folder.file("clip.mp4")) { _, _ in
        calls += 1
        return calls < 3
      }
    }
    #expect(error?.cause == "cancelled after 0 of 20 frames" && calls == 3)
    #expect(folder.names.isEmpty)
  }

  /// x264 holds the last frames back until it is emptied.
  @Test func cancellingWhileTheEncoderIsEmptiedLeavesNothing() throws {
    var calls = 0
    let error = #expect(throws: Failure.self) {
      try generateClip(smallClip(), to: folder.file("clip.mp4")) { done, total in
        calls += done == total ? 1 : 0
        return calls < 2
      }
    }
    #expect(error?.cause == "cancelled after 20 of 20 frames")
    #expect(folder.names.isEmpty)
  }

  @Test func cancellingKeepsTheOldFile() throws {
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.file("clip.mp4")))
    #expect(throws: Failure.self) { try generateClip(smallClip(), to: folder.file("clip.mp4")) { _, _ in false } }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("clip.mp4"))) == Data([1, 2, 3]))
    #expect(folder.names == ["clip.mp4"])
  }

  @Test func unwritablePlacesAreNamed() throws {
    try Data().write(to: URL(filePath: folder.file("file")))
    let path = folder.file("file/clip.mp4")
    let error = try #require(failure(smallClip(), path))
    #expect(error.kind == .output)
    #expect(error.description.contains("'\(path)'") && error.description.contains("Not a directory"))
    try FileManager.default.createDirectory(atPath: folder.file("taken.mp4"), withIntermediateDirectories: true)
    #expect(failure(smallClip { $0.frames = 1 }, folder.file("taken.mp4"))?.kind == .output)
    #expect(folder.names.sorted() == ["file", "taken.mp4"])
  }

  @Test func impossibleCombinationsAreNamed() {
    let cases: [(String, Failure.Kind, String, (inout ClipSpecification) -> Void)] = [
      ("clip.mp4", .unsupported, "yuv420p10le", { $0.bitDepth = 12 }),
      ("clip.mkv", .unsupported, "it takes yuv420p", { ($0.codec, $0.chroma) = ("vp8", .yuv444) }),
      ("clip.webm", .usage, "webm cannot hold h264", { _ in }),
      ("clip.mp4", .usage, "mp4 cannot hold vp8", { $0.codec = "vp8" }),
      ("clip.xyz", .usage, "extension", { _ in }),
      ("clip.png", .usage, "extension", { _ in }),
      ("clip.h264", .usage, "time stamps", { $0.isVariableRate = true }),
      ("clip.h264", .usage, "audio", { $0.hasAudio = true }),
      ("clip.h264", .usage, "h264 cannot hold hevc", { $0.codec = "hevc" }),
      ("clip.mp4", .unsupported, "30000/1001", { ($0.codec, $0.rate) = ("mpeg2", Ratio(31, 1)) }),
      ("clip.mp4", .unsupported, "variable", { ($0.codec, $0.isVariableRate) = ("mpeg2", true) }),
      ("clip.mkv", .usage, "use .mp4", { ($0.rate, $0.isVariableRate) = (Ratio(500, 1), true) }),
    ]
    for (name, kind, words, change) in cases {
      let error = failure(smallClip(change), folder.file(name))
      #expect(error?.kind == kind, "\(name): \(error?.description ?? "succeeded")")
      #expect(error?.description.contains(words) ?? false, "\(error?.description ?? "succeeded")")
    }
    #expect(folder.names.isEmpty)
  }

  @Test func invalidSpecificationsAreRefused() {
    let changes: [(inout ClipSpecification) -> Void] = [
      { $0.codec = "h265" }, { $0.size.width = 641 }, { $0.size.height = 8 }, { $0.size.width = 32768 },
      { $0.rate = Ratio(0, 1) }, { $0.rate = Ratio(2001, 2) }, { $0.frames = 0 },
      { $0.frames = FrameCode.capacity + 1 }, { $0.gop = 0 }, { $0.bFrames = -1 }, { $0.bitDepth = 9 },
      { $0.noise = 65 }, { $0.bitRate = 0 },
      { ($0.stereo, $0.size.height) = (.topBottom, 322) }, { ($0.stereo, $0.size.width) = (.sideBySide, 642) },
    ]
    for (index, change) in changes.enumerated() {
      let error = failure(smallClip(change), folder.file("clip.mp4"))
      #expect(error?.kind == .usage, "case \(index): \(error?.description ?? "succeeded")")
    }
  }

  @Test func specificationsSurviveAsCode() throws {
    let clip = ClipSpecification.builtIn
    #expect(try JSONDecoder().decode(ClipSpecification.self, from: JSONEncoder().encode(clip)) == clip)
    #expect(clip.duration == 10)
    #expect(SceneSpecification.frameCount(seconds: 2.5, rate: Ratio(30, 1)) == 75)
    #expect(SceneSpecification.frameCount(seconds: -1, rate: Ratio(30, 1)) == nil)
  }
}
