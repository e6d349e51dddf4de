import Encode
import Foundation
import Frames
import Support
import TestPicture
import Testing

/// The quality of segments in `ladder.json`, judged by FFmpeg's filter `ssim`, and for spheres by a sum written down plainly.
@Suite(.tier(.test)) struct SegmentQualityTests {
  /// The frames that are looked at: of each second every third.
  private static let frames = (0..<135).filter { $0 % 30 % 3 == 0 }

  /// The pictures that a rung was made from, at the size of the largest, as raw 4:2:0.
  private static func writeSource(_ ladder: LadderSpecification, rung: Int, size: PictureSize, to path: String) throws {
    var picture = ladder.clip.scene
    (picture.size, picture.rung) = (size, rung)
    let scene = try SyntheticScene(picture)
    let sizes = [(size.width, size.height), (size.width / 2, size.height / 2), (size.width / 2, size.height / 2)]
    let planes = sizes.map { HostMemory(byteCount: $0.0 * $0.1) }
    var bytes = Data()
    for frame in frames {
      scene.draw(
        frame: frame,
        into: PlaneList(
          zip(planes, sizes).map {
            HostPlane(base: $0.base, bytesPerRow: $1.0, rowBytes: $1.0, rows: $1.1)
          }))
      for plane in planes { bytes.append(Data(bytes: plane.base, count: plane.byteCount)) }
    }
    try bytes.write(to: URL(filePath: path))
  }

  /// A rung's chosen frames, enlarged.
  private static func enlarged(_ size: PictureSize) -> String {
    "select='not(mod(mod(n,30),3))',scale=\(size.width):\(size.height):flags=bicubic,setpts=N/TB"
  }

  private static func decibels(_ errors: [Double], ofSegment number: Int) -> Double {
    let own = zip(frames, errors).filter { $0.0 / 30 == number }.map(\.1)
    return -10 * log10(own.reduce(0, +) / Double(own.count))
  }

  @Test(arguments: [0, 1]) func flatPicturesHaveTheSSIMThatFFmpegFinds(rung: Int) throws {
    let ladder = try SharedLadders.flat()
    let size = PictureSize(width: 426, height: 240)
    let found = try #require(ladder.index.quality).decibels
    #expect(ladder.index.quality?.measure == .ssim && found.count == 5 && found.allSatisfy { $0.count == 2 })
    try TestFolders.withTemporary { folder in
      try Self.writeSource(SharedLadders.small(), rung: rung, size: size, to: folder + "/source.yuv")
      let whole = try ladder.joined(try #require(ladder.index.rungs[rung].renditions.last))
      // With SIMD FFmpeg 5.1 reads one window too many where their number in a row is odd.
      let result = try CommandOutput.of(
        "ffmpeg",
        [
          "-v", "error", "-cpuflags", "0", "-i", whole, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "426x240", "-i",
          folder + "/source.yuv", "-lavfi",
          "[0:v]\(Self.enlarged(size))[a];[1:v]setpts=N/TB[b];[a][b]ssim=stats_file=\(folder)/ssim.log", "-f", "null",
          "-",
        ])
      #expect(result.status == 0, "\(result.errors)")
      let lines = try String(contentsOfFile: folder + "/ssim.log", encoding: .utf8)
      let errors = lines.matches(of: /\bY:([0-9.]+)/).compactMap { Double($0.1).map { 1 - $0 } }
      try #require(errors.count == Self.frames.count)
      for (segment, values) in found.enumerated() {
        let expected = Self.decibels(errors, ofSegment: segment)
        #expect(abs(values[rung] - expected) < 0.005, "segment \(segment): \(values[rung]), FFmpeg \(expected)")
      }
    }
  }

  @Test(arguments: [0, 1]) func spheresHaveTheWSPSNRThatTheFormulaGives(rung: Int) throws {
    let ladder = try SharedLadders.sphere()
    let size = PictureSize(width: 640, height: 320)
    let found = try #require(ladder.index.quality).decibels
    #expect(ladder.index.quality?.measure == .weightedPSNR && found.count == 5 && found.allSatisfy { $0.count == 2 })
    var specification = SharedLadders.small()
    specification.clip = LadderSpecification(projection: .equirectangular).clip
    try TestFolders.withTemporary { folder in
      try Self.writeSource(specification, rung: rung, size: size, to: folder + "/source.yuv")
      let whole = try ladder.joined(try #require(ladder.index.rungs[rung].renditions.last))
      let result = try CommandOutput.of(
        "ffmpeg",
        [
          "-v", "error", "-i", whole, "-fps_mode", "passthrough", "-vf", Self.enlarged(size), "-pix_fmt", "yuv420p",
          "-f", "rawvideo",
          "\(folder)/a.yuv",
        ])
      #expect(result.status == 0, "\(result.errors)")
      let source = [UInt8](try Data(contentsOf: URL(filePath: folder + "/source.yuv")))
      let coded = [UInt8](try Data(contentsOf: URL(filePath: folder + "/a.yuv")))
      try #require(source.count == coded.count)
      let errors = Self.frames.indices.map { index in
        Self.weightedSquare(source, coded, from: index * size.width * size.height * 3 / 2, size)
      }
      for (segment, values) in found.enumerated() {
        let expected = Self.decibels(errors, ofSegment: segment)
        #expect(abs(values[rung] - expected) < 0.02, "segment \(segment): \(values[rung]), by hand \(expected)")
      }
    }
  }

  /// Squares weighed by the cosine of latitude.
  private static func weightedSquare(_ one: [UInt8], _ other: [UInt8], from start: Int, _ size: PictureSize) -> Double {
    var (sum, weights) = (0.0, 0.0)
    for row in 0..<size.height {
      let weight = cos(Double.pi / 2 - (Double(row) + 0.5) * Double.pi / Double(size.height))
      let places = (start + row * size.width)..<(start + (row + 1) * size.width)
      let squares = places.reduce(0) { $0 + (Int(one[$1]) - Int(other[$1])) * (Int(one[$1]) - Int(other[$1])) }
      sum += weight * Double(squares) / (255 * 255)
      weights += weight * Double(size.width)
    }
    return sum / weights
  }

  /// The better rung looks better, in every segment.
  @Test func moreBitsLookBetter() throws {
    let flat = try #require(try SharedLadders.flat().index.quality).decibels
    let sphere = try #require(try SharedLadders.sphere().index.quality).decibels
    for values in flat + sphere { #expect(values[0] < values[1] && values[0] > 3 && values[1] < 60, "\(values)") }
  }
}
