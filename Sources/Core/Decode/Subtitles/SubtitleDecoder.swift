internal import CFFmpeg
import Frames
import Media

/// libavcodec's decoder of a stream of text. One thread at a time.
final class SubtitleDecoder {
  /// FFmpeg's name of the format.
  let name: String
  /// `[Script Info]` and `[V4+ Styles]`.
  let header: String
  private let context: UnsafeMutablePointer<AVCodecContext>

  /// A packet's decoded lines.
  struct Decoded {
    /// `ReadOrder,Layer,Style,…` each.
    var lines: [String]
    /// From the packet's time to that of the lines.
    var delay: MediaTime
    /// From the packet's time to the lines' end, where the decoder says one.
    var length: MediaTime?
  }

  private static let headerLimit = 1 << 20

  init(_ stream: UnsafeMutablePointer<AVStream>, attempt: String) throws(Failure) {
    guard let parameters = stream.pointee.codecpar else { throw Failure(.failed, attempt, cause: "out of memory") }
    name = string(avcodec_get_name(parameters.pointee.codec_id)) ?? "unknown"
    guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw Failure(.unsupported, attempt, cause: "this FFmpeg has no decoder for '\(name)'")
    }
    guard let context = avcodec_alloc_context3(codec) else { throw Failure(.failed, attempt, cause: "out of memory") }
    let errors = FFmpegErrors()
    var status = avcodec_parameters_to_context(context, parameters)
    context.pointee.pkt_timebase = stream.pointee.time_base
    if status >= 0 { status = avcodec_open2(context, codec, nil) }
    guard status >= 0 else {
      var closing: UnsafeMutablePointer<AVCodecContext>? = context
      avcodec_free_context(&closing)
      throw Failure(.media, attempt, cause: errors.reason(status), remedy: "it is damaged")
    }
    self.context = context
    let count = min(Int(context.pointee.subtitle_header_size), Self.headerLimit)
    header =
      context.pointee.subtitle_header.map {
        String(decoding: UnsafeBufferPointer(start: $0, count: max(0, count)).prefix { $0 != 0 }, as: UTF8.self)
      } ?? ""
  }

  deinit {
    var closing: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&closing)
  }

  /// Nil: the packet cannot be decoded.
  func decode(_ packet: UnsafeMutablePointer<AVPacket>) -> Decoded? {
    var (subtitle, isWhole): (AVSubtitle, Int32) = (AVSubtitle(), 0)
    guard packet.pointee.size > 0, avcodec_decode_subtitle2(context, &subtitle, &isWhole, packet) >= 0, isWhole != 0
    else { return nil }
    defer { avsubtitle_free(&subtitle) }
    var lines: [String] = []
    for index in 0..<Int(subtitle.num_rects) {
      guard let rectangle = subtitle.rects?[index], let text = rectangle.pointee.ass else { continue }
      lines.append(String(cString: text))
    }
    let base = Ratio(1, 1000)
    let (start, end) = (subtitle.start_display_time, subtitle.end_display_time)
    return Decoded(
      lines: lines, delay: MediaTime(ticks: Int64(start), timeBase: base),
      length: end > start && end < UInt32.max ? MediaTime(ticks: Int64(end), timeBase: base) : nil)
  }
}
