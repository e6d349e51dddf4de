import Decode
import Encode
import Frames
import Support
import Synchronization
import Testing

/// A clip of 96 small flat frames in groups of 12, as one codec and container have it.
struct EffortClip: Sendable, CustomStringConvertible {
  var codec: String
  var container: String
  /// Frames of a group may refer to the group before, and lie before its sync sample.
  var isOpen = false
  /// FFmpeg's arguments that put it into its container another way, or nil.
  var remux: [String]? = nil

  var description: String { codec + (isOpen ? "-open" : "") + (remux == nil ? "" : "-again") + "." + container }

  static let frames = 96
  static let specification = SharedClips.small {
    $0.projection = .flat
    $0.size = PictureSize(width: 160, height: 90)
    ($0.frames, $0.gop, $0.bFrames) = (frames, 12, 3)
  }

  static let closed = [
    EffortClip(codec: "h264", container: "mp4"), EffortClip(codec: "h264", container: "mkv"),
    EffortClip(codec: "h264", container: "ts"), EffortClip(codec: "hevc", container: "mp4"),
    EffortClip(codec: "hevc", container: "ts"), EffortClip(codec: "mpeg4", container: "mp4"),
    EffortClip(codec: "mpeg4", container: "mkv"), EffortClip(codec: "mpeg2", container: "ts"),
    EffortClip(codec: "vp8", container: "webm"), EffortClip(codec: "vp9", container: "webm"),
    EffortClip(codec: "vp9", container: "mp4"), EffortClip(codec: "av1", container: "mp4"),
    EffortClip(codec: "mjpeg", container: "mkv"),
    EffortClip(codec: "h264", container: "mp4", remux: ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]),
  ]

  static let open = [
    EffortClip(codec: "h264", container: "mp4", isOpen: true), EffortClip(codec: "h264", container: "ts", isOpen: true),
    EffortClip(codec: "h264", container: "mkv", isOpen: true),
    EffortClip(codec: "hevc", container: "mp4", isOpen: true), EffortClip(codec: "hevc", container: "ts", isOpen: true),
    EffortClip(codec: "mpeg2", container: "ts", isOpen: true),
    EffortClip(codec: "mpeg4", container: "mp4", isOpen: true),
  ]

  static let all = closed + open
  /// One or two threads for each clip, by turns: what each clip is read with where not all combinations are.
  static let threads = all.indices.map { 1 + $0 % 2 }

  func path() throws -> String {
    let name = "effort-\(self)"
    guard isOpen || remux != nil else {
      return try SharedClips.synthetic(name) {
        $0 = Self.specification
        $0.codec = codec
      }
    }
    let plain = EffortClip(codec: codec == "mpeg2" ? "h264" : codec, container: "mp4")
    let source = ["-i", try plain.path()]
    if let remux { return try SharedClips.ffmpeg(name, source + ["-c", "copy"] + remux) }
    let encoder =
      switch codec {
      case "h264": ["libx264", "-x264-params", "open-gop=1:scenecut=0:bframes=3:b-adapt=0"]
      case "hevc": ["libx265", "-x265-params", "log-level=none:open-gop=1:scenecut=0:bframes=3:b-adapt=0"]
      default: [codec == "mpeg2" ? "mpeg2video" : codec, "-bf", "2", "-q:v", "3", "-sc_threshold", "1000000000"]
      }
    return try SharedClips.ffmpeg(name, source + ["-g", "12", "-c:v"] + encoder)
  }

  func reader(threads: Int = 1) throws -> FrameReader {
    try FrameReader(path: try path(), options: DecoderOptions(threads: threads))
  }

  private static let known = Mutex<[String: [MediaTime?]]>([:])

  /// Numbers and times of the clip's sync samples, after a look at all its frames: each clip is read once.
  func syncSamples() throws -> [(number: Int, time: MediaTime)] {
    let times = try Self.known.withLock { known in
      if let times = known[description] { return times }
      let all = try reader().allFrames()
      #expect(all.map(\.trueNumber) == Array(0..<Self.frames), "\(self)")
      let times = all.map { $0.isKeyFrame ? $0.presentationTime : nil }
      known[description] = times
      return times
    }
    return times.enumerated().compactMap { number, time in time.map { (number, $0) } }
  }
}

extension VideoFrame {
  /// The number that the picture shows; -1 when that is not the one of its time stamp.
  var trueNumber: Int {
    let number = number(EffortClip.specification)
    return number == EffortClip.specification.tag.frameNumber(at: presentationTime) ? number ?? -1 : -1
  }
}
