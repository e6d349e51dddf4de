internal import CFFmpeg
import Frames
import Media

/// The packets of a clip that is packaged, in the order of its file. One thread at a time.
struct PackageSource: ~Copyable {
  /// Their headers are complete before the first packet, and every player of HLS or DASH may know them.
  private static let videoCodecs = [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_VP9]
  private static let soundCodecs = [AV_CODEC_ID_AAC, AV_CODEC_ID_OPUS, AV_CODEC_ID_FLAC]
  private static let soundLimit = 16

  private let path: String
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let packet: UnsafeMutablePointer<AVPacket>
  private let bytes: Int64
  let video: UnsafeMutablePointer<AVStream>
  let sound: [UnsafeMutablePointer<AVStream>]
  /// As `ClipPackage.leftOut`.
  let leftOut: [String]
  /// The container's comment, which names a synthetic clip.
  let comment: String?
  /// Of the clip, in microseconds.
  let start: Int64

  /// Throws `Failure`: `.input`, `.media`, and `.unsupported` where HLS and DASH have no place for the clip.
  init(path: String) throws {
    let attempt = "cannot package '\(path)'"
    var opened: UnsafeMutablePointer<AVFormatContext>?
    var options: OpaquePointer?
    av_dict_set(&options, "protocol_whitelist", "file", 0)
    av_dict_set(&options, "format_whitelist", "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm", 0)
    let code = avformat_open_input(&opened, "file:\(path)", nil, &options)
    av_dict_free(&options)
    guard code >= 0, let context = opened else {
      let isOther = code == bench_averror_invaliddata() || code == bench_averror_einval()
      throw Failure(
        isOther ? .unsupported : .input, attempt,
        cause: isOther ? "it is not MP4, MOV, Matroska or WebM" : ffmpegText(code),
        remedy: isOther ? "serve its folder to serve it as it is" : nil)
    }
    do {
      try check(avformat_find_stream_info(context, nil), .media, attempt)
      let best = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
      guard best >= 0, let video = context.pointee.streams[Int(best)] else {
        throw Failure(.media, attempt, cause: "it has no video")
      }
      guard Self.videoCodecs.contains(video.pointee.codecpar.pointee.codec_id) else {
        let name = String(cString: avcodec_get_name(video.pointee.codecpar.pointee.codec_id))
        throw Failure(
          .unsupported, attempt, cause: "its video is \(name), which HLS and DASH have no place for",
          remedy: "use H.264, HEVC, AV1 or VP9, or serve its folder")
      }
      packet = try allocated(av_packet_alloc())
      self.video = video
    } catch {
      avformat_close_input(&opened)
      throw error
    }
    var (sound, leftOut): ([UnsafeMutablePointer<AVStream>], [String]) = ([], [])
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let stream = context.pointee.streams[index], stream != video,
        let parameters = stream.pointee.codecpar
      else { continue }
      if Self.soundCodecs.contains(parameters.pointee.codec_id), sound.count < Self.soundLimit {
        sound.append(stream)
      } else {
        let kind = av_get_media_type_string(parameters.pointee.codec_type).map { String(cString: $0) } ?? "data"
        leftOut.append("\(kind) \(String(cString: avcodec_get_name(parameters.pointee.codec_id)))")
      }
    }
    (self.path, self.context, self.sound, self.leftOut) = (path, context, sound, leftOut)
    bytes = max(1, avio_size(context.pointee.pb))
    // Below 0 lies what a decoder of sound drops.
    start = max(0, context.pointee.start_time == bench_nopts() ? 0 : context.pointee.start_time)
    comment = av_dict_get(context.pointee.metadata, "comment", nil, 0).map { String(cString: $0.pointee.value) }
  }

  deinit {
    var freed: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&freed)
    var closing: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&closing)
  }

  /// The next packet of any track, which is this source's and emptied by the next call; nil at the end.
  func next() throws -> UnsafeMutablePointer<AVPacket>? {
    av_packet_unref(packet)
    let code = av_read_frame(context, packet)
    if code == bench_averror_eof() { return nil }
    try check(code, .media, "cannot package '\(path)'")
    return packet
  }

  /// The share of the file before the packet.
  func fraction(of packet: UnsafeMutablePointer<AVPacket>) -> Double {
    min(1, Double(max(0, packet.pointee.pos)) / Double(bytes))
  }
}
