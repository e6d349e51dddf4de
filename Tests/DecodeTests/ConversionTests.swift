import Decode
import Encode
import Frames
import Support
import Testing

/// Formats that the shaders do not read become yuv420p of the same colours, and say what they were.
@Suite struct ConversionTests {
  @Test(arguments: ["yuv420p10le", "yuv422p", "yuv444p", "yuvj444p"])
  func samplesAreFFmpegsWithinAFewValues(format: String) throws {
    let path = try SharedClips.synthetic("converted-\(format).mkv") {
      $0.frames = 3
      $0.noise = 0
      $0.bitDepth = format.hasSuffix("10le") ? 10 : 8
      $0.chroma = format.contains("444") ? .yuv444 : format.contains("422") ? .yuv422 : .yuv420
      $0.range = format.hasPrefix("yuvj") ? .full : .limited
      $0.matrix = .bt601
    }
    let range = format.hasPrefix("yuvj") ? "pc" : "tv"
    let flags = "bilinear+accurate_rnd+full_chroma_inp"
    try compare(
      path, format, filter: "scale=in_range=\(range):out_range=\(range):flags=\(flags),format=yuv420p")
    let frames = try FrameReader(path: path).allFrames()
    #expect(frames.allSatisfy { $0.color.matrix == .bt601 && $0.color.range == (range == "pc" ? .full : .limited) })
    #expect(frames.map { $0.number() } == [0, 1, 2])
  }

  @Test func redGreenAndBlueBecomeLimited709() throws {
    // R'G'B' to Y'CbCr by BT.709 in limited range, rounded.
    let colors: [(String, [UInt8])] = [
      ("red", [63, 102, 240]), ("0x00FF00", [173, 42, 26]), ("blue", [32, 240, 118]), ("white", [235, 128, 128]),
      ("black", [16, 128, 128]), ("0x808080", [126, 128, 128]),
    ]
    for (color, expected) in colors {
      let path = try SharedClips.ffmpeg(
        "rgb-\(color).mkv",
        ["-f", "lavfi", "-i", "color=\(color):s=64x64:r=5:d=0.4,format=gbrp", "-c:v", "libx264rgb", "-crf", "0"])
      let frames = try FrameReader(path: path).allFrames()
      #expect(frames.count == 2)
      for frame in frames {
        #expect(frame.convertedFrom == "gbrp" && frame.format == .yuv420p)
        #expect(frame.color.matrix == .bt709 && frame.color.range == .limited)
        let middle = [
          frame.picture.planes[0][32, 32], frame.picture.planes[1][16, 16], frame.picture.planes[2][16, 16],
        ]
        #expect(
          zip(middle, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(color): \(middle), not \(expected)")
      }
    }
  }

  @Test func rgbPicturesKeepTheirPlace() throws {
    let path = try SharedClips.ffmpeg(
      "rgb-picture.mkv",
      ["-f", "lavfi", "-i", "testsrc2=s=322x182:r=5:d=0.4,format=gbrp", "-c:v", "libx264rgb", "-crf", "0"])
    let flags = "bilinear+accurate_rnd+full_chroma_inp"
    try compare(path, "gbrp", filter: "scale=out_color_matrix=bt709:out_range=tv:flags=\(flags),format=yuv420p")
  }

  @Test func directFormatsAreNotConverted() throws {
    for range in ColorDescription.Range.allCases {
      let path = try SharedClips.synthetic("not-converted-\(range).mp4") { ($0.range, $0.frames) = (range, 2) }
      let frames = try FrameReader(path: path).allFrames()
      #expect(frames.allSatisfy { $0.convertedFrom == nil && $0.color.range == range && $0.format == .yuv420p })
    }
  }

  private func compare(_ path: String, _ format: String, filter: String) throws {
    let frames = try FrameReader(path: path).allFrames()
    #expect(frames.allSatisfy { $0.convertedFrom == format && $0.format == .yuv420p })
    let bytes = frames.flatMap(\.packedBytes)
    let judged = try Judge.planes(path, filter: filter)
    try #require(bytes.count == judged.count)
    let errors = zip(bytes, judged).map { abs(Int($0) - Int($1)) }
    let mean = Double(errors.reduce(0, +)) / Double(errors.count)
    #expect(mean < 0.75, "\(format): mean error \(mean)")
    // Chroma at hard edges depends on where it is taken to sit.
    #expect(errors.count { $0 > 6 } < errors.count / 50, "\(format): \(errors.count { $0 > 6 }) of \(errors.count)")
  }
}
