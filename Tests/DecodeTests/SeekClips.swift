import Decode
import Encode
import Frames
import Media
import Support
import Synchronization

/// A clip of 64 small frames that carry their numbers, as one encoder and container have it.
struct SeekClip: Sendable, CustomStringConvertible {
  var description: String
  var codec = "h264"
  var gop = 12
  var bFrames = 3
  var isVariableRate = false
  /// FFmpeg's arguments between the source and the output, for what the generator does not make; nil where it does.
  var ffmpeg: [String]? = nil

  /// Packets have no presentation timestamps: the places of sync samples are not known exactly.
  var hidesSyncSamples: Bool { description.hasSuffix(".h264") || description.hasSuffix(".avi") }

  /// Containers index when sync samples are decoded: up to three frames, forth or back, beside when they are shown.
  var guessesSyncSamples: Bool { ["variable.mp4", "edit-list.mp4", "open.mp4"].contains(description) }

  static let frames = 64

  /// Of every kind of index that there is: whole, partial, none.
  static let all: [SeekClip] = [
    SeekClip(description: "gop-1.mp4", gop: 1, bFrames: 0), SeekClip(description: "gop-12.mp4"),
    SeekClip(description: "gop-60.mp4", gop: 60), SeekClip(description: "gop-250.mp4", gop: 250),
    SeekClip(description: "gop-12.mkv"), SeekClip(description: "gop-250.mkv", gop: 250),
    SeekClip(description: "gop-12.ts"), SeekClip(description: "gop-60.ts", gop: 60),
    SeekClip(description: "gop-12.h264"),
    SeekClip(description: "variable.mp4", isVariableRate: true),
    SeekClip(description: "variable.mkv", isVariableRate: true),
    SeekClip(description: "pyramid.mp4", ffmpeg: x264("bframes=7:b-pyramid=normal:b-adapt=0:keyint=30")),
    SeekClip(description: "pyramid.ts", ffmpeg: x264("bframes=7:b-pyramid=normal:b-adapt=0:keyint=30")),
    SeekClip(description: "open.mp4", ffmpeg: x264("open-gop=1:bframes=3:b-adapt=0:keyint=16")),
    SeekClip(description: "open.mkv", ffmpeg: x264("open-gop=1:bframes=3:b-adapt=0:keyint=16")),
    SeekClip(description: "open.ts", ffmpeg: x264("open-gop=1:bframes=3:b-adapt=0:keyint=16")),
    SeekClip(description: "edit-list.mp4", ffmpeg: ["-ss", "0.62", "-c", "copy"]),
    SeekClip(
      description: "fragments.mp4",
      ffmpeg: ["-c", "copy", "-movflags", "frag_keyframe+empty_moov+default_base_moof+skip_trailer"]),
    SeekClip(description: "no-cues.mkv", ffmpeg: ["-c", "copy", "-f", "matroska", "-live", "1"]),
    SeekClip(description: "stampless.avi", codec: "mpeg4", ffmpeg: ["-c", "copy"]),
    SeekClip(description: "hevc.mp4", codec: "hevc"), SeekClip(description: "hevc.ts", codec: "hevc"),
    SeekClip(description: "vp9.webm", codec: "vp9"), SeekClip(description: "av1.mp4", codec: "av1"),
    SeekClip(description: "mpeg2.ts", codec: "mpeg2"), SeekClip(description: "mpeg4.mp4", codec: "mpeg4"),
  ]

  /// One or two threads for each clip, by turns: what each clip is read with where not all combinations are.
  static let threads = all.indices.map { 1 + $0 % 2 }

  private static func x264(_ parameters: String) -> [String] {
    ["-c:v", "libx264", "-x264-params", "scenecut=0:" + parameters]
  }

  var specification: ClipSpecification {
    SharedClips.small {
      $0.projection = .flat
      $0.size = PictureSize(width: 160, height: 90)
      $0.frames = Self.frames
      ($0.codec, $0.gop, $0.bFrames, $0.isVariableRate) = (codec, gop, bFrames, isVariableRate)
    }
  }

  func path() throws -> String {
    let name = "seek-\(self)"
    guard let ffmpeg else { return try SharedClips.synthetic(name) { $0 = specification } }
    let source = try SharedClips.synthetic("seek-source-\(codec).mp4") { $0 = specification }
    // What is left out at the start is an option of the input.
    let isTrimmed = ffmpeg.first == "-ss"
    return try SharedClips.ffmpeg(
      name, (isTrimmed ? Array(ffmpeg.prefix(2)) : []) + ["-i", source] + ffmpeg.dropFirst(isTrimmed ? 2 : 0))
  }

  func open(threads: Int = 1, cacheBytes: Int = 64 << 20) throws -> FrameReader {
    try FrameReader(path: try path(), options: DecoderOptions(threads: threads, cacheBytes: cacheBytes))
  }

  private static let truths = Mutex<[String: [TrueFrame]]>([:])

  /// The clip read from its start to its end by a reader that never seeks: the slow twin, which reads each clip once.
  func truth() throws -> [TrueFrame] {
    try Self.truths.withLock { truths in
      if let known = truths[description] { return known }
      let frames = try open().allFrames()
      let ends = frames.dropFirst().map(\.presentationTime) + [MediaTime(nanoseconds: .max)]
      let truth = zip(frames, ends).map { frame, end in
        TrueFrame(
          number: frame.number(specification) ?? -1, time: frame.presentationTime, end: end, isKey: frame.isKeyFrame)
      }
      truths[description] = truth
      return truth
    }
  }
}

/// A frame of a clip that was read from its start.
struct TrueFrame: Sendable {
  /// As its picture says.
  var number: Int
  var time: MediaTime
  /// When the next one is shown.
  var end: MediaTime
  var isKey: Bool

  /// A time in its interval, so far into it.
  func time(at fraction: Double, last: MediaTime = MediaTime(nanoseconds: 20_000_000)) -> MediaTime {
    let length = end.nanoseconds == .max ? last.nanoseconds : end.nanoseconds - time.nanoseconds
    return MediaTime(nanoseconds: time.nanoseconds + Int64(Double(length - 1) * fraction))
  }
}

extension [TrueFrame] {
  /// The seek rule read literally, where nothing was decoded before: steps 2, 3 and 4.
  func landing(_ request: SeekRequest) -> TrueFrame? {
    let inside = filter { $0.time >= request.earliest && $0.time <= request.latest }
    let distance = { (frame: TrueFrame) in abs(frame.time.nanoseconds - request.target.nanoseconds) }
    let shown = last { $0.time <= request.target } ?? first
    guard !request.isExact else { return shown }
    return inside.filter(\.isKey).min { distance($0) < distance($1) } ?? inside.first ?? shown
  }
}
