internal import CFFmpeg
import Frames
import Media

/// A JPEG, PNG or WebP image, decoded whole.
///
/// The bytes go to the decoder that their first ones name and to no other: nothing in a file makes libavformat open
/// another one.
enum ImageFile {
  static let byteLimit = 64 << 20
  /// Of four bytes each: 256 MiB.
  static let pixelLimit: Int64 = 1 << 26

  static func read(
    _ path: String, network: NetworkOptions, interruption: Interruption
  ) throws(Failure) -> SmallPicture {
    try decode(
      try readBytes(path, byteLimit: byteLimit, network: network, interruption: interruption), path: path)
  }

  private static func codec(_ bytes: [UInt8]) -> AVCodecID? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return AV_CODEC_ID_MJPEG }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return AV_CODEC_ID_PNG }
    if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return AV_CODEC_ID_WEBP
    }
    return nil
  }

  static func decode(_ bytes: [UInt8], path: String) throws(Failure) -> SmallPicture {
    let attempt = "cannot read '\(path)'"
    guard let id = codec(bytes) else {
      throw Failure(.media, attempt, cause: "it is no JPEG, PNG or WebP image", remedy: "convert it to one of these")
    }
    guard let codec = avcodec_find_decoder(id), let context = avcodec_alloc_context3(codec) else {
      throw Failure(.unsupported, attempt, cause: "this FFmpeg does not decode such images")
    }
    var (owned, packet, frame) = (Optional(context), av_packet_alloc(), av_frame_alloc())
    defer {
      avcodec_free_context(&owned)
      av_packet_free(&packet)
      av_frame_free(&frame)
    }
    context.pointee.thread_count = 1
    context.pointee.max_pixels = pixelLimit
    let errors = FFmpegErrors()
    guard let packet, let frame, avcodec_open2(context, codec, nil) >= 0,
      av_new_packet(packet, Int32(bytes.count)) >= 0, let data = packet.pointee.data
    else { throw Failure(.failed, attempt, cause: "out of memory") }
    data.update(from: bytes, count: bytes.count)
    var status = avcodec_send_packet(context, packet)
    if status >= 0 { status = avcodec_send_packet(context, nil) }
    if status >= 0 { status = avcodec_receive_frame(context, frame) }
    guard status >= 0, frame.pointee.width > 0, frame.pointee.height > 0 else {
      throw Failure(
        .media, attempt, cause: "the image is damaged: \(errors.last ?? errors.reason(status))",
        remedy: "copy or download it again")
    }
    let input = ScalerInput(frame)
    return try PictureScaler().scale(input, to: input.size, time: .zero, path: path)
  }
}
