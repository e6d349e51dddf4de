internal import CFFmpeg
import Frames
import Glibc
import Media

/// A media file that is being written: under a temporary name first, renamed by `finish`. One that is released before
/// `finish` removes its temporary file.
struct OutputFile: ~Copyable {
  private let path: String
  private let target: OutputTarget
  private let context: UnsafeMutablePointer<AVFormatContext>

  /// Creates the temporary file. The container follows from the extension of `path`.
  init(path: String) throws {
    let format = try Self.format(for: path)
    let target = try OutputTarget(path)
    try target.requireFile()
    try target.makeFolders()
    var made: UnsafeMutablePointer<AVFormatContext>?
    try check(
      avformat_alloc_output_context2(&made, format, nil, target.part), .failed, "cannot write '\(path)'")
    let context = try allocated(made)
    context.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
    context.pointee.flags |= AVFMT_FLAG_BITEXACT
    // The prefix keeps a colon in the path from being taken for a protocol.
    let code = avio_open(&context.pointee.pb, "file:\(target.part)", AVIO_FLAG_WRITE)
    guard code >= 0 else {
      avformat_free_context(context)
      throw Failure(
        .output, "cannot write '\(path)'", cause: ffmpegText(code),
        remedy: fullDiskRemedy(-code) ?? "check that the folder exists and is writable"
      )
    }
    self.path = path
    self.target = target
    self.context = context
  }

  deinit {
    // Once finished, there is no file of this name.
    if context.pointee.pb != nil {
      avio_closep(&context.pointee.pb)
      unlink(target.part)
    }
    avformat_free_context(context)
  }

  var wantsGlobalHeader: Bool { context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 }
  private var formatName: String { String(cString: context.pointee.oformat.pointee.name) }
  private var hasTimestamps: Bool { context.pointee.oformat.pointee.flags & AVFMT_NOTIMESTAMPS == 0 }
  private var isMatroska: Bool { formatName == "matroska" || formatName == "webm" }
  var isWebM: Bool { formatName == "webm" }

  /// Throws `.usage` when this container cannot hold the clip's time stamps or audio.
  func requireSupport(of clip: ClipSpecification) throws {
    let attempt = "cannot write '\(path)'"
    let rate = clip.rate.value ?? 0
    if clip.isVariableRate && !hasTimestamps {
      throw Failure(
        .usage, attempt, cause: "a raw \(formatName) stream has no time stamps for a variable frame rate",
        remedy: "use .mp4 or .mkv")
    }
    // Milliseconds round time stamps by half; frame numbers follow from them only while that is small.
    if isMatroska && rate > (clip.isVariableRate ? 300 : 900) {
      throw Failure(
        .usage, attempt, cause: "time stamps in milliseconds cannot tell \(clip.rate) frames per second apart",
        remedy: "use .mp4")
    }
    if clip.isAmbisonic && formatName != "mp4" && formatName != "mov" {
      throw Failure(.usage, attempt, cause: "\(formatName) has no box for ambisonic sound", remedy: "use .mp4 or .mov")
    }
    if clip.hasAudio && (!hasTimestamps || context.pointee.oformat.pointee.audio_codec == AV_CODEC_ID_NONE) {
      throw Failure(.usage, attempt, cause: "\(formatName) holds no audio", remedy: "use .mp4 or .mkv, or no audio")
    }
  }

  /// Throws `.usage` when this container cannot hold the codec, with the codecs it can hold.
  func requireSupport(of codec: AVCodecID, named name: String) throws {
    guard !holds(codec) else { return }
    let others = CodecRow.all.filter { row in
      row.encoders.contains { encoder in
        avcodec_find_encoder_by_name(encoder.name).map { holds($0.pointee.id) } ?? false
      }
    }.map(\.name)
    let taken = others.isEmpty ? "" : ", it holds \(list(others))"
    throw Failure(
      .usage, "cannot write '\(path)'", cause: "\(formatName) cannot hold \(name)\(taken)",
      remedy: (others.isEmpty ? "use" : "use one of these codecs, or") + " .mkv, which holds every codec")
  }

  private func holds(_ codec: AVCodecID) -> Bool {
    let format = context.pointee.oformat
    return avformat_query_codec(format, codec, FF_COMPLIANCE_UNOFFICIAL) != 0
      && (hasTimestamps || format?.pointee.video_codec == codec)
  }

  func addStream(for encoder: borrowing Encoder) throws -> UnsafeMutablePointer<AVStream> {
    let stream = try allocated(avformat_new_stream(context, nil))
    try check(
      avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), .failed, "cannot write '\(path)'")
    stream.pointee.time_base = encoder.context.pointee.time_base
    // Apple's players want parameter sets outside the samples, and this name for it.
    if encoder.context.pointee.codec_id == AV_CODEC_ID_HEVC && (formatName == "mp4" || formatName == "mov") {
      stream.pointee.codecpar.pointee.codec_tag = 0x3163_7668
    }
    return stream
  }

  /// A stream for packets copied from another file, with that stream's parameters and metadata.
  func addStream(copying other: UnsafeMutablePointer<AVStream>) throws -> UnsafeMutablePointer<AVStream> {
    let codec = other.pointee.codecpar.pointee.codec_id
    try requireSupport(of: codec, named: String(cString: avcodec_get_name(codec)))
    let stream = try allocated(avformat_new_stream(context, nil))
    try check(
      avcodec_parameters_copy(stream.pointee.codecpar, other.pointee.codecpar), .failed, "cannot write '\(path)'")
    try check(bench_copy_stream_side_data(stream, other), .failed, "cannot write '\(path)'")
    stream.pointee.codecpar.pointee.codec_tag =
      codec == AV_CODEC_ID_HEVC && (formatName == "mp4" || formatName == "mov") ? 0x3163_7668 : 0
    stream.pointee.time_base = other.pointee.time_base
    stream.pointee.avg_frame_rate = other.pointee.avg_frame_rate
    stream.pointee.r_frame_rate = other.pointee.r_frame_rate
    stream.pointee.sample_aspect_ratio = other.pointee.sample_aspect_ratio
    return stream
  }

  /// Writes the header. Called once, after the last stream was added.
  func start(comment: String?) throws {
    if let comment { av_dict_set(&context.pointee.metadata, "comment", comment, 0) }
    try check(avformat_write_header(context, nil), .output, "cannot write '\(path)'")
  }

  /// Takes the packet's content and leaves it empty.
  func write(
    _ packet: UnsafeMutablePointer<AVPacket>, from encoder: borrowing Encoder, to stream: UnsafeMutablePointer<AVStream>
  ) throws {
    try write(packet, timeBase: encoder.context.pointee.time_base, to: stream)
  }

  /// Takes the packet's content and leaves it empty.
  ///
  /// - Parameter timeBase: of the packet's time stamps.
  func write(
    _ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational, to stream: UnsafeMutablePointer<AVStream>
  ) throws {
    av_packet_rescale_ts(packet, timeBase, stream.pointee.time_base)
    packet.pointee.stream_index = stream.pointee.index
    try check(av_interleaved_write_frame(context, packet), .output, "cannot write '\(path)'")
  }

  /// Completes the file and renames it, replacing an existing file.
  ///
  /// - Parameter ambisonicTrack: the number of a track of an MP4, from 0, whose sound is ambisonic.
  consuming func finish(ambisonicTrack: Int? = nil) throws {
    try check(av_write_trailer(context), .output, "cannot write '\(path)'")
    let code = avio_closep(&context.pointee.pb)
    if code < 0 { unlink(target.part) }
    try check(code, .output, "cannot write '\(path)'")
    if let ambisonicTrack, !tellAmbisonics(ofTrack: ambisonicTrack, in: target.part) {
      unlink(target.part)
      throw Failure(.output, "cannot write '\(path)'", cause: "its ambisonic sound cannot be described")
    }
    try target.moveIntoPlace()
  }

  private static func format(for path: String) throws -> UnsafePointer<AVOutputFormat> {
    guard let format = av_guess_format(nil, path, nil), format.pointee.flags & AVFMT_NOFILE == 0,
      format.pointee.video_codec != AV_CODEC_ID_NONE
    else {
      throw Failure(
        .usage, "cannot write '\(path)'", cause: "its extension names no video container",
        remedy: "use .mp4, .mov, .mkv, .webm or .ts, or .h264 or .hevc for a raw stream")
    }
    return UnsafePointer(format)
  }
}
