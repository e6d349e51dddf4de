import Encode
import Foundation
import Frames
import Glibc
import Support
import Testing

@Suite struct GenerateTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  @Test(arguments: ClipSpecification.codecNames)
  func everyFrameShowsItsNumber(codec: String) throws {
    let clip = smallClip { $0.codec = codec }
    let path = folder.file("clip.mkv")
    try generateClip(clip, to: path)
    let frames = Judge.lumaFrames(path, size: clip.size)
    #expect(frames.map { readCode($0, size: clip.size) } == (0..<20).map { .number($0) })
    #expect(folder.names == ["clip.mkv"])
  }

  @Test(arguments: ClipSpecification.codecNames)
  func sameSpecificationSameFrames(codec: String) throws {
    let clip = smallClip {
      $0.codec = codec
      $0.size = PictureSize(width: 320, height: 160)
    }
    try generateClip(clip, to: folder.file("a.mkv"))
    try generateClip(clip, to: folder.file("b.mkv"))
    let hash = Judge.hash(folder.file("a.mkv"))
    #expect(hash.hasPrefix("MD5=") && hash == Judge.hash(folder.file("b.mkv")))
    var other = clip
    other.seed += 1
    try generateClip(other, to: folder.file("c.mkv"))
    #expect(Judge.hash(folder.file("c.mkv")) != hash)
  }

  /// Some encoders request real-time scheduling; threads and processes started later must not inherit it.
  @Test(arguments: ClipSpecification.codecNames)
  func schedulingIsRestored(codec: String) throws {
    func policy() -> Int32 {
      var (policy, parameters) = (Int32(-1), sched_param())
      pthread_getschedparam(pthread_self(), &policy, &parameters)
      return policy
    }
    let before = policy()
    try generateClip(smallClip { ($0.codec, $0.frames) = (codec, 2) }, to: folder.file("clip.mkv"))
    #expect(before == SCHED_OTHER && policy() == before)
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

  @Test(arguments: [ClipSpecification.Chroma.yuv420, .yuv422, .yuv444], ColorDescription.Range.allCases)
  func chromaAndRange(chroma: ClipSpecification.Chroma, range: ColorDescription.Range) throws {
    let clip = smallClip {
      $0.chroma = chroma
      $0.range = range
      $0.matrix = .bt601
    }
    try generateClip(clip, to: folder.file("clip.mp4"))
    let stream = Judge.videoStream(folder.file("clip.mp4"))
    let format = range == .full ? "yuvj\(chroma.rawValue)p" : "yuv\(chroma.rawValue)p"
    #expect(stream.isSuperset(of: ["pix_fmt=\(format)", "color_range=\(range == .full ? "pc" : "tv")"]))
    #expect(stream.isSuperset(of: ["color_space=smpte170m", "color_primaries=smpte170m", "r_frame_rate=30/1"]))
    #expect(stream.contains("nb_read_frames=20"))
  }

  @Test(arguments: StereoLayout.allCases, ["mp4", "mkv"])
  func stereoAndSphere(stereo: StereoLayout, container: String) throws {
    let clip = smallClip {
      $0.stereo = stereo
      $0.frames = 3
      $0.size = PictureSize(width: stereo == .sideBySide ? 1280 : 640, height: stereo == .topBottom ? 640 : 320)
    }
    let path = folder.file("clip.\(container)")
    try generateClip(clip, to: path)
    let stream = Judge.videoStream(path)
    let arrangement = ["mono": "2D", "tb": "top and bottom", "sbs": "side by side"][stereo.rawValue] ?? ""
    #expect(stream.contains("projection=equirectangular"))
    // Matroska stores no element for mono.
    if stereo != .mono || container == "mp4" { #expect(stream.contains("type=\(arrangement)")) }
    for (number, luma) in Judge.lumaFrames(path, size: clip.size).enumerated() {
      #expect(readCode(luma, size: clip.size, stereo: stereo) == .number(number))
    }
    let comment = Judge.text("ffprobe -v error -show_entries format_tags -of default=nk=1:nw=1 '\(path)'")
    #expect(comment.split(separator: "\n").contains { SyntheticTag(comment: String($0)) == clip.tag })
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
      $0.size = PictureSize(width: 320, height: 160)
    }
    let path = folder.file("clip.\(container)")
    try generateClip(clip, to: path)
    let times = Judge.text("ffprobe -v error -show_entries frame=pts_time -of csv=p=0 '\(path)'")
      .split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
    let first = try #require(times.first)
    #expect(times.map { clip.tag.frameNumber(at: MediaTime(seconds: $0 - first)) } == (0..<60).map { $0 })
    #expect(Set(zip(times, times.dropFirst()).map { (($1 - $0) * 1000).rounded() }).count > 5)
  }

  @Test func syncSamplesFollowTheGOP() throws {
    for codec in ClipSpecification.codecNames where codec != "mjpeg" {
      let path = folder.file("\(codec).mkv")
      try generateClip(
        smallClip {
          $0.codec = codec
          $0.size = PictureSize(width: 320, height: 160)
        }, to: path)
      let keys = Judge.text("ffprobe -v error -show_entries frame=key_frame -of csv=p=0 '\(path)'")
        .split(separator: "\n").enumerated().filter { $1.hasPrefix("1") }.map(\.offset)
      #expect(keys == [0, 8, 16], "\(codec)")
    }
  }

  @Test(arguments: ["mp4", "webm", "mkv"])
  func audioCoversTheClip(container: String) throws {
    let path = folder.file("clip.\(container)")
    try generateClip(
      smallClip {
        $0.codec = "vp9"
        $0.hasAudio = true
      }, to: path)
    let stream = Judge.text("ffprobe -v error -select_streams a:0 -show_streams '\(path)'")
    #expect(stream.contains("codec_name=\(container == "webm" ? "opus" : "aac")"))
    #expect(Judge.run("ffmpeg -v error -i '\(path)' -map 0:a -f s16le -").count >= 2 * 48000 * 20 / 30)
  }

  @Test func rawStreamsCanBeWritten() throws {
    for (codec, name) in [("h264", "clip.h264"), ("hevc", "clip.hevc")] {
      try generateClip(smallClip { $0.codec = codec }, to: folder.file(name))
      #expect(Judge.videoStream(folder.file(name)).contains("codec_name=\(codec)"))
    }
  }
}
