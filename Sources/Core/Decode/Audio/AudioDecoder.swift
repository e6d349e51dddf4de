internal import CFFmpeg
import Frames
import Media

/// libavcodec's decoder of a stream of sound. One thread at a time.
///
/// libavcodec itself leaves out the samples that the container marks: an encoder's delay at the start, its padding at the end.
final class AudioDecoder {
  let codec: AVCodecID
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let (header, sampleRate): ([UInt8], Int32)
  /// What `receive` filled; valid until it is called again.
  let frame: UnsafeMutablePointer<AVFrame>

  enum Received { case frame, needsInput, ended, damaged }

  /// - Parameter timeBase: in which its packets' stamps count.
  init(_ stream: UnsafeMutablePointer<AVStream>, timeBase: AVRational, attempt: String) throws(Failure) {
    guard let parameters = stream.pointee.codecpar, let frame = av_frame_alloc() else {
      throw Failure(.failed, attempt, cause: "out of memory")
    }
    var unusedFrame: UnsafeMutablePointer<AVFrame>? = frame
    var unused: UnsafeMutablePointer<AVCodecContext>?
    codec = parameters.pointee.codec_id
    let name = string(avcodec_get_name(codec)) ?? "unknown"
    guard let decoder = avcodec_find_decoder(codec) else {
      av_frame_free(&unusedFrame)
      throw Failure(.unsupported, attempt, cause: "this FFmpeg has no decoder for '\(name)'")
    }
    unused = avcodec_alloc_context3(decoder)
    guard let context = unused else {
      av_frame_free(&unusedFrame)
      throw Failure(.failed, attempt, cause: "out of memory")
    }
    let errors = FFmpegErrors()
    var status = avcodec_parameters_to_context(context, parameters)
    context.pointee.pkt_timebase = timeBase
    context.pointee.thread_count = 1
    if status >= 0 { status = avcodec_open2(context, decoder, nil) }
    guard status >= 0 else {
      avcodec_free_context(&unused)
      av_frame_free(&unusedFrame)
      throw Failure(
        .media, attempt, cause: "the decoder of '\(name)' does not start: \(errors.reason(status))",
        remedy: "the file is damaged or uses features that this FFmpeg does not know")
    }
    (self.context, self.frame) = (context, frame)
    (header, sampleRate) = (Self.header(parameters.pointee), parameters.pointee.sample_rate)
  }

  private static func header(_ parameters: AVCodecParameters) -> [UInt8] {
    Array(UnsafeBufferPointer(start: parameters.extradata, count: Int(max(0, parameters.extradata_size))))
  }

  /// Whether it was opened with these parameters.
  func fits(_ parameters: AVCodecParameters) -> Bool {
    parameters.codec_id == codec && parameters.sample_rate == sampleRate && Self.header(parameters) == header
  }

  deinit {
    var closing: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&closing)
    var freed: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&freed)
  }

  /// Sends a packet, or, with nil, drains the decoder; false where it is damaged.
  ///
  /// Called only when `receive` said `.needsInput`, so that the decoder has room.
  func send(_ packet: UnsafeMutablePointer<AVPacket>?) -> Bool {
    let status = avcodec_send_packet(context, packet)
    return status >= 0 || status == bench_averror_eof()
  }

  func receive() -> Received {
    switch avcodec_receive_frame(context, frame) {
    case 0...: .frame
    case bench_averror_again(): .needsInput
    case bench_averror_eof(): .ended
    default: .damaged
    }
  }

  /// Forgets the packets that were sent.
  func flush() { avcodec_flush_buffers(context) }
}
