import Encode
import Foundation
import Frames
import Support
import Testing

@Suite(.tier(.test)) struct LadderFailureTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  /// A ladder of a second and one rung.
  private func tiny(_ change: (inout LadderSpecification) -> Void = { _ in }) -> LadderSpecification {
    var ladder = SharedLadders.small { $0.rungs.removeLast() }
    ladder.clip.frames = 30
    ladder.languages = ["en"]
    change(&ladder)
    return ladder
  }

  private func failure(_ ladder: LadderSpecification, _ path: String) -> Failure? {
    Support.failure { try generateLadder(ladder, to: path, json: SharedLadders.json) }
  }

  @Test func cancellingLeavesNothing() throws {
    var seen: [LadderProgress] = []
    let error = Support.failure {
      try generateLadder(
        tiny { $0.rungs.append(LadderSpecification.Rung(size: $0.rungs[0].size, bitRate: 200_000)) },
        to: folder.file("tour"), json: SharedLadders.json
      ) {
        seen.append($0)
        return $0.rung == 0 || $0.done < 5
      }
    }
    #expect(error?.kind == .cancelled)
    #expect(seen.last?.fraction == 0.5 + 5.0 / 60 && seen.last?.rungs == 2)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.fraction <= $1.fraction })
    #expect(Set(seen.filter { $0.rung == 0 }.map(\.done)) == Set(0...30))
    #expect(folder.names.isEmpty)
  }

  /// While sound is encoded, while the encoder is emptied, and in the last row of the second rung's scene, which is drawn for the
  /// encoder and for the quality: 144 rows of luma and twice 72 of colour each.
  @Test(arguments: [(0, 0, 2), (0, 30, 2), (1, 0, 2 * 288)])
  func cancellingBetweenFramesLeavesNothing(rung: Int, done: Int, calls: Int) throws {
    let ladder = tiny { $0.rungs.append(LadderSpecification.Rung(size: $0.rungs[0].size, bitRate: 200_000)) }
    var seen = 0
    let error = Support.failure {
      try generateLadder(ladder, to: folder.file("tour"), json: SharedLadders.json) {
        seen += $0.rung == rung && $0.done == done ? 1 : 0
        return seen < calls
      }
    }
    #expect(error?.kind == .cancelled && error?.cause == "cancelled in rung \(rung)")
    #expect(seen == calls && folder.names.isEmpty)
  }

  @Test func anEarlierLadderIsReplacedWhenTheNewOneIsComplete() throws {
    let path = folder.file("tour")
    try generateLadder(tiny { $0.encryption = .aes128(rotation: nil) }, to: path, json: SharedLadders.json)
    let index = try Data(contentsOf: URL(filePath: path + "/ladder.json"))
    #expect(throws: Failure.self) {
      try generateLadder(tiny(), to: path, json: SharedLadders.json) { _ in false }
    }
    #expect(try Data(contentsOf: URL(filePath: path + "/ladder.json")) == index)
    // A trailing slash names the same folder; so does a link.
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "tour")
    for name in ["tour/", "link"] {
      try generateLadder(tiny(), to: folder.file(name), json: SharedLadders.json)
      #expect(!FileManager.default.fileExists(atPath: path + "/keys"))
      #expect(folder.names.sorted() == ["link", "tour"])
    }
  }

  @Test func anotherFolderStays() throws {
    let path = folder.file("mine")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("a film".utf8).write(to: URL(filePath: path + "/film.mp4"))
    let error = failure(tiny(), path)
    #expect(error?.kind == .output && error?.description.contains("'film.mp4'") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["film.mp4"])
    #expect(failure(tiny(), path + "/film.mp4")?.description.contains("it is not a folder") == true)
    #expect(failure(tiny(), folder.file("missing/tour"))?.kind == .output)
    #expect(folder.names == ["mine"])
  }

  @Test func invalidSpecificationsAreRefused() {
    let changes: [(inout LadderSpecification) -> Void] = [
      { $0.rungs = [] }, { $0.rungs += $0.rungs }, { $0.rungs = Array(repeating: $0.rungs[0], count: 17) },
      { $0.clip.codec = "hevc" },
      { $0.clip.bitDepth = 10 }, { $0.clip.chroma = .yuv444 }, { $0.clip.isVariableRate = true },
      { $0.segmentSeconds = 0 }, { $0.segmentSeconds = .nan }, { $0.thumbnailSeconds = 0 }, { $0.languages = [] },
      { $0.languages = ["en", "en"] }, { $0.languages = ["../en"] }, { $0.languages = ["e"] },
      { $0.encryption = .aes128(rotation: 0) }, { $0.rungs[0].bitRate = 0 }, { $0.rungs[0].bitRate = .max },
      { $0.rungs[0].size.width = 255 }, { $0.clip.frames = 0 }, { $0.clip.frames = 1 << 20 + 1 },
    ]
    for (index, change) in changes.enumerated() {
      let error = failure(tiny(change), folder.file("tour"))
      #expect(error?.kind == .usage, "case \(index): \(error?.description ?? "succeeded")")
    }
    #expect(folder.names.isEmpty)
  }

  /// Every frame is read when it was encoded: a rung that damages the code is refused.
  @Test func illegibleRungsAreRefused() {
    let error = failure(
      tiny {
        $0 = LadderSpecification(projection: .equirectangular)
        $0.rungs = [LadderSpecification.Rung(size: PictureSize(width: 480, height: 240), bitRate: 60_000)]
      }, folder.file("tour"))
    #expect(error?.kind == .usage && error?.description.contains("of rung 0, 480x240 at 60000 bit/s") == true)
    #expect(folder.names.isEmpty)
  }
}
