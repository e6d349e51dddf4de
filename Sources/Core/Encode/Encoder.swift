internal import CFFmpeg
import Frames
import Media

/// An open encoder and the packet that it fills. One thread at a time.
struct Encoder: ~Copyable {
  let context: UnsafeMutablePointer<AVCodecContext>
  private let packet: UnsafeMutablePointer<AVPacket>

  /// Takes ownership of `context`, which is set up but not open, also when it throws.
  init(opening context: UnsafeMutablePointer<AVCodecContext>, options: [(name: String, value: String)]) throws {
    let name = String(cString: context.pointee.codec.pointee.name)
    var dictionary: OpaquePointer?
    for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
    let errors = FFmpegErrors()
    let code = keepingScheduling { avcodec_open2(context, context.pointee.codec, &dictionary) }
    av_dict_free(&dictionary)
    guard code >= 0, let packet = av_packet_alloc() else {
      var freed: UnsafeMutablePointer<AVCodecContext>? = context
      avcodec_free_context(&freed)
      throw Failure(
        .unsupported, "cannot start the encoder \(name)", cause: errors.last ?? ffmpegText(code),
        remedy: "try another size, rate or bit rate")
    }
    self.context = context
    self.packet = packet
  }

  deinit {
    var freedPacket: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&freedPacket)
    var freed: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&freed)
  }

  /// Encodes `frame` (nil: flushes) and calls `body` with every packet that results; the packet belongs to the encoder
  /// and is emptied after the call.
  func encode(
    _ frame: UnsafeMutablePointer<AVFrame>?, to receive: (UnsafeMutablePointer<AVPacket>) throws -> Void
  ) throws {
    try check(avcodec_send_frame(context, frame), .failed, "cannot encode a frame")
    while true {
      let code = avcodec_receive_packet(context, packet)
      if code == bench_averror_again() || code == bench_averror_eof() { return }
      try check(code, .failed, "cannot encode a frame")
      defer { av_packet_unref(packet) }
      try receive(packet)
    }
  }
}
