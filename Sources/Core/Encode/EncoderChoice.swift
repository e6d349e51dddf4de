internal import CFFmpeg
import Frames

/// Finds the encoder for a specification among those of its codec's row.
enum EncoderChoice {
  /// Throws `.unsupported`, naming the alternatives, when there is none.
  static func find(for clip: ClipSpecification) throws -> (codec: UnsafePointer<AVCodec>, row: EncoderRow) {
    guard let codecRow = CodecRow.named(clip.codec) else {
      throw Failure(.usage, "cannot encode '\(clip.codec)'", cause: "no codec is called that")
    }
    let attempt = "cannot encode \(clip.codec)"
    let present = codecRow.encoders.compactMap { row in avcodec_find_encoder_by_name(row.name).map { ($0, row) } }
    guard !present.isEmpty else {
      let names = codecRow.encoders.map(\.name).joined(separator: " or ")
      throw Failure(
        .unsupported, attempt, cause: "this FFmpeg has no \(names)",
        remedy: "use one of \(list(availableNames())), or an FFmpeg with that encoder")
    }
    try requireRate(clip, codecRow, attempt)
    let wanted = av_get_pix_fmt(clip.pixelFormatName)
    for (codec, row) in present where pixelFormats(codec).map({ $0.contains(wanted) }) ?? true { return (codec, row) }
    let possible = present.flatMap { pixelFormats($0.0) ?? [] }.compactMap { format in
      av_get_pix_fmt_name(format).map { String(cString: $0) }
    }
    let ours = Set(possible).intersection(allFormatNames)
    throw Failure(
      .unsupported, attempt, cause: "its encoder does not take \(clip.pixelFormatName)",
      remedy: "it takes \(list(ours.sorted()))")
  }

  /// Codecs that this FFmpeg can encode.
  private static func availableNames() -> [String] {
    CodecRow.all.filter { $0.encoders.contains { avcodec_find_encoder_by_name($0.name) != nil } }.map(\.name)
  }

  private static let allFormatNames: Set<String> = {
    var names: Set<String> = []
    for chroma in ClipSpecification.Chroma.allCases {
      for suffix in ["", "10le", "12le"] { names.insert("yuv\(chroma.rawValue)p\(suffix)") }
    }
    return names
  }()

  /// Nil when the encoder lists none.
  private static func pixelFormats(_ codec: UnsafePointer<AVCodec>) -> [AVPixelFormat]? {
    guard var next = bench_codec_pixel_formats(codec) else { return nil }
    var formats: [AVPixelFormat] = []
    while next.pointee != AV_PIX_FMT_NONE {
      formats.append(next.pointee)
      next += 1
    }
    return formats
  }

  private static func requireRate(_ clip: ClipSpecification, _ row: CodecRow, _ attempt: String) throws {
    if clip.isVariableRate && row.needsConstantRate {
      throw Failure(.unsupported, attempt, cause: "it cannot have a variable frame rate")
    }
    if let rates = row.rates, !rates.contains(where: { $0.value == clip.rate.value }) {
      throw Failure(
        .unsupported, attempt, cause: "it cannot have \(clip.rate) frames per second",
        remedy: "it can have \(list(rates.map(\.description)))")
    }
    if Int64(clip.rate.numerator) * Int64(clip.ticksPerFrame) > Int64(row.clockLimit) {
      throw Failure(
        .unsupported, attempt, cause: "its clock cannot tick for \(clip.rate) frames per second",
        remedy: "use a rate with a numerator below \(Int(row.clockLimit) / clip.ticksPerFrame)")
    }
  }
}
