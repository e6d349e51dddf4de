import Frames

/// The codecs that a specification's `codec` can name: one row a codec. Adding one is adding a row.
struct CodecRow: Sendable {
  let name: String
  /// In order of preference: the first that exists and takes the pixel format is used.
  let encoders: [EncoderRow]
  /// Time stamps must be regular.
  var needsConstantRate = false
  /// Largest denominator of the clock, where the format limits it.
  var clockLimit = Int32.max
  /// The only frame rates the format can write; nil when any will do.
  var rates: [Ratio]?

  static let all: [CodecRow] = [
    CodecRow(name: "h264", encoders: [.x264]),
    CodecRow(name: "hevc", encoders: [.x265]),
    CodecRow(name: "av1", encoders: [.svtav1, .aom]),
    CodecRow(name: "vp9", encoders: [.vp9]),
    CodecRow(name: "vp8", encoders: [.vp8]),
    CodecRow(name: "mpeg4", encoders: [.mpeg("mpeg4")], clockLimit: 65535),
    CodecRow(name: "mpeg2", encoders: [.mpeg("mpeg2video")], needsConstantRate: true, rates: mpeg2Rates),
    CodecRow(name: "mjpeg", encoders: [.mjpeg]),
  ]

  static func named(_ name: String) -> CodecRow? {
    all.first { $0.name == name }
  }

  private static let mpeg2Rates = [
    Ratio(24000, 1001), Ratio(24, 1), Ratio(25, 1), Ratio(30000, 1001), Ratio(30, 1), Ratio(50, 1),
    Ratio(60000, 1001), Ratio(60, 1),
  ]
}

/// One of FFmpeg's encoders, with settings that make it fast and its output reproducible.
struct EncoderRow: Sendable {
  /// The constant quality used without a bit rate.
  enum Quality: Sendable {
    /// A private option.
    case option(String, String)
    /// The quantiser's scale, 1 … 31.
    case quantizer(Int32)
    /// Bits per pixel.
    case bitsPerPixel(Double)
  }

  /// FFmpeg's name.
  let name: String
  let quality: Quality
  var hasBFrames = false
  /// The same on every machine: encoders cut pictures and plan ahead by their number of threads.
  var threads: Int32 = 4
  /// Private options that depend on the specification.
  let options: @Sendable (ClipSpecification) -> [(name: String, value: String)]

  static let x264 = EncoderRow(name: "libx264", quality: .option("crf", "23"), hasBFrames: true) { clip in
    // x264's AVX-512 code for macroblock trees takes eight macroblocks at once and reads past rows of other lengths (164):
    // what the memory behind them happens to hold would decide about quantisers.
    let hasTree = (clip.size.width + 15) / 16 % 8 == 0
    let tree = hasTree ? "" : ":mbtree=0"
    return [("preset", "veryfast"), ("x264-params", "ref=3:scenecut=0:open-gop=0:b-adapt=0:keyint=\(clip.gop)\(tree)")]
  }

  static let x265 = EncoderRow(name: "libx265", quality: .option("crf", "26"), hasBFrames: true) { clip in
    let shape = "scenecut=0:open-gop=0:b-adapt=0:keyint=\(clip.gop):min-keyint=\(clip.gop)"
    return [("preset", "ultrafast"), ("x265-params", "log-level=none:pools=4:frame-threads=2:\(shape)")]
  }

  static let svtav1 = EncoderRow(name: "libsvtav1", quality: .option("crf", "35")) { _ in
    [("preset", "10"), ("svtav1-params", "lp=4")]
  }

  static let aom = EncoderRow(name: "libaom-av1", quality: .option("crf", "32")) { _ in
    [("usage", "realtime"), ("cpu-used", "8"), ("row-mt", "0")]
  }

  static let vp9 = EncoderRow(name: "libvpx-vp9", quality: .option("crf", "32")) { _ in
    [
      ("deadline", "good"), ("cpu-used", "5"), ("tile-columns", "2"), ("lag-in-frames", "16"), ("auto-alt-ref", "1"),
      ("row-mt", "0"),
    ]
  }

  /// Not its real-time mode: that one adapts to the available processor time, so that its output is not reproducible.
  /// One thread: several wait for each other by spinning, on a busy machine without end (libvpx 1.12).
  static let vp8 = EncoderRow(name: "libvpx", quality: .bitsPerPixel(0.3), threads: 1) { _ in
    [("deadline", "good"), ("cpu-used", "5")]
  }

  static let mjpeg = EncoderRow(name: "mjpeg", quality: .quantizer(3)) { _ in [] }

  static func mpeg(_ name: String) -> EncoderRow {
    EncoderRow(name: name, quality: .quantizer(4), hasBFrames: true) { _ in
      [("sc_threshold", "1000000000"), ("mpv_flags", "strict_gop")]
    }
  }
}
