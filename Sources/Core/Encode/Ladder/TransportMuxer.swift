internal import CFFmpeg
import Frames
import Media

/// Packets of one track as MPEG-TS segments. One thread at a time.
///
/// Time stamps are those of the packets and `origin` added: they begin at it, not at 0, because pictures are decoded
/// before the first one is shown, and MPEG-TS has no times below zero.
struct TransportMuxer: ~Copyable {
  /// In seconds.
  static let origin: Int64 = 10

  private let context: UnsafeMutablePointer<AVFormatContext>
  private let stream: UnsafeMutablePointer<AVStream>
  private let timeBase: AVRational

  init(of encoder: borrowing Encoder) throws {
    var made: UnsafeMutablePointer<AVFormatContext>?
    try check(avformat_alloc_output_context2(&made, nil, "mpegts", nil), .unsupported, Self.attempt)
    let context = try allocated(made)
    let stream: UnsafeMutablePointer<AVStream>
    do {
      stream = try Self.open(context, encoder)
    } catch {
      Self.free(context)
      throw error
    }
    self.context = context
    self.stream = stream
    timeBase = encoder.context.pointee.time_base
  }

  deinit { Self.free(context) }

  /// The bytes of the next segment, which begin with the tables that a decoder needs, and how many of them hold the first
  /// packet with all that comes before it.
  func segment(_ packets: [CodedPacket]) throws -> (bytes: [UInt8], firstBytes: Int) {
    if context.pointee.pb == nil { try check(avio_open_dyn_buf(&context.pointee.pb), .failed, Self.attempt) }
    try check(av_opt_set(context.pointee.priv_data, "mpegts_flags", "+resend_headers", 0), .failed, Self.attempt)
    var firstBytes: Int?
    for packet in packets {
      try packet.withPacket { packet in
        av_packet_rescale_ts(packet, timeBase, stream.pointee.time_base)
        let offset = Self.origin * Int64(stream.pointee.time_base.den)
        packet.pointee.pts += offset
        packet.pointee.dts += offset
        packet.pointee.stream_index = 0
        try check(av_write_frame(context, packet), .failed, Self.attempt)
      }
      if firstBytes == nil { firstBytes = Int(avio_seek(context.pointee.pb, 0, SEEK_CUR)) }
    }
    // Nothing of this segment waits for the next one.
    try check(av_write_frame(context, nil), .failed, Self.attempt)
    let bytes = dynamicBytes(&context.pointee.pb)
    return (bytes, firstBytes ?? 0)
  }

  private static let attempt = "cannot write MPEG-TS"

  private static func open(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ encoder: borrowing Encoder
  ) throws -> UnsafeMutablePointer<AVStream> {
    context.pointee.flags |= AVFMT_FLAG_BITEXACT
    let stream = try allocated(avformat_new_stream(context, nil))
    try check(avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), .failed, attempt)
    stream.pointee.time_base = encoder.context.pointee.time_base
    try check(avio_open_dyn_buf(&context.pointee.pb), .failed, attempt)
    // Time stamps as they are.
    var options: OpaquePointer?
    av_dict_set(&options, "mpegts_copyts", "1", 0)
    let code = avformat_write_header(context, &options)
    av_dict_free(&options)
    try check(code, .failed, attempt)
    return stream
  }

  private static func free(_ context: UnsafeMutablePointer<AVFormatContext>) {
    _ = dynamicBytes(&context.pointee.pb)
    avformat_free_context(context)
  }
}

/// Closes a dynamic buffer and returns the bytes in it.
func dynamicBytes(_ buffer: inout UnsafeMutablePointer<AVIOContext>?) -> [UInt8] {
  guard let open = buffer else { return [] }
  var memory: UnsafeMutablePointer<UInt8>?
  let count = avio_close_dyn_buf(open, &memory)
  buffer = nil
  defer { av_free(memory) }
  return memory.map { Array(UnsafeBufferPointer(start: $0, count: Int(count))) } ?? []
}
