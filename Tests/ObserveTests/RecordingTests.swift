import Foundation
import Frames
import Host
import Support
import TestPicture
import Testing
import Verdict

import Observe

extension ProcessTests {
  /// Recordings whose faults FFmpeg planted.
  @Suite struct RecordingTests {
    private static let size = PictureSize(width: 640, height: 360)
    private static let rate = 30.0
    private static let clip = ObservedMeasures.Clip(frames: 90, rate: rate)

    private static func source() throws -> String {
      try SharedClips.synthetic("recorded.mp4") {
        ($0.projection, $0.size, $0.frames, $0.hasAudio) = (.flat, size, clip.frames, true)
      }
    }

    /// Records the clip by filters of FFmpeg, and reads the recording.
    private func read(
      _ name: String, video: String, audio: String = "anull", clip: ObservedMeasures.Clip = clip
    ) throws -> Recording.Result {
      let path = try SharedClips.ffmpeg(
        name, ["-i", try Self.source(), "-vf", video, "-af", audio, "-c:v", "mpeg4", "-q:v", "3", "-c:a", "pcm_s16le"])
      return try Recording(path: path, clip: clip, size: Self.size).read { _ in }
    }

    /// A screen that shows another picture before the clip and behind it, at twice the clip's rate; the clip is smaller, and not in the
    /// middle.
    @Test func droppedFramesAreCountedWhereverThePictureIs() throws {
      let result = try read(
        "faults.mkv",
        video: "select='not(eq(n,20)+eq(n,21)+eq(n,40))',fps=60,scale=480:270,pad=854:480:101:77:gray,"
          + "tpad=start_duration=1:stop_duration=1:color=gray", audio: "adelay=1120:all=1")
      let counters = result.measures.counters
      #expect(counters[.presented] == 87 && counters[.dropped] == 3 && counters[.torn] == 0)
      #expect(counters[.outOfOrder] == 0 && counters[.freezes] == 0 && counters[.repeated] == 0)
      #expect(result.measures.samples[.timeToFirstFrame] == nil, "no recording shows the start of a program")
      #expect(result.measures.samples[.unreadable] == [0], "what follows the clip is not part of it")
      let first = try #require(result.watched.frames.first)
      #expect(first.number == 0 && abs(first.shownMs - 1000) < 17 && abs(first.widthMs - 1000.0 / 60) < 1)
      #expect(result.watched.legibleTiles == 9 && result.size == PictureSize(width: 854, height: 480))
      let (grid, edge) = (result.grid, result.grid.cell.width / 4)
      for (found, expected) in [(grid.left, 101.0), (grid.top, 77), (grid.width, 480), (grid.height, 270)] {
        #expect(abs(found - expected) < edge, "\(found), not \(expected)")
      }
      let offsets = try #require(result.measures.samples[.avSync])
      #expect(offsets.count > 60)
      // A frame's time is uncertain by the period of the recording.
      #expect(offsets.allSatisfy { abs($0 - 120) < 1000 / 60 + 2 }, "\(offsets)")
    }

    @Test func aFreezeAndFramesInTheWrongOrderAreFound() throws {
      let frozen = try read("frozen.mkv", video: "setpts='PTS+if(gt(N,30),0.5/TB,0)',fps=60")
      #expect(frozen.measures.counters[.freezes] == 1 && frozen.measures.counters[.dropped] == 0)
      #expect(frozen.measures.freezes.first?.number == 30)
      let length = try #require(frozen.measures.samples[.freeze]?.first)
      #expect(abs(length - 533) < 20)
      let shuffled = try read("shuffled.mkv", video: "shuffleframes='0 2 1 3 4 5 6 7 8 9'")
      #expect(shuffled.measures.counters[.outOfOrder] == 9 && shuffled.measures.counters[.dropped] == 0)
    }

    /// The player's window is small for half a second before it fills the screen.
    @Test func thePictureIsWhereItStaysLongest() throws {
      let result = try read(
        "grows.mkv",
        video: "split[a][b];[a]trim=end_frame=15,scale=320:180,pad=640:360:30:40:gray[a];"
          + "[b]trim=start_frame=15[b];[a][b]concat")
      #expect(abs(result.grid.left) < 4 && abs(result.grid.width - 640) < 8)
      #expect(result.watched.frames.map(\.number) == Array(15..<90))
      #expect(result.measures.counters[.dropped] == 15)
    }

    @Test func recordingsThatDoNotFitAreRefused() throws {
      let other = try #require(throws: Failure.self) {
        try read("other.mkv", video: "null", clip: ObservedMeasures.Clip(frames: 60, rate: Self.rate))
      }
      #expect(other.description.contains("it shows frame 89, and the clip has 60 frames"), "\(other)")
      // Its stripes show one number wherever they are read, which the clip does not have.
      let plain = try SharedClips.ffmpeg("no-numbers.mkv", ["-f", "lavfi", "-i", "testsrc2=s=640x360:d=1"])
      let none = try #require(throws: Failure.self) {
        try Recording(path: plain, clip: Self.clip, size: Self.size).read { _ in }
      }
      #expect(none.description.contains("none of its 25 frames shows a frame number"), "\(none)")
    }

    /// A recorder that was killed leaves a file without an end: what is in it counts.
    @Test func aRecordingThatEndsEarlyIsReadToItsEnd() throws {
      try TestFolders.withTemporary { folder in
        let whole = try Data(contentsOf: URL(filePath: try Self.source()))
        let path = folder + "/cut.ts"
        let made = try CommandOutput.of(
          "ffmpeg", ["-v", "error", "-nostdin", "-i", try Self.source(), "-c", "copy", folder + "/whole.ts"])
        try #require(made.status == 0 && !whole.isEmpty, "\(made.errors)")
        let data = try Data(contentsOf: URL(filePath: folder + "/whole.ts"))
        try data.prefix(data.count / 2).write(to: URL(filePath: path))
        let result = try Recording(path: path, clip: Self.clip, size: Self.size).read { _ in }
        #expect((10..<80).contains(result.watched.frames.count))
        #expect(result.measures.counters[.dropped] == 0)
      }
    }
  }

}

/// Pictures of code cells on a canvas, at random places and scales.
@Suite struct PictureFinderTests {
  /// Draws the cells of a frame into a rectangle of a noisy canvas; each pixel is what covers its centre.
  private static func canvas(
    _ size: PictureSize, _ grid: CodeGrid, number: Int, hidden: Set<Int>, using generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = (0..<size.width * size.height).map { _ in UInt8.random(in: 60...190, using: &generator) }
    let word = FrameCode.word(for: number)
    for (index, cell) in FrameCode.cells(for: .flat).enumerated() where !hidden.contains(index / FrameCode.bitCount) {
      let left = grid.left + (cell.u - cell.width / 2) * grid.width
      let top = grid.top + (cell.v - cell.height / 2) * grid.height
      let columns = (left - 0.5).rounded(.up)..<(left + cell.width * grid.width - 0.5).rounded(.up)
      let rows = (top - 0.5).rounded(.up)..<(top + cell.height * grid.height - 0.5).rounded(.up)
      let luma = word >> UInt32(cell.bit) & 1 == 1 ? FrameCode.bright : FrameCode.dark
      for row in Int(rows.lowerBound)..<Int(rows.upperBound) {
        for column in Int(columns.lowerBound)..<Int(columns.upperBound) {
          bytes[row * size.width + column] = UInt8(Int(luma) + Int.random(in: -20...20, using: &generator))
        }
      }
    }
    return bytes
  }

  private static func find(_ bytes: inout [UInt8], _ size: PictureSize, clip: PictureSize) -> CodeGrid? {
    bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      let plane = HostPlane(base: base, bytesPerRow: size.width, rowBytes: size.width, rows: size.height)
      return LumaPicture(plane).flatMap(PictureFinder(clip: clip, frames: 10_000).find)
    }
  }

  @Test(arguments: [PictureSize(width: 1280, height: 720), PictureSize(width: 640, height: 480)])
  func picturesAreFoundWhereTheyAre(clip: PictureSize) throws {
    var generator = SeededGenerator(for: #function)
    let size = PictureSize(width: 800, height: 600)
    for _ in 0..<6 {
      let width = Double.random(in: 200...780, using: &generator)
      let height = width * Double(clip.height) / Double(clip.width)
      guard height < 590 else { continue }
      let grid = CodeGrid(
        left: Double.random(in: 0...(798 - width), using: &generator),
        top: Double.random(in: 0...(598 - height), using: &generator), width: width, height: height)
      let hidden = Set((0..<2).map { _ in Int.random(in: 0..<9, using: &generator) })
      var bytes = Self.canvas(
        size, grid, number: Int.random(in: 0..<10_000, using: &generator), hidden: hidden, using: &generator)
      let found = try #require(Self.find(&bytes, size, clip: clip), "\(grid) without \(hidden)")
      let edges = [
        (found.left, grid.left), (found.top, grid.top), (found.left + found.width, grid.left + grid.width),
        (found.top + found.height, grid.top + grid.height),
      ]
      #expect(edges.allSatisfy { abs($0 - $1) < grid.cell.width / 2 }, "\(found), not \(grid) without \(hidden)")
    }
  }

  @Test func noiseHoldsNoPicture() {
    var generator = SeededGenerator(for: #function)
    let size = PictureSize(width: 640, height: 360)
    var noise = (0..<size.width * size.height).map { _ in
      Bool.random(using: &generator) ? FrameCode.bright : FrameCode.dark
    }
    #expect(Self.find(&noise, size, clip: size) == nil)
    var black = [UInt8](repeating: 0, count: size.width * size.height)
    #expect(Self.find(&black, size, clip: size) == nil)
  }
}
