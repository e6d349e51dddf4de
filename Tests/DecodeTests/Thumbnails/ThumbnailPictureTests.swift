import Decode
import Encode
import Foundation
import Frames
import Media
import Support
import Testing

/// What becomes of a picture on the way to its thumbnail, with FFmpeg as the judge.
@Suite(.tier(.test)) struct ThumbnailPictureTests {
  private static func expect(
    _ path: String, options: ThumbnailOptions = ThumbnailOptions(), size: PictureSize, filter: String = "",
    turns: Bool = false, psnr: Double = 38, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let picture = try #require(try KeyFrameReader(of: try ProbedClip(path: path), options: options).picture(at: .zero))
    #expect(picture.size == size, sourceLocation: sourceLocation)
    let judge = try ThumbnailJudge(path, size: size, filter: filter, turns: turns)
    let first = try #require(judge.frames.first)
    let found = ThumbnailJudge.psnr(picture.rgba, first)
    #expect(found > psnr, "\(found) dB", sourceLocation: sourceLocation)
    #expect(picture.rgba.count == size.width * size.height * 4, sourceLocation: sourceLocation)
  }

  private static func pattern(_ name: String, size: String, _ options: [String]) throws -> String {
    try SharedClips.ffmpeg(
      "pattern-\(name)",
      [
        "-f", "lavfi", "-i",
        "testsrc2=s=640x360:d=0.4:r=10,format=yuv444p,scale=\(size.replacing("x", with: ":")),setsar=1",
      ]
        + options)
  }

  @Test(arguments: [
    ("odd.mkv", "321x181", "yuv420p", 90), ("odd-444.mkv", "333x111", "yuv444p", 53),
    ("deep.mkv", "640x360", "yuv420p10le", 90),
    ("deep-12.mkv", "640x360", "yuv422p12le", 90), ("rgb.mkv", "320x240", "bgr0", 120),
    ("alpha.mkv", "320x240", "yuva420p", 120),
    ("grey.mkv", "320x240", "gray", 120), ("narrow.mkv", "17x300", "yuv420p", 640),
  ])
  func everyFormatAndSize(name: String, size: String, format: String, height: Int) throws {
    let path = try Self.pattern(name, size: size, ["-c:v", "ffv1", "-pix_fmt", format])
    let width = height == 640 ? 36 : 160
    try Self.expect(path, size: PictureSize(width: width, height: height), psnr: 30)
  }

  @Test func hdrIsBroughtToEightBits() throws {
    let path = try Self.pattern(
      "pq.mkv", size: "640x360",
      ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p10le"]
        + ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"])
    try Self.expect(path, size: PictureSize(width: 160, height: 90), psnr: 30)
  }

  @Test(arguments: [90, 180, 270])
  func turnedClipsStandUpright(degrees: Int) throws {
    let source = try Self.pattern("upright.mp4", size: "640x360", ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    let path = try SharedClips.turned("turned-\(degrees).mp4", source, by: degrees)
    try #require(try probe(path).video.rotation % 180 == degrees % 180)
    let size = degrees == 180 ? PictureSize(width: 160, height: 90) : PictureSize(width: 160, height: 284)
    try Self.expect(path, size: size, turns: true, psnr: 28)
    // A sphere's picture is not turned.
    try Self.expect(
      path, options: ThumbnailOptions(isSpherical: true), size: PictureSize(width: 160, height: 90), psnr: 30)
  }

  @Test func mirroringComesBeforeTheTurn() {
    // Pixels 0 1 2 above 3 4 5.
    let picture = SmallPicture(
      rgba: (0..<6).flatMap { [UInt8($0), 0, 0, 255] }, size: PictureSize(width: 3, height: 2), time: .zero)
    func reds(_ rotation: Int, _ isMirrored: Bool) -> [UInt8] {
      let turned = picture.turned(by: rotation, isMirrored: isMirrored)
      #expect(turned.size.width == (rotation % 180 == 0 ? 3 : 2))
      return stride(from: 0, to: 24, by: 4).map { turned.rgba[$0] }
    }
    #expect(reds(0, false) == [0, 1, 2, 3, 4, 5])
    #expect(reds(90, false) == [3, 0, 4, 1, 5, 2])
    #expect(reds(180, false) == [5, 4, 3, 2, 1, 0])
    #expect(reds(270, false) == [2, 5, 1, 4, 0, 3])
    #expect(reds(0, true) == [2, 1, 0, 5, 4, 3])
    #expect(reds(90, true) == [5, 2, 4, 1, 3, 0])
  }

  @Test func samplesThatAreNoSquaresAreStretched() throws {
    let path = try Self.pattern(
      "wide.mp4", size: "320x240", ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-vf", "setsar=2"])
    try Self.expect(path, size: PictureSize(width: 160, height: 60), psnr: 30)
    try Self.expect(
      path, options: ThumbnailOptions(isSpherical: true), size: PictureSize(width: 160, height: 120), psnr: 30)
  }

  @Test func ofTwoEyesTheLeftIsShown() throws {
    for (stereo, crop) in [(StereoLayout.topBottom, "crop=iw:ih/2:0:0"), (.sideBySide, "crop=iw/2:ih:0:0")] {
      let path = try SharedClips.synthetic("thumbs-\(stereo.rawValue).mp4") {
        $0.size = PictureSize(width: 1024, height: 512)
        ($0.stereo, $0.frames) = (stereo, 8)
      }
      // A sphere's picture is 2:1, however it is squeezed.
      let size = PictureSize(width: 160, height: 80)
      try Self.expect(path, size: size, filter: crop, psnr: 30)
      try Self.expect(
        path, options: ThumbnailOptions(stereo: .mono), size: PictureSize(width: 160, height: 80), psnr: 30)
    }
  }

  /// As 1920×1080 with samples of 9:16: each eye is 2:1. Half of the picture, with the sample aspect ignored, would be 32:9.
  @Test func anamorphicEyesHaveTheirShape() throws {
    let path = try Self.pattern(
      "anamorphic.mp4", size: "320x180", ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-vf", "setsar=9/16"])
    let half = PictureSize(width: 160, height: 80)
    try Self.expect(
      path, options: ThumbnailOptions(stereo: .topBottom), size: half, filter: "crop=iw:ih/2:0:0", psnr: 30)
    try Self.expect(
      path, options: ThumbnailOptions(stereo: .topBottom, isSpherical: true, aspect: 2), size: half,
      filter: "crop=iw:ih/2:0:0", psnr: 30)
    try Self.expect(
      path, options: ThumbnailOptions(stereo: .topBottom, isSpherical: true), size: PictureSize(width: 160, height: 45),
      filter: "crop=iw:ih/2:0:0", psnr: 30)
  }

  @Test(.enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func aRealAnamorphicClip() throws {
    let path = try #require(TestFolders.media) + "/googlevr+vrview/examples/video/congo_1024.mp4"
    try Self.expect(path, size: PictureSize(width: 160, height: 80), filter: "crop=iw:ih/2:0:0", psnr: 30)
  }

  // MARK: - Files that have none

  @Test func clipsWithoutPicturesSaySo() throws {
    let sound = try SharedClips.ffmpeg("thumb-sine.m4a", ["-f", "lavfi", "-i", "sine=d=0.3", "-c:a", "aac"])
    #expect(failure { _ = try KeyFrameReader(of: try ProbedClip(path: sound)) }?.cause.contains("only audio") ?? false)
    #expect(failure { _ = try KeyFrameReader(of: try ProbedClip(path: "missing.mp4")) }?.kind == .input)
  }

  @Test func aSingleSyncSampleServesAllTimes() throws {
    let path = try SharedClips.synthetic("thumbs-single.mp4") { ($0.frames, $0.gop) = (40, 250) }
    let reader = try KeyFrameReader(of: try ProbedClip(path: path))
    let first = try #require(try reader.picture(at: .zero))
    for time in [0.5, 1.3, 9] { #expect(try reader.picture(at: MediaTime(seconds: time)) == first) }
  }

  /// Garbled sync samples: another picture or none, but an answer, and the others are still there.
  @Test func damagedGroupsAreAnswered() throws {
    let source = try SharedClips.synthetic("thumbs-undamaged.mp4") { ($0.frames, $0.gop) = (32, 8) }
    let packets = try Judge.packets(source)
    var data = try Data(contentsOf: URL(filePath: source))
    for number in [8, 16] {
      let position = try #require(packets[number].pos.flatMap { Int($0) })
      let size = try #require(packets[number].size.flatMap { Int($0) })
      data.replaceSubrange(position..<position + size, with: Data(repeating: 0x7F, count: size))
    }
    try TestFolders.withTemporary { folder in
      let path = folder + "/damaged.mp4"
      try data.write(to: URL(filePath: path))
      let reader = try KeyFrameReader(of: try ProbedClip(path: path))
      let whole = try KeyFrameReader(of: try ProbedClip(path: source))
      for number in [8, 16] { _ = failure { _ = try reader.picture(at: MediaTime(seconds: Double(number) / 30)) } }
      for number in [0, 24] {
        let time = MediaTime(seconds: Double(number) / 30)
        #expect(try reader.picture(at: time)?.rgba == whole.picture(at: time)?.rgba)
      }
    }
  }

  /// All of a clip is decoded before it is known that it has no picture: once, not for each of a hundred thumbnails.
  @Test func aClipWithoutPicturesIsDecodedOnce() throws {
    let whole = try SharedClips.synthetic("thumbs-undamaged.mp4") { ($0.frames, $0.gop) = (32, 8) }
    var data = try Data(contentsOf: URL(filePath: whole))
    for packet in try Judge.packets(whole) {
      let position = try #require(packet.pos.flatMap { Int($0) })
      let size = try #require(packet.size.flatMap { Int($0) })
      data.replaceSubrange(position..<position + size, with: Data(repeating: 0x7F, count: size))
    }
    try TestFolders.withTemporary { folder in
      let path = folder + "/empty.mp4"
      try data.write(to: URL(filePath: path))
      let source = try CountingSource(path)
      let opened = try FrameReader(path: source.path, source: source, interruption: Interruption())
      let reader = try KeyFrameReader(of: try #require(opened.clip))
      let first = failure { _ = try reader.picture(at: .zero) }
      #expect(first?.cause.contains("no picture came out of") ?? false)
      #expect(source.takeByteCount() > 0)
      for seconds in [0.3, 0.9, 100] {
        #expect(failure { _ = try reader.picture(at: MediaTime(seconds: seconds)) } == first)
      }
      #expect(source.takeByteCount() == 0)
    }
  }

  @Test func readingCanBeStopped() throws {
    let interruption = Interruption()
    let path = try SharedClips.synthetic("thumbs-stopped.mp4") { ($0.frames, $0.gop) = (90, 30) }
    let reader = try KeyFrameReader(of: try ProbedClip(path: path), interruption: interruption)
    interruption.request()
    #expect(failure { _ = try reader.picture(at: MediaTime(seconds: 2.9)) }?.kind == .cancelled)
  }
}
