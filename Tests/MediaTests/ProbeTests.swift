import Decode
import Encode
import Foundation
import Frames
import Media
import Support
import Testing

/// What the probe says is what FFmpeg's own says.
@Suite(.tier(.test)) struct ProbeTests {
  private static let clips: [(String, @Sendable (inout ClipSpecification) -> Void)] = [
    ("a.mp4", { _ in }),
    ("b.mkv", { ($0.codec, $0.rate, $0.gop) = ("hevc", Ratio(24000, 1001), 12) }),
    ("c.webm", { ($0.codec, $0.frames, $0.hasAudio) = ("vp9", 8, true) }),
    ("d.mp4", { ($0.codec, $0.hasAudio) = ("mpeg4", true) }),
    ("e.ts", { $0.codec = "mpeg2" }),
    ("f.mkv", { ($0.bitDepth, $0.matrix) = (10, .bt2020) }),
    ("g.mp4", { ($0.chroma, $0.range, $0.matrix) = (.yuv444, .full, .bt601) }),
    ("h.mp4", { ($0.size.height, $0.stereo) = (640, .topBottom) }),
    ("i.mkv", { ($0.size.width, $0.stereo) = (1280, .sideBySide) }),
    ("j.mp4", { ($0.projection, $0.size) = (.flat, PictureSize(width: 320, height: 180)) }),
  ]

  /// Times count from the video's first frame; ffmpeg writes the same chapters into both containers.
  @Test(arguments: ["mp4", "mkv"])
  func chaptersAreListed(container: String) throws {
    try TestFolders.withTemporary { folder in
      let text = (0..<3).map {
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0 * 400)\nEND=\($0 * 400 + 400)\ntitle=Part \($0)\n"
      }
      try Data((";FFMETADATA1\n" + text.joined()).utf8).write(to: URL(filePath: folder + "/chapters.txt"))
      let path = "\(folder)/chapters.\(container)"
      let made = try CommandOutput.of(
        "ffmpeg",
        [
          "-v", "error", "-i", SharedClips.many(container), "-i", folder + "/chapters.txt", "-map_metadata", "1",
          "-map", "0:v", "-c", "copy", path,
        ])
      try #require(made.status == 0, "\(made.errors)")
      let info = try probe(path)
      #expect(info.chapters.map(\.title) == ["Part 0", "Part 1", "Part 2"])
      for (chapter, seconds) in zip(info.chapters, [0, 0.4, 0.8]) {
        #expect(abs(chapter.startSeconds - seconds) < 0.01)
      }
      #expect(try probe(SharedClips.many(container)).chapters.isEmpty)
    }
  }

  @Test(arguments: clips.map(\.0))
  func syntheticClipsAreWhatTheyWereMadeToBe(name: String) throws {
    let change = try #require(Self.clips.first { $0.0 == name }).1
    let clip = SharedClips.small(change)
    let path = try SharedClips.synthetic("probe-\(name)", change)
    let info = try probe(path)
    try compare(info, path)
    let video = info.video
    #expect(video.size == clip.size && video.frameRate.value == clip.rate.value)
    #expect(info.path == path && info.durationSeconds.map { abs($0 - clip.duration) < 0.12 } ?? false)
    #expect(info.streams.contains { $0.kind == "audio" } == clip.hasAudio)
    let isTransport = name.hasSuffix("ts")
    #expect(info.synthetic == (isTransport ? nil : clip.tag))
    #expect((video.spherical?.projection == "equirectangular") == (clip.projection == .equirectangular && !isTransport))
    if clip.stereo != .mono { #expect(video.stereo == clip.stereo) }
    #expect(video.color.matrix == clip.matrix && video.color.range == clip.range)
    #expect(!video.color.guessed.contains(.matrix) && !video.isEncrypted && !video.isInterlaced)
    if name.hasSuffix("mp4") {
      #expect(video.frameCount == 24 && video.groupOfPictures?.longestFrames == 8)
      #expect(video.groupOfPictures?.syncSamples == 3 && video.groupOfPictures?.averageFrames == 8)
    }
  }

  @Test(arguments: [(90.0, 270), (180, 180), (270, 90), (0, 0)])
  func rotationIsClockwise(counterClockwise: Double, clockwise: Int) throws {
    let source = try SharedClips.synthetic("probe-a.mp4")
    let path = try SharedClips.turned("rotated-\(Int(counterClockwise)).mp4", source, by: Int(counterClockwise))
    let info = try probe(path)
    #expect(info.video.rotation == clockwise)
    try compare(info, path)
  }

  @Test func sampleAspectAndUntaggedColour() throws {
    for (size, matrix) in [("320x180", ColorDescription.Matrix.bt601), ("1280x64", .bt709), ("64x578", .bt709)] {
      let path = try SharedClips.ffmpeg(
        "untagged-\(size).mp4",
        [
          "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=0.2", "-vf", "setsar=4/3", "-pix_fmt", "yuv420p", "-c:v",
          "libx264",
        ])
      let info = try probe(path)
      #expect(info.video.sampleAspect == Ratio(4, 3))
      #expect(info.video.color.matrix == matrix && info.video.color.range == .limited)
      #expect(Set(info.video.color.guessed).isSuperset(of: [.matrix, .range, .primaries, .transfer]))
      #expect(info.video.spherical == nil && info.video.stereo == nil && info.synthetic == nil)
      try compare(info, path)
    }
  }

  /// Frames that last differently long are counted, not their time divided; an index of sync samples only tells times.
  @Test func sampleSpacingIsCounted() throws {
    let variable = try SharedClips.synthetic("probe-variable.mp4") {
      ($0.isVariableRate, $0.frames, $0.gop) = (true, 120, 28)
    }
    let counted = try #require(try probe(variable).video.groupOfPictures)
    #expect(counted.isCounted && counted.hasVariableRate == true && counted.syncSamples == 5)
    #expect(counted.averageFrames == 24 && counted.longestFrames == 28)
    let constant = try #require(try probe(SharedClips.synthetic("probe-a.mp4")).video.groupOfPictures)
    #expect(constant.isCounted && constant.hasVariableRate == false)
    // 1000 ticks a second do not divide by 24000/1001: durations of 41 and 42 ticks are one rate.
    let coarse = try SharedClips.ffmpeg(
      "probe-coarse.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=24000/1001:d=2", "-c:v", "mpeg4", "-video_track_timescale", "1000"])
    #expect(try probe(coarse).video.groupOfPictures?.hasVariableRate == false)
    let keys = try SharedClips.ffmpeg("probe-keys.mkv", ["-i", variable, "-c", "copy", "-cues_to_front", "1"])
    if let told = try probe(keys).video.groupOfPictures {
      #expect(!told.isCounted && told.hasVariableRate == nil && told.longestSeconds > 0)
    }
  }

  @Test func stillPicturesAndAlphaAreSaidToBe() throws {
    let video = try SharedClips.synthetic("probe-a.mp4")
    #expect(try !probe(video).isStill && !probe(video).video.hasAlpha)
    for name in ["one.png", "one.jpg", "one.mp4", "one.webm", "one.webp"] {
      #expect(try probe(SharedClips.ffmpeg("still-\(name)", ["-i", video, "-frames:v", "1"])).isStill, "\(name)")
    }
    let source = ["-f", "lavfi", "-i", "testsrc2=s=64x64:d=0.2,format=rgba", "-c:v"]
    #expect(try probe(SharedClips.ffmpeg("alpha.mov", source + ["png"])).video.hasAlpha)
    #expect(try probe(SharedClips.ffmpeg("alpha.mkv", source + ["ffv1", "-pix_fmt", "yuva420p"])).video.hasAlpha)
    #expect(try !probe(SharedClips.ffmpeg("opaque.mov", source + ["png", "-pix_fmt", "rgb24"])).video.hasAlpha)
  }

  @Test func interlacedVideoIsSaidToBe() throws {
    let path = try SharedClips.ffmpeg(
      "interlaced.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x192:r=25:d=0.4", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-x264-params",
        "interlaced=1:tff=1",
      ])
    #expect(try probe(path).video.isInterlaced)
    #expect(try FrameReader(path: path).allFrames().allSatisfy(\.isInterlaced))
  }

  @Test func coverArtIsNotTheVideo() throws {
    let picture = try SharedClips.ffmpeg("cover.png", ["-f", "lavfi", "-i", "testsrc2=s=2000x2000", "-frames:v", "1"])
    let path = try SharedClips.ffmpeg(
      "cover.mp4",
      [
        "-i", picture, "-i", try SharedClips.synthetic("probe-a.mp4"), "-map", "0", "-map", "1:v", "-c", "copy",
        "-disposition:v:0", "attached_pic", "-disposition:v:1", "default",
      ])
    #expect(try probe(path).video.codec == "h264")
    let only = try SharedClips.ffmpeg(
      "only-cover.m4a",
      [
        "-f", "lavfi", "-i", "sine=d=0.3", "-i", picture, "-map", "0", "-map", "1", "-c:a", "aac", "-c:v", "copy",
        "-disposition:v:0", "attached_pic",
      ])
    let refused = failure { _ = try probe(only) }
    #expect(refused?.kind == .media && refused?.cause.contains("cover picture") ?? false)
  }

  private static let realClips: [String] = {
    guard let media = TestFolders.media,
      let index = try? String(contentsOfFile: media + "/INDEX.tsv", encoding: .utf8)
    else { return [] }
    var paths: [String] = []
    for line in index.split(separator: "\n").dropFirst() {
      let row = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard row.count > 14, row[5].contains("x"), let bytes = Int(row[1]), bytes < 1_000_000 else { continue }
      if ["2-", "3-", "5-", "6-"].contains(where: { row[14].hasPrefix($0) }) { paths.append(media + "/" + row[0]) }
    }
    return paths
  }()

  @Test(.enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func realClipsAreWhatFFprobeSays() throws { #expect(try compare(Self.realClips.sample(oneIn: 8)) >= 8) }

  @Test(.tier(.full), .enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func allRealClipsAreWhatFFprobeSays() throws { #expect(try compare(Self.realClips) >= 60) }

  /// How many of the clips could be compared.
  private func compare(_ paths: [String]) throws -> Int {
    var compared = 0
    for path in paths {
      // Descriptions of clips without a picture and refusals are other tests' matter.
      guard let info = try? probe(path), info.container != "hls" else { continue }
      try compare(info, path)
      compared += 1
    }
    return compared
  }

  private func compare(_ info: MediaInfo, _ path: String) throws {
    let judged = try Judge.ffprobe(path)
    let streams = try #require(judged.streams)
    let stream = try #require(streams.first { $0.index == info.video.streamIndex })
    let video = info.video
    let name = Comment(rawValue: path)
    #expect(info.streams.map(\.kind) == streams.map { $0.codecType ?? "unknown" }, name)
    #expect(info.container == judged.format?.formatName && video.codec == stream.codecName, name)
    #expect(video.size.width == stream.width && video.size.height == stream.height, name)
    #expect(video.pixelFormat == stream.pixFmt && video.frameCount == stream.nbFrames.flatMap { Int($0) }, name)
    if let duration = judged.format?.duration.flatMap({ Double($0) }) {
      #expect(info.durationSeconds.map { abs($0 - duration) < 1e-5 } ?? (duration <= 0), name)
    }
    let sampleAspect = stream.sampleAspectRatio.flatMap { $0 == "0:1" ? nil : $0 } ?? "1:1"
    #expect("\(video.sampleAspect.numerator):\(video.sampleAspect.denominator)" == sampleAspect, name)
    let rates = [stream.rFrameRate, stream.avgFrameRate].compactMap { $0 }
    #expect(rates.contains(video.frameRate.description) || video.frameRate == Ratio(25, 1), name)
    let rotation = stream.sideDataList?.compactMap(\.rotation).first ?? 0
    // ffprobe gives the angle of the whole matrix; with a mirroring in it that is no turn. Pictures judge those.
    if !video.isMirrored {
      #expect(video.rotation == ((360 - Int(rotation.rounded())) % 360 + 360) % 360, name)
    }
    // FFmpeg 7.1 says it of flat pictures too.
    let projections = stream.sideDataList?.compactMap(\.projection).filter { $0 != "rectilinear" } ?? []
    #expect((video.spherical != nil) == !projections.isEmpty, name)
    compareColor(video.color, stream, name)
  }

  /// What is signalled and cannot be done is guessed instead, and said so.
  @Test func matricesThatCannotBeDoneAreNamed() throws {
    for (signalled, name) in [("ycgco", "ycgco"), ("bt2020c", "bt2020c"), ("smpte2085", "smpte2085")] {
      let path = try Self.tagged(signalled, primaries: "bt2020", transfer: "bt2020-10")
      let color = try probe(path).video.color
      #expect(color.matrix == .bt601 && color.guessed.contains(.matrix) && color.ignored == ["matrix \(name)"])
      #expect(try FrameReader(path: path).next()?.color.ignored == ["matrix \(name)"])
    }
    for (signalled, matrix) in [("smpte240m", ColorDescription.Matrix.smpte240m), ("fcc", .fcc)] {
      let color = try probe(try Self.tagged(signalled, primaries: "smpte170m", transfer: "bt709")).video.color
      #expect(color.matrix == matrix && color.ignored == nil && !color.guessed.contains(.matrix))
      #expect(color.primaries == "smpte170m")
    }
  }

  /// Only where chroma is subsampled does it matter where it sits.
  @Test func sitingIsNoGuessWhereItDoesNotMatter() throws {
    for format in ["yuv444p", "gray", "gbrp"] {
      let path = try SharedClips.ffmpeg(
        "siting-\(format).mkv",
        ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=5:d=0.2", "-pix_fmt", format, "-c:v", "ffv1"])
      #expect(try !probe(path).video.color.guessed.contains(.siting), "\(format)")
    }
  }

  /// Said of the frames and of the encoder: FFmpeg 7.1 converts where only the encoder is told, and cannot.
  private static func tagged(_ matrix: String, primaries: String, transfer: String) throws -> String {
    let said = "setparams=colorspace=\(matrix):color_primaries=\(primaries):color_trc=\(transfer)"
    return try SharedClips.ffmpeg(
      "tagged-\(matrix).mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.2,format=yuv420p,\(said)", "-c:v", "libx264", "-colorspace",
        matrix, "-color_primaries", primaries, "-color_trc", transfer,
      ])
  }

  /// Of the mastering display, from the container or from the frames; MaxCLL does not outrank it.
  @Test(.enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func peaksOfHDRAreRead() throws {
    let folder = "androidx+media/libraries/test_data/src/test/assets/media/mp4/"
    let clips = [
      ("AcademySoftwareFoundation+EncodingGuidelines/hdr/output_hdr10.mp4", 1000.0),
      (folder + "sample_with_colr_mdcv_and_clli.mp4", 1000), (folder + "hlg10-color-test.mp4", nil),
    ]
    for (name, peak) in clips {
      let reader = try FrameReader(path: try #require(TestFolders.clip(name)))
      let frame = try #require(try reader.next())
      #expect(frame.color.peakNits == peak && frame.convertedFrom == nil, "\(name): \(frame.color)")
      #expect(["smpte2084", "arib-std-b67"].contains(frame.color.transfer) && frame.color.primaries == "bt2020")
    }
    let dolby = try #require(TestFolders.clip(folder + "dolbyVision-hdr.MOV"))
    #expect(try probe(dolby).video.isDolbyVision)
    #expect(try !probe(try SharedClips.many("mp4")).video.isDolbyVision)
  }

  private func compareColor(_ color: ColorDescription, _ stream: FFprobe.Stream, _ name: Comment) {
    let matrices = [
      "bt709": ColorDescription.Matrix.bt709, "smpte170m": .bt601, "bt470bg": .bt601, "bt2020nc": .bt2020,
      "fcc": .fcc, "smpte240m": .smpte240m,
    ]
    let isRGB = stream.pixFmt?.contains(/gb|rgb|pal/) ?? false
    let matrix = isRGB ? .bt709 : stream.colorSpace.flatMap { matrices[$0] }
    let isIgnored = color.ignored?.contains { $0.hasPrefix("matrix ") } ?? false
    #expect(isIgnored == (matrix == nil && stream.colorSpace != nil), name)
    #expect(color.guessed.contains(.matrix) == (matrix == nil), name)
    if let matrix { #expect(color.matrix == matrix, name) }
    let isFull = isRGB || stream.pixFmt?.hasPrefix("yuvj") ?? false || stream.colorRange == "pc"
    #expect(color.range == (isFull ? .full : .limited), name)
    let sitings = ["left": ColorDescription.ChromaSiting.left, "center": .center, "topleft": .topLeft]
    if let siting = stream.chromaLocation.flatMap({ sitings[$0] }) { #expect(color.siting == siting, name) }
    #expect(color.guessed.contains(.primaries) == (stream.colorPrimaries == nil), name)
    #expect(color.primaries == stream.colorPrimaries ?? "bt709", name)
    #expect(color.transfer == stream.colorTransfer ?? "bt709", name)
  }
}
