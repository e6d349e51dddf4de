import Encode
import Foundation
import Frames
import Glibc
import Support
import Testing

@Suite(.tier(.test)) struct GenerateTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  /// 20 frames of a codec.
  private static func encoded(_ codec: String) throws -> String {
    try SharedClips.file("encoded-\(codec).mkv") { try generateClip(smallClip { $0.codec = codec }, to: $0) }
  }

  @Test(arguments: ClipSpecification.codecNames)
  func everyFrameShowsItsNumber(codec: String) throws {
    let size = smallClip().size
    let frames = Judge.lumaFrames(try Self.encoded(codec), size: size)
    #expect(frames.map { readCode($0, size: size) } == (0..<20).map { .number($0) })
  }

  @Test(arguments: ClipSpecification.codecNames)
  func sameSpecificationSameFrames(codec: String) throws {
    var clip = smallClip { $0.codec = codec }
    var paths = [try Self.encoded(codec), folder.file("again.mkv")]
    let before = Self.schedulingPolicy
    try generateClip(clip, to: paths[1])
    #expect(folder.names == ["again.mkv"])
    // Some encoders request real-time scheduling; threads and processes started later must not inherit it.
    #expect(before == SCHED_OTHER && Self.schedulingPolicy == before)
    if codec == "mjpeg" {
      clip.seed += 1
      paths.append(folder.file("other.mkv"))
      try generateClip(clip, to: paths[2])
    }
    let hashes = Judge.hashes(paths)
    #expect(hashes.count == paths.count && hashes[0].hasPrefix("MD5=") && hashes[0] == hashes[1])
    if codec == "mjpeg" { #expect(hashes[2] != hashes[0]) }
  }

  private static var schedulingPolicy: Int32 {
    var (policy, parameters) = (Int32(-1), sched_param())
    pthread_getschedparam(pthread_self(), &policy, &parameters)
    return policy
  }

  @Test(arguments: ["h264", "hevc", "vp9", "av1"])
  func deeperSamples(codec: String) throws {
    let clip = smallClip {
      $0.codec = codec
      $0.bitDepth = 10
      $0.frames = 4
      $0.matrix = .bt2020
    }
    let path = folder.file("clip.mkv")
    try generateClip(clip, to: path)
    let stream = Judge.videoStream(path)
    #expect(stream.isSuperset(of: ["pix_fmt=yuv420p10le", "color_space=bt2020nc", "nb_read_frames=4"]))
    let bytes = Judge.run("ffmpeg -v error -i '\(path)' -f rawvideo -pix_fmt gray10le -")
    let count = clip.size.width * clip.size.height * 2
    #expect(bytes.count == 4 * count)
    for number in 0..<bytes.count / count {
      let luma = Array(bytes[number * count..<(number + 1) * count])
      #expect(readCode(luma, size: clip.size, bitDepth: 10) == .number(number))
    }
  }

  /// x265 decides about decoding times by a delay that it sets with the third frame.
  @Test(arguments: ["h264", "hevc"], [1, 2, 3])
  func clipsWithoutPlaceForBFramesHaveNoReordering(codec: String, frames: Int) throws {
    let path = folder.file("clip.mp4")
    try generateClip(smallClip { ($0.codec, $0.frames) = (codec, frames) }, to: path)
    let reorders = !Judge.videoStream(path).contains("has_b_frames=0")
    #expect(reorders == (frames > 2))
  }

  @Test(arguments: [ClipSpecification.Chroma.yuv420, .yuv422, .yuv444], ColorDescription.Range.allCases)
  func chromaAndRange(chroma: ClipSpecification.Chroma, range: ColorDescription.Range) throws {
    let clip = smallClip {
      $0.chroma = chroma
      $0.range = range
      $0.matrix = .bt601
      $0.frames = 4
    }
    try generateClip(clip, to: folder.file("clip.mp4"))
    let stream = Judge.videoStream(folder.file("clip.mp4"))
    let format = range == .full ? "yuvj\(chroma.rawValue)p" : "yuv\(chroma.rawValue)p"
    #expect(stream.isSuperset(of: ["pix_fmt=\(format)", "color_range=\(range == .full ? "pc" : "tv")"]))
    #expect(stream.isSuperset(of: ["color_space=smpte170m", "color_primaries=smpte170m", "r_frame_rate=30/1"]))
    #expect(stream.contains("nb_read_frames=4"))
  }

  @Test(arguments: StereoLayout.allCases, ["mp4", "mkv"])
  func stereoAndSphere(stereo: StereoLayout, container: String) throws {
    let clip = smallClip {
      $0.stereo = stereo
      $0.frames = 3
      $0.size = PictureSize(width: stereo == .sideBySide ? 960 : 480, height: stereo == .topBottom ? 480 : 240)
    }
    let path = folder.file("clip.\(container)")
    try generateClip(clip, to: path)
    let stream = Judge.videoStream(path)
    let arrangement = ["mono": "2D", "tb": "top and bottom", "sbs": "side by side"][stereo.rawValue] ?? ""
    #expect(stream.contains("projection=equirectangular"))
    // Matroska stores no element for mono.
    if stereo != .mono || container == "mp4" { #expect(stream.contains("type=\(arrangement)")) }
    let readings = Judge.lumaFrames(path, size: clip.size).map { readCode($0, size: clip.size, stereo: stereo) }
    #expect(readings == (0..<3).map { .number($0) })
    let tags = stream.compactMap { $0.lowercased().hasPrefix("tag:comment=") ? String($0.dropFirst(12)) : nil }
    #expect(tags.contains { SyntheticTag(comment: $0) == clip.tag }, "\(tags)")
  }

  @Test func flatClipsHaveNoSphericalMetadata() throws {
    let clip = smallClip {
      $0.projection = .flat
      $0.size = PictureSize(width: 320, height: 180)
    }
    let path = folder.file("clip.mp4")
    try generateClip(clip, to: path)
    #expect(!Judge.videoStream(path).contains { $0.hasPrefix("projection=") })
    let readings = Judge.lumaFrames(path, size: clip.size).map { readCode($0, size: clip.size, layout: .flat) }
    #expect(readings == (0..<20).map { .number($0) })
  }

  @Test(arguments: ["mp4", "mkv", "ts"])
  func variableRateKeepsTheRule(container: String) throws {
    let clip = smallClip {
      $0.isVariableRate = true
      $0.frames = 60
      $0.rate = Ratio(30000, 1001)
      $0.size = PictureSize(width: 160, height: 80)
    }
    let path = folder.file("clip.\(container)")
    try generateClip(clip, to: path)
    let times = Judge.text("ffprobe -v error -show_entries frame=pts_time -of csv=p=0 '\(path)'")
      .split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
    let first = try #require(times.first)
    #expect(times.map { clip.tag.frameNumber(at: MediaTime(seconds: $0 - first)) } == (0..<60).map { $0 })
    #expect(Set(zip(times, times.dropFirst()).map { (($1 - $0) * 1000).rounded() }).count > 5)
  }

  @Test(arguments: ClipSpecification.codecNames.filter { $0 != "mjpeg" })
  func syncSamplesFollowTheGOP(codec: String) throws {
    let path = try Self.encoded(codec)
    let keys = Judge.text("ffprobe -v error -show_entries frame=key_frame -of csv=p=0 '\(path)'")
      .split(separator: "\n").enumerated().filter { $1.hasPrefix("1") }.map(\.offset)
    #expect(keys == [0, 8, 16])
  }

  @Test(arguments: ["mp4", "webm", "mkv"])
  func audioCoversTheClip(container: String) throws {
    let path = folder.file("clip.\(container)")
    try generateClip(
      smallClip {
        $0.codec = container == "webm" ? "vp9" : "mpeg4"
        $0.size = PictureSize(width: 160, height: 80)
        $0.hasAudio = true
      }, to: path)
    let stream = Judge.text("ffprobe -v error -select_streams a:0 -show_streams '\(path)'")
    #expect(stream.contains("codec_name=\(container == "webm" ? "opus" : "aac")"))
    #expect(Judge.run("ffmpeg -v error -i '\(path)' -map 0:a -f s16le -").count >= 2 * 48000 * 20 / 30)
  }

  @Test func rawStreamsCanBeWritten() throws {
    for (codec, name) in [("h264", "clip.h264"), ("hevc", "clip.hevc")] {
      try generateClip(smallClip { ($0.codec, $0.frames) = (codec, 2) }, to: folder.file(name))
      #expect(Judge.videoStream(folder.file(name)).contains("codec_name=\(codec)"))
    }
  }
}
