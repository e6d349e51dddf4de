import Decode
import Foundation
import Frames
import Render
import Support
import Testing

/// The twins against FFmpeg's own conversions, for every format.
@Suite(.tier(.test)) struct FormatJudgeTests {
  private static let size = PictureSize(width: 320, height: 182)

  /// A picture with hard and soft edges, its samples untouched by any codec.
  private static func clip(_ format: String) throws -> String {
    try SharedClips.ffmpeg(
      "judged-\(format).nut",
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(size):r=5:d=0.2,format=gbrp,gblur=sigma=0.7", "-frames:v", "1", "-vf",
        "scale=flags=bilinear:out_color_matrix=bt709:out_range=tv", "-pix_fmt", format, "-c:v", "rawvideo",
      ])
  }

  private static let colors: [(matrix: ColorDescription.Matrix, range: ColorDescription.Range)] = [
    (.bt709, .limited), (.bt601, .full), (.smpte240m, .limited), (.bt2020, .full),
  ]

  /// Samples become full-scale R'G'B' by libswscale, which only converts: the size stays.
  @Test(arguments: PictureFormat.all)
  func agreesWithScale(_ format: PictureFormat) throws {
    // No file of this FFmpeg can hold P010, and P016 has 16 bits to it: the same samples in another order.
    let isOtherwise = format.isDeep && format.isChromaInterleaved
    let stored = isOtherwise ? PictureFormat.planar(.both, bitDepth: format.bitDepth) : format
    let path = try Self.clip(stored.name)
    var frame = try #require(try FrameReader(path: path).next())
    #expect(frame.format == stored && frame.convertedFrom == nil)
    if stored != format { frame = TestPictures.interleaved(frame, as: format) }
    let input = stored.planes.count == 1 ? try Self.luma(stored) : ["-i", path]
    let judged = try FilterJudge.views(
      of: input, Self.colors.map { FilterJudge.scale($0.matrix, $0.range) }, pixels: "rgb24")
    for (color, view) in zip(Self.colors, judged) {
      frame.color = ColorDescription(matrix: color.matrix, range: color.range, siting: .topLeft)
      let exact = ExactTwin.view(
        of: frame, PictureGeometry(projection: .flat), camera: Camera(), target: frame.size)
      try #require(view.count == exact.count)
      let errors = zip(exact, view).map { abs($0.rounded() - Double($1)) }
      let within = Double(errors.count { $0 <= 1 }) / Double(errors.count)
      #expect(within >= 0.999, "\(color): \(within), at most \(errors.max() ?? 0)")
    }
  }

  /// Other primaries by zimg, in linear light of a display: BT.1886 both ways, as `zscale` does it by itself.
  @Test(
    .enabled("FFmpeg has no zscale") { try hasZscale() },
    arguments: [
      ("2020", "bt2020", "bt709"), ("170m", "smpte170m", "bt709"), ("bt470bg", "bt470bg", "bt709"),
      ("smpte432", "smpte432", "bt709"), ("smpte432", "smpte432", "iec61966-2-1"), ("smpte431", "smpte431", "bt709"),
      ("bt470m", "bt470m", "bt709"), ("film", "film", "bt709"), ("240m", "smpte240m", "bt709"),
    ])
  func agreesWithZscale(_ zimg: String, _ primaries: String, _ transfer: String) throws {
    let path = try Self.clip("yuv444p12le")
    var frame = try #require(try FrameReader(path: path).next())
    frame.color = ColorDescription(matrix: .bt709, range: .limited, primaries: primaries, transfer: transfer)
    let exact = ExactTwin.view(
      of: frame, PictureGeometry(projection: .flat), camera: Camera(), target: frame.size)
    // In floats all the way: a step of 8 bits in between would be seen.
    let convert =
      "zscale=matrixin=709:rangein=limited:primariesin=\(zimg):transferin=\(transfer):matrix=gbr:range=full"
      + ":transfer=\(transfer):primaries=709:agamma=0,format=gbrpf32le"
    let view = try FilterJudge.views(of: ["-i", path], [convert], pixels: "gbrpf32le")[0]
    let judged = view.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let count = frame.size.width * frame.size.height
    try #require(judged.count == 3 * count)
    var errors: [Double] = []
    for pixel in 0..<count {
      for (channel, plane) in [(0, 2), (1, 0), (2, 1)] {
        let other = min(max(Double(judged[plane * count + pixel]), 0), 1) * 255
        errors.append(abs(exact[3 * pixel + channel] - other))
      }
    }
    let within = Double(errors.count { $0 <= 1 }) / Double(errors.count)
    #expect(within >= 0.999, "\(within), at most \(errors.max() ?? 0)")
  }

  private static func hasZscale() throws -> Bool {
    try CommandOutput.of("ffmpeg", ["-hide_banner", "-filters"]).text.contains(" zscale ")
  }

  /// A grey clip as luma beside neutral chroma: libswscale takes grey for full range, also where it is told otherwise; of 8 bits always, of more
  /// since FFmpeg 7.
  private static func luma(_ format: PictureFormat) throws -> [String] {
    let path = try clip(format.name)
    let planar = PictureFormat.planar(.none, bitDepth: format.bitDepth)
    let coloured = try SharedClips.file("judged-\(format.name).\(planar.name)") { file in
      let grey = try CommandOutput.of("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-"]).output
      let neutral: [UInt8] = format.bitDepth == 8 ? [128] : [0, UInt8(1 << (format.bitDepth - 9))]
      try #require(grey.count == size.width * size.height * neutral.count)
      let chroma = (0..<2 * size.width * size.height).flatMap { _ in neutral }
      try (grey + Data(chroma)).write(to: URL(filePath: file))
    }
    return ["-f", "rawvideo", "-pix_fmt", planar.name, "-s", "\(size)", "-i", coloured]
  }
}
