internal import CFFmpeg
import Frames
import Media

/// Sound at 48 kHz as packets: one channel, or as many as an encoder of planes takes. One thread at a time.
struct SoundEncoder: ~Copyable {
  static let sampleRate = 48000

  let encoder: Encoder
  private let frame: UnsafeMutablePointer<AVFrame>
  let samplesPerFrame: Int
  /// Samples encoded so far.
  private(set) var position = 0

  /// - Parameters:
  ///   - name: FFmpeg's of the encoder.
  ///   - channels: without a use that is said.
  ///   - requireSupport: throws where the container cannot hold the codec.
  init(
    _ name: String, channels: Int = 1, bitRate: Int64, hasGlobalHeader: Bool,
    requireSupport: (AVCodecID) throws -> Void = { _ in }
  ) throws {
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw Failure(.unsupported, "cannot encode audio", cause: "this FFmpeg has no \(name)", remedy: "omit audio")
    }
    try requireSupport(codec.pointee.id)
    let context = try allocated(avcodec_alloc_context3(codec))
    context.pointee.sample_rate = Int32(Self.sampleRate)
    // Interleaved or planar makes no difference for one channel, but each encoder accepts only one of the two.
    context.pointee.sample_fmt = name == "libopus" ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP
    av_channel_layout_default(&context.pointee.ch_layout, Int32(channels))
    context.pointee.bit_rate = bitRate
    context.pointee.time_base = AVRational(num: 1, den: Int32(Self.sampleRate))
    context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    if hasGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    // Intensity stereo and noise would keep the loudness of channels alone, but directions are in their phases.
    let options = channels > 1 ? [("aac_is", "0"), ("aac_pns", "0")] : []
    let encoder = try Encoder(opening: context, options: options)
    let samplesPerFrame = max(1, Int(context.pointee.frame_size))
    let frame = try Self.makeFrame(like: context, samples: samplesPerFrame)
    self.encoder = encoder
    self.samplesPerFrame = samplesPerFrame
    self.frame = frame
  }

  deinit {
    var freed: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&freed)
  }

  /// Encodes the next frame.
  ///
  /// - Parameters:
  ///   - fill: writes the samples of each channel from a position on.
  ///   - receive: is called with every packet that results; the packet is emptied after the call.
  mutating func encode(
    fill: (_ channels: [UnsafeMutableBufferPointer<Float>], _ position: Int) -> Void,
    to receive: (UnsafeMutablePointer<AVPacket>, borrowing Encoder) throws -> Void
  ) throws {
    try check(av_frame_make_writable(frame), .failed, "cannot encode audio")
    let channels = (0..<Int(frame.pointee.ch_layout.nb_channels)).compactMap { channel in
      frame.pointee.extended_data[channel].map { data in
        let samples = UnsafeMutableRawPointer(data).assumingMemoryBound(to: Float.self)
        return UnsafeMutableBufferPointer(start: samples, count: samplesPerFrame)
      }
    }
    fill(channels, position)
    frame.pointee.pts = Int64(position)
    position += samplesPerFrame
    try encoder.encode(frame) { try receive($0, encoder) }
  }

  /// Encodes what the encoder still holds.
  func finish(to receive: (UnsafeMutablePointer<AVPacket>, borrowing Encoder) throws -> Void) throws {
    try encoder.encode(nil) { try receive($0, encoder) }
  }

  private static func makeFrame(
    like context: UnsafeMutablePointer<AVCodecContext>, samples: Int
  ) throws -> UnsafeMutablePointer<AVFrame> {
    let frame = try allocated(av_frame_alloc())
    frame.pointee.format = context.pointee.sample_fmt.rawValue
    frame.pointee.nb_samples = Int32(samples)
    frame.pointee.sample_rate = Int32(sampleRate)
    av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout)
    let code = av_frame_get_buffer(frame, 0)
    guard code >= 0 else {
      var freed: UnsafeMutablePointer<AVFrame>? = frame
      av_frame_free(&freed)
      throw Failure(.failed, "cannot encode audio", cause: ffmpegText(code))
    }
    return frame
  }
}
