internal import CFFmpeg
import Frames
import Media
import TestPicture

/// Decodes the packets of a rung again, takes the checksum of each picture, reads its code and measures its quality. One thread at a
/// time.
struct FrameChecksums: ~Copyable {
  /// CRC-32 of each picture's planes without padding, in output order, as FFmpeg's `framehash` prints it.
  private(set) var values: [String] = []
  /// Of the pictures so far.
  private(set) var quality: SegmentQuality
  private let clip: ClipSpecification
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let frame: UnsafeMutablePointer<AVFrame>
  private let hash: OpaquePointer

  /// - Parameters:
  ///   - clip: of one rung.
  ///   - quality: of that rung, without pictures.
  init(of encoder: borrowing Encoder, _ clip: ClipSpecification, _ quality: consuming SegmentQuality) throws {
    let codec = try allocated(avcodec_find_decoder(encoder.context.pointee.codec_id))
    var context = avcodec_alloc_context3(codec)
    var frame = av_frame_alloc()
    var hash: OpaquePointer?
    do {
      try Self.open(context, codec, as: encoder)
      try check(av_hash_alloc(&hash, "CRC32"), .failed, Self.attempt)
      _ = try allocated(frame)
    } catch {
      avcodec_free_context(&context)
      av_frame_free(&frame)
      throw error
    }
    guard let context, let frame, let hash else { preconditionFailure("all three were allocated") }
    self.clip = clip
    self.quality = quality
    self.context = context
    self.frame = frame
    self.hash = hash
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
    var hash: OpaquePointer? = hash
    av_hash_freep(&hash)
  }

  /// Decodes a packet; nil: what the decoder still holds. Throws `Failure(.usage)` for a picture that does not show its
  /// number and rung: the bit rate is too low for it.
  mutating func add(_ packet: CodedPacket?) throws {
    if let packet {
      try packet.withPacket { try check(avcodec_send_packet(context, $0), .failed, Self.attempt) }
    } else {
      try check(avcodec_send_packet(context, nil), .failed, Self.attempt)
    }
    while true {
      let code = avcodec_receive_frame(context, frame)
      if code == bench_averror_again() || code == bench_averror_eof() { return }
      try check(code, .failed, Self.attempt)
      try requireCode()
      if let luma { try quality.add(luma, frame: values.count) }
      values.append(checksum())
      av_frame_unref(frame)
    }
  }

  private var luma: HostPlane? {
    let picture = frame.pointee
    return picture.data.0.map { base in
      HostPlane(
        base: base, bytesPerRow: Int(picture.linesize.0), rowBytes: Int(picture.width), rows: Int(picture.height))
    }
  }

  private func requireCode() throws {
    let number = values.count
    guard let luma, let rung = clip.rung else { return }
    let reading = FrameCode.read(luma: luma, layout: clip.projection, stereo: clip.stereo)
    try requireForLadder(
      reading == .ladder(number: number, rung: rung),
      "frame \(number) of rung \(rung), \(clip.size) at \(clip.bitRate ?? 0) bit/s, cannot be read",
      "raise its bit rate or its size, or lower --noise")
  }

  private static let attempt = "cannot decode the encoded pictures"

  private static func open(
    _ context: UnsafeMutablePointer<AVCodecContext>?, _ codec: UnsafePointer<AVCodec>, as encoder: borrowing Encoder
  ) throws {
    var owned = avcodec_parameters_alloc()
    defer { avcodec_parameters_free(&owned) }
    let parameters = try allocated(owned)
    try check(avcodec_parameters_from_context(parameters, encoder.context), .failed, attempt)
    try check(avcodec_parameters_to_context(try allocated(context), parameters), .failed, attempt)
    // The encoder has one thread: this goes on beside it.
    context?.pointee.thread_count = 2
    try check(avcodec_open2(context, codec, nil), .failed, attempt)
  }

  /// Pictures of a ladder have 8 bits and 4:2:0.
  private func checksum() -> String {
    av_hash_init(hash)
    let picture = frame.pointee
    for (plane, pitch, shift) in [
      (picture.data.0, picture.linesize.0, 0), (picture.data.1, picture.linesize.1, 1),
      (picture.data.2, picture.linesize.2, 1),
    ] {
      let (width, height) = ((Int(picture.width) + shift) >> shift, (Int(picture.height) + shift) >> shift)
      guard let plane else { continue }
      for row in 0..<height { av_hash_update(hash, plane + row * Int(pitch), width) }
    }
    var digits = [UInt8](repeating: 0, count: 16)
    av_hash_final_hex(hash, &digits, Int32(digits.count))
    return String(decoding: digits.prefix { $0 != 0 }, as: UTF8.self)
  }
}
