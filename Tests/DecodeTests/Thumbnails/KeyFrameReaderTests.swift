import Decode
import Encode
import Foundation
import Frames
import Media
import Support
import Testing

/// Which frame a thumbnail is of is read from its pixels: of all sync samples FFmpeg's own small picture of it is the nearest.
@Suite(.tier(.test)) struct KeyFrameReaderTests {
  struct Clip: Sendable, CustomStringConvertible {
    var description: String
    var codec = "h264"
    var bFrames = 2
    /// Packets do not say when they are shown: the picture may be that of the sync sample before.
    var isVague = false
    var ffmpeg: [String]?

    func path() throws -> String {
      let source = { (change: (inout ClipSpecification) -> Void, name: String) in
        try SharedClips.synthetic(name) {
          $0.projection = .flat
          $0.size = PictureSize(width: 640, height: 360)
          $0.frames = 64
          $0.gop = 12
          $0.noise = 0
          change(&$0)
        }
      }
      let change = { (clip: inout ClipSpecification) in (clip.codec, clip.bFrames) = (codec, bFrames) }
      guard let ffmpeg else { return try source(change, "thumbs-\(self)") }
      let path = try source(change, "thumbs-source-\(codec).mp4")
      return try SharedClips.ffmpeg("thumbs-\(self)", ["-i", path] + ffmpeg)
    }
  }

  static let clips: [Clip] = [
    Clip(description: "h264.mp4"), Clip(description: "h264.mkv"), Clip(description: "h264.ts"),
    Clip(description: "raw.h264", isVague: true), Clip(description: "hevc.mp4", codec: "hevc"),
    Clip(description: "vp9.webm", codec: "vp9", bFrames: 0), Clip(description: "av1.mp4", codec: "av1", bFrames: 0),
    Clip(description: "mpeg4.mp4", codec: "mpeg4", bFrames: 0), Clip(description: "mpeg2.ts", codec: "mpeg2"),
    Clip(description: "stampless.avi", codec: "mpeg4", bFrames: 0, isVague: true, ffmpeg: ["-c", "copy"]),
    Clip(description: "mjpeg.mkv", ffmpeg: ["-c:v", "mjpeg", "-q:v", "2"]),
    Clip(
      description: "open.mp4",
      ffmpeg: ["-c:v", "libx264", "-x264-params", "scenecut=0:open-gop=1:bframes=3:b-adapt=0:keyint=16"]),
    Clip(
      description: "fragments.mp4",
      ffmpeg: ["-c", "copy", "-movflags", "frag_keyframe+empty_moov+default_base_moof+skip_trailer"]),
    Clip(description: "live.mkv", ffmpeg: ["-c", "copy", "-f", "matroska", "-live", "1"]),
  ]

  /// Numbers and times of the sync samples.
  static func syncSamples(_ path: String) throws -> [(number: Int, time: Double)] {
    let frames = try FrameReader(path: path, options: DecoderOptions(threads: 1)).allFrames()
    return frames.enumerated().filter(\.element.isKeyFrame).map { ($0.offset, $0.element.presentationTime.seconds) }
  }

  /// Of two that are about as near, either: the index of an open group tells them up to three frames beside their places.
  static func areAboutAsNear(_ time: Double, _ number: Int, _ samples: [(number: Int, time: Double)]) -> Bool {
    let distances = samples.map { abs($0.time - max(0, time)) }
    let own = samples.firstIndex { $0.number == number }.map { distances[$0] } ?? .infinity
    return own - (distances.min() ?? 0) < 0.21
  }

  static func nearest(_ time: Double, _ samples: [(number: Int, time: Double)]) -> Int? {
    samples.min { abs($0.time - time) < abs($1.time - time) }?.number
  }

  @Test(arguments: clips)
  func thumbnailsAreOfTheNearestSyncSample(clip: Clip) throws {
    let path = try clip.path()
    let reader = try KeyFrameReader(of: try ProbedClip(path: path))
    let judge = try ThumbnailJudge(path, size: PictureSize(width: 160, height: 90))
    let samples = try Self.syncSamples(path)
    try #require(samples.count >= 4 && judge.frames.count >= 64)
    var random = SeededGenerator(for: "thumbnailsAreOfTheNearestSyncSample \(clip)")
    let times = [0, -3, 100] + (0..<12).map { _ in Double.random(in: 0..<2.13, using: &random) }
    for time in times {
      let picture = try #require(try reader.picture(at: MediaTime(seconds: time)))
      #expect(picture.size == PictureSize(width: 160, height: 90))
      let found = try #require(judge.nearest(to: picture, among: samples.map(\.number)))
      let before = samples.last { $0.time <= max(0, time) + 1e-6 }?.number
      let isRight =
        found.number == Self.nearest(time, samples) || clip.isVague && found.number == before
        || clip.description == "open.mp4" && Self.areAboutAsNear(time, found.number, samples)
      #expect(isRight && found.psnr > 30, "\(time) s: \(found), wanted \(Self.nearest(time, samples) ?? -1)")
      let own = try #require(samples.first { $0.number == found.number }).time
      #expect(clip.isVague || abs(picture.time.seconds - own) < 0.002, "\(picture.time.seconds) is not \(own)")
    }
  }

  /// What the index tells is decoded alone: one frame for each thumbnail.
  @Test(arguments: ["h264.mp4", "h264.mkv", "hevc.mp4", "mpeg4.mp4"])
  func aThumbnailCostsOneFrame(name: String) throws {
    let clip = try #require(Self.clips.first { $0.description == name })
    let reader = try KeyFrameReader(of: try ProbedClip(path: try clip.path()))
    for number in 1...6 {
      _ = try reader.picture(at: MediaTime(seconds: Double(number % 3) * 0.8))
      #expect(reader.framesDecoded == number)
    }
  }

  /// The size of what came out of the decoder: half as often as many samples, down to the thumbnail's.
  @Test(arguments: [
    ("mpeg4.mp4", 160, "160x90"), ("mpeg2.ts", 160, "160x90"), ("mjpeg.mkv", 160, "160x90"),
    ("mjpeg.mkv", 161, "320x180"),
    ("mpeg4.mp4", 400, "640x360"), ("mpeg4.mp4", 40, "80x45"), ("h264.mp4", 160, "640x360"),
    ("av1.mp4", 160, "640x360"),
  ])
  func picturesAreDecodedSmallWhereTheCodecCan(name: String, width: Int, size: String) throws {
    let clip = try #require(Self.clips.first { $0.description == name })
    let reader = try KeyFrameReader(of: try ProbedClip(path: try clip.path()), options: ThumbnailOptions(width: width))
    let picture = try #require(try reader.picture(at: .zero))
    #expect(picture.size.width == width)
    #expect(reader.decodedSize == PictureSize(size))
  }

  @Test func theEndIsTheClips() throws {
    for name in ["h264.mp4", "h264.mkv", "h264.ts"] {
      let clip = try #require(Self.clips.first { $0.description == name })
      let end = try KeyFrameReader(of: try ProbedClip(path: try clip.path())).end().seconds
      #expect(abs(end - 64 / 30.0) < 0.1, "\(name): \(end)")
    }
  }

  @Test func placesAreKnownWhereTheContainerHasAnIndex() throws {
    let clip = try #require(Self.clips.first { $0.description == "h264.mp4" })
    let places = try KeyFrameReader(of: try ProbedClip(path: try clip.path())).places
    // Groups of 12 at 30 frames a second: 0, 0.4, 0.8 …
    for (time, place) in [(0.0, 0.0), (0.19, 0), (0.21, 0.4), (0.59, 0.4), (0.61, 0.8), (99, 2.0), (-1, 0)] {
      let found = places.place(of: MediaTime(seconds: time))?.seconds
      #expect(found.map { abs($0 - place) < 1e-6 } ?? false, "\(time): \(found ?? -1)")
    }
  }
}
