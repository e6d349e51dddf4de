import Decode
import Foundation
import Frames
import Render
import Run
import Support
import Testing

/// Checksums of frames, and what is held against them. Here the decoder under test is simulated by changed frames.
@Suite(.tier(.test)) struct ExpectedFramesTests {
  private static func file(_ text: String) throws -> ExpectedFrames {
    try TestFolders.withTemporary { folder in
      try Data(text.utf8).write(to: URL(filePath: folder + "/x.framehash"))
      return try ExpectedFrames(path: folder + "/x.framehash")
    }
  }

  /// FFmpeg's own file of a clip.
  private static func hashes(_ clip: String, _ muxer: [String]) throws -> String {
    try CommandOutput.of(
      "ffmpeg",
      ["-v", "error", "-noautorotate", "-i", clip, "-map", "0:v:0", "-fps_mode", "passthrough"] + muxer + ["-"]
    ).text
  }

  private static let muxers = [
    ["-f", "framemd5"], ["-f", "framehash"], ["-f", "framehash", "-hash", "crc32"],
    ["-f", "framehash", "-hash", "adler32"],
  ]

  private static func check(
    _ expected: ExpectedFrames, _ clip: String, _ change: (inout VideoFrame, Int) -> Void = { _, _ in }
  ) throws -> FrameVerification {
    var verification = try #require(FrameVerification(expected))
    for (index, frame) in try FrameReader(path: clip).allFrames().enumerated() {
      var changed = frame
      change(&changed, index)
      verification.check(changed, software: frame, index: index)
    }
    return verification
  }

  @Test(arguments: muxers) func ffmpegsChecksumsAreThoseOfTheFrames(muxer: [String]) throws {
    let clip = try SharedClips.many("mp4")
    let text = try Self.hashes(clip, muxer)
    let right = try Self.check(try Self.file(text), clip)
    #expect(right.wrong == 0 && right.firstWrong == nil, "\(right.firstWrong ?? "")")

    // Two lines in each other's place, and the last one gone.
    var lines = text.split(separator: "\n").map(String.init)
    let first = try #require(lines.firstIndex { !$0.hasPrefix("#") })
    lines.swapAt(first + 3, first + 4)
    lines.removeLast()
    let wrong = try Self.check(try Self.file(lines.joined(separator: "\n")), clip)
    #expect(wrong.wrong == 3 && wrong.firstWrong?.hasPrefix("frame 3 has the ") == true, "\(wrong.firstWrong ?? "")")
  }

  /// Without `-autoscale 0` FFmpeg's tool scales every frame to the size of the first one.
  @Test func scaledFramesAreNotCompared() throws {
    func joined(_ name: String, _ sizes: [String]) throws -> String {
      let parts = try sizes.map { size in
        try SharedClips.ffmpeg(
          "resized-\(size).h264",
          ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=10:duration=1", "-pix_fmt", "yuv420p"])
      }
      return try SharedClips.file(name) { path in
        try parts.map { try Data(contentsOf: URL(filePath: $0)) }.reduce(Data(), +).write(to: URL(filePath: path))
      }
    }
    let clip = try joined("shrinks.h264", ["320x180", "160x90"])
    let scaled = try Self.file(try Self.hashes(clip, ["-f", "framehash"]))
    let compared = try Self.check(scaled, clip)
    #expect(compared.wrong == 0 && compared.scaled == 10, "\(compared.firstWrong ?? "")")
    let own = try Self.check(try Self.file(try Self.hashes(clip, ["-autoscale", "0", "-f", "framehash"])), clip)
    #expect(own.wrong == 0 && own.scaled == 0, "\(own.firstWrong ?? "")")

    // Of another clip, which begins with the other size.
    let other = try Self.check(scaled, try joined("grows.h264", ["160x90", "320x180"]))
    #expect(other.wrong == 20 && other.scaled == 0)
    #expect(other.firstWrong == "frame 0 has 21600 bytes in software, not 86400", "\(other.firstWrong ?? "")")
  }

  @Test(.enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func realClipsAgree() throws {
    for name in [
      "androidx+media/libraries/test_data/src/test/assets/media/mp4/bt601.mp4",
      "pytorch+torchcodec/test/resources/h265_video.mp4",
      "androidx+media/libraries/test_data/src/test/assets/media/vp9/bear-vp9-odd-dimensions.webm",
    ] {
      guard let clip = TestFolders.clip(name) else { continue }
      let verification = try Self.check(try Self.file(try Self.hashes(clip, ["-f", "framemd5"])), clip)
      #expect(verification.wrong == 0, "\(name): \(verification.firstWrong ?? "")")
    }
  }

  /// A hardware decoder's layout: chroma in one plane, deep samples in the high bits.
  @Test(arguments: [(8, "nv12"), (10, "p010le")]) func theLayoutDoesNotMatter(bitDepth: Int, format: String) throws {
    let clip = try SharedClips.synthetic("expected-\(bitDepth).mkv") {
      ($0.codec, $0.bitDepth, $0.frames) = ("hevc", bitDepth, 6)
    }
    let expected = try Self.file(try Self.hashes(clip, ["-f", "framehash"]))
    let layout = try #require(PictureFormat.named(format))
    let right = try Self.check(expected, clip) { frame, _ in frame = TestPictures.interleaved(frame, as: layout) }
    #expect(right.wrong == 0, "\(right.firstWrong ?? "")")
    // The frame before, whose time it has.
    var last: HostPicture?
    let wrong = try Self.check(expected, clip) { frame, index in
      let own = TestPictures.interleaved(frame, as: layout)
      defer { last = own.picture }
      frame = own
      if index == 4, let last { frame.picture = last }
    }
    #expect(wrong.wrong == 1 && wrong.firstWrong?.hasPrefix("decoded frame 4 has the SHA256 ") == true)
    // One with another's time.
    let late = try Self.check(.software, clip) { frame, index in
      if index == 2 { frame.presentationTime = frame.presentationTime + frame.duration }
    }
    #expect(late.wrong == 1 && late.firstWrong?.contains("has the time") == true)
  }

  @Test(arguments: [
    ("", "no frame"), ("#hash: MD5\n", "no frame"), ("0, 0, 0, 1, 16, xyz", "line 1"), ("0, 0, 0", "line 1"),
    ("#hash: SHA999\n0, 0, 0, 1, 16, 00ff", "'SHA999'"), ("0,0,0,1,16,00ff\n1,0,0,1,16,00ff", "more than one stream"),
    ("0, 0, 0, 1, 16, 0x00ff", "line 1"), ("moov\u{0}\u{1}", "line 1"),
  ])
  func otherFilesAreRefused(text: String, words: String) {
    let failure = failure { _ = try Self.file(text) }
    #expect(failure?.kind == .input && failure?.description.contains(words) == true, "\(String(describing: failure))")
    #expect(failure?.description.contains("ffmpeg") == true)
  }

  /// The reference itself, in code values, with a difference everywhere or in some places.
  @Test func aViewIsWrongBelowFortyDecibels() throws {
    let frames = try FrameReader(path: try SharedClips.many("mp4")).allFrames()
    let target = PictureSize(width: 160, height: 90)
    func twin(_ frame: VideoFrame) -> ExactTwin {
      ExactTwin(frame: frame, geometry: PictureGeometry(projection: .equirectangular), camera: Camera(), target: target)
    }
    func pixels(_ frame: VideoFrame, _ change: (Int) -> Double = { _ in 0 }) -> [UInt8] {
      let twin = twin(frame)
      return (0..<(target.width * target.height)).flatMap { place -> [UInt8] in
        let color = twin.pixel(place % target.width, place / target.width) ?? Vector3(0, 0, 0)
        let parts = [color.x, color.y, color.z].map { UInt8(min(max(($0 + change(place)).rounded(), 0), 255)) }
        return parts + [255]
      }
    }
    func wrong(_ pixels: [UInt8]) throws -> Int {
      var verification = try #require(FrameVerification(.software))
      verification.check(pixels, reference: twin(frames[0]), index: 0, seed: 1)
      return verification.wrong
    }
    #expect(try wrong(pixels(frames[0])) == 0)
    #expect(try wrong(pixels(frames[0]) { $0 % 2 == 0 ? 1 : -1 }) == 0, "a code value is a device's right")
    #expect(try wrong(pixels(frames[20])) == 1, "another frame")
    // A band of damage, as of lost blocks.
    #expect(try wrong(pixels(frames[0]) { $0 / target.width == 45 ? 100 : 0 }) == 1)
  }
}
