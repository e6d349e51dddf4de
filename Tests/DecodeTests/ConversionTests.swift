import Decode
import Encode
import Frames
import Media
import Support
import Testing

/// Formats that the shaders do not read become the nearest that they read, of the same colours, and say what they were.
@Suite(.tier(.test)) struct ConversionTests {
  private static let flags = "bilinear+accurate_rnd+full_chroma_inp+full_chroma_int"

  /// Lossless clips of formats that are converted, and what of.
  @Test(arguments: [
    ("yuv440p", "yuv444p"), ("yuv411p", "yuv422p"), ("yuv410p", "yuv420p"), ("yuva420p", "yuv420p"),
    ("yuv420p9le", "yuv420p10le"), ("yuv422p16le", "yuv422p12le"), ("yuv444p14le", "yuv444p12le"),
    ("yuva444p10le", "yuv444p10le"), ("gray16le", "gray12le"), ("ya8", "gray"),
  ])
  func theNearestFormatIsTaken(_ source: String, _ target: String) throws {
    let path = try Self.lossless(source)
    try compare(path, source, target, filter: "scale=in_range=tv:out_range=tv:flags=\(Self.flags),format=\(target)")
    let info = try probe(path).video
    #expect(info.pixelFormat == source && info.shownFormat(allowsDeep: true).name == target)
  }

  @Test(arguments: [
    ("gbrp", "yuv444p"), ("gbrp10le", "yuv444p10le"), ("gbrp12le", "yuv444p12le"), ("gbrp16le", "yuv444p12le"),
    ("bgra", "yuv444p"), ("rgb24", "yuv444p"), ("pal8", "yuv444p"),
  ])
  func rgbKeepsEverySample(_ source: String, _ target: String) throws {
    let path = try Self.lossless(source)
    let kept = source == "rgb24" ? "bgr0" : source
    try compare(
      path, kept, target, filter: "scale=out_color_matrix=bt709:out_range=pc:flags=\(Self.flags),format=\(target)")
    for frame in try FrameReader(path: path).allFrames() {
      #expect(frame.color.matrix == .bt709 && frame.color.range == .full)
      #expect(!frame.color.guessed.contains { [.matrix, .range, .siting].contains($0) })
    }
  }

  @Test func redGreenAndBlueBecomeFullRange709() throws {
    // R'G'B' to Y'CbCr by BT.709 in full range, rounded.
    let colors: [(String, [UInt8])] = [
      ("red", [54, 99, 255]), ("0x00FF00", [182, 30, 12]), ("blue", [18, 255, 116]), ("white", [255, 128, 128]),
      ("black", [0, 128, 128]), ("0x808080", [128, 128, 128]),
    ]
    for (color, expected) in colors {
      let path = try SharedClips.ffmpeg(
        "rgb-\(color).mkv",
        ["-f", "lavfi", "-i", "color=\(color):s=64x64:r=5:d=0.4,format=gbrp", "-c:v", "libx264rgb", "-crf", "0"])
      let frames = try FrameReader(path: path).allFrames()
      #expect(frames.count == 2)
      for frame in frames {
        #expect(frame.convertedFrom == "gbrp" && frame.format == .planar(.none, bitDepth: 8))
        #expect(frame.conversionReason == "the shaders do not read gbrp: libswscale made yuv444p of it")
        let middle = frame.picture.planes.map { $0[32, 32] }
        #expect(
          zip(middle, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(color): \(middle), not \(expected)")
      }
    }
  }

  /// As on a device that does not filter textures of 16 bits.
  @Test(arguments: [("yuv420p10le", "yuv420p"), ("yuv444p12le", "yuv444p"), ("gray10le", "gray")])
  func deepSamplesBecomeShallowWhereTheyMust(_ source: String, _ target: String) throws {
    let reader = try FrameReader(path: try Self.lossless(source))
    reader.allowsDeepSamples = false
    let frame = try #require(try reader.next())
    #expect(frame.format.name == target && frame.convertedFrom == source)
    let reason = "the device does not filter 16-bit textures: libswscale made \(target) of \(source)"
    #expect(frame.conversionReason == reason)
    #expect(reader.info.video.shownFormat(allowsDeep: false).name == target)
    let judged = try Judge.planes(
      reader.info.path, filter: "scale=in_range=tv:out_range=tv:flags=\(Self.flags),format=\(target)")
    let bytes = frame.packedBytes
    #expect(zip(bytes, judged).allSatisfy { abs(Int($0) - Int($1)) <= 1 } && bytes.count <= judged.count)
  }

  /// Samples as the decoder gives them, bit for bit. No codec of a file keeps Cb and Cr side by side: hardware does.
  @Test(arguments: PictureFormat.all.filter { !$0.isChromaInterleaved })
  func formatsThatShadersReadAreLeftAlone(_ format: PictureFormat) throws {
    let path = try Self.lossless(format.name)
    let frames = try FrameReader(path: path).allFrames()
    #expect(frames.allSatisfy { $0.convertedFrom == nil && $0.conversionReason == nil && $0.format == format })
    #expect(try frames.flatMap(\.packedBytes) == Judge.planes(path, filter: "format=\(format.name)"))
  }

  @Test func directFormatsAreNotConverted() throws {
    for range in ColorDescription.Range.allCases {
      let path = try SharedClips.synthetic("not-converted-\(range).mp4") { ($0.range, $0.frames) = (range, 2) }
      let frames = try FrameReader(path: path).allFrames()
      #expect(frames.allSatisfy { $0.convertedFrom == nil && $0.color.range == range && $0.format == .yuv420p })
    }
  }

  private static func lossless(_ format: String) throws -> String {
    // FFV1 keeps all but palettes, and R'G'B' of 8 bits in another order.
    let codec =
      switch format {
      case "pal8": ["-c:v", "png"]
      case "gbrp": ["-c:v", "libx264rgb", "-crf", "0"]
      default: ["-c:v", "ffv1", "-strict", "-2"]
      }
    let kept = ["rgb24", "gbrp"].contains(format) ? "bgr0" : format
    let raw = ["yuv420p9le", "ya8", "gray10le", "gray12le", "gray16le"].contains(format)
    return try SharedClips.ffmpeg(
      "lossless-\(format).\(raw ? "nut" : "mkv")",
      [
        "-f", "lavfi", "-i", "testsrc2=s=322x182:r=5:d=0.4", "-vf", "scale=out_range=tv", "-pix_fmt", kept,
      ] + codec)
  }

  private func compare(_ path: String, _ format: String, _ target: String, filter: String) throws {
    let frames = try FrameReader(path: path).allFrames()
    #expect(!frames.isEmpty && frames.allSatisfy { $0.convertedFrom == format && $0.format.name == target })
    let isDeep = frames.first?.format.isDeep ?? false
    let bytes = Self.samples(frames.flatMap(\.packedBytes), isDeep)
    let judged = Self.samples(try Judge.planes(path, filter: filter), isDeep)
    try #require(bytes.count == judged.count)
    let errors = zip(bytes, judged).map { abs($0 - $1) }
    let mean = Double(errors.reduce(0, +)) / Double(errors.count)
    #expect(mean < 0.75, "\(format): mean error \(mean)")
    // Chroma at hard edges depends on where it is taken to sit.
    #expect(errors.count { $0 > 6 } < errors.count / 50, "\(format): \(errors.count { $0 > 6 }) of \(errors.count)")
  }

  private static func samples(_ bytes: [UInt8], _ isDeep: Bool) -> [Int] {
    guard isDeep else { return bytes.map { Int($0) } }
    return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
  }
}
