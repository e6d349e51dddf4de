internal import CFFmpeg
import FFmpegLog
import Frames
import TestPicture

/// A quiet tone, so that files with audio exist: 440 Hz, one channel, 48 kHz.
struct AudioTrack: ~Copyable {
  private static let sampleRate: Int32 = 48000
  private static let amplitude: Float = 0.05

  private let encoder: Encoder
  private let frame: UnsafeMutablePointer<AVFrame>
  private let stream: UnsafeMutablePointer<AVStream>
  private let samplesPerFrame: Int
  /// Samples written so far.
  private var position: Int64 = 0

  /// AAC, or Opus in WebM.
  init(in file: borrowing OutputFile) throws {
    let name = file.isWebM ? "libopus" : "aac"
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw Failure(.unsupported, "cannot encode audio", cause: "this FFmpeg has no \(name)", remedy: "omit audio")
    }
    try file.requireSupport(of: codec.pointee.id, named: name)
    let context = try allocated(avcodec_alloc_context3(codec))
    context.pointee.sample_rate = Self.sampleRate
    // Interleaved or planar makes no difference for one channel, but each encoder accepts only one of the two.
    context.pointee.sample_fmt = file.isWebM ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP
    av_channel_layout_default(&context.pointee.ch_layout, 1)
    context.pointee.bit_rate = 64000
    context.pointee.time_base = AVRational(num: 1, den: Self.sampleRate)
    context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    if file.wantsGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    let encoder = try Encoder(opening: context, options: [])
    let stream = try file.addStream(for: encoder)
    let samplesPerFrame = max(1, Int(context.pointee.frame_size))
    let frame = try Self.makeFrame(like: context, samples: samplesPerFrame)
    self.encoder = encoder
    self.stream = stream
    self.samplesPerFrame = samplesPerFrame
    self.frame = frame
  }

  deinit {
    var freed: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&freed)
  }

  /// Writes whole audio frames until `seconds` are covered.
  mutating func write(until seconds: Double, to file: borrowing OutputFile) throws {
    while Double(position) < seconds * Double(Self.sampleRate) {
      try check(av_frame_make_writable(frame), .failed, "cannot encode audio")
      fill()
      frame.pointee.pts = position
      position += Int64(samplesPerFrame)
      try encoder.encode(frame) { try file.write($0, from: encoder, to: stream) }
    }
  }

  func finish(to file: borrowing OutputFile) throws {
    try encoder.encode(nil) { try file.write($0, from: encoder, to: stream) }
  }

  private func fill() {
    guard let data = frame.pointee.data.0 else { return }
    data.withMemoryRebound(to: Float.self, capacity: samplesPerFrame) { samples in
      for index in 0..<samplesPerFrame {
        let cycles = Double((position + Int64(index)) % Int64(Self.sampleRate)) * 440 / Double(Self.sampleRate)
        samples[index] = Self.amplitude * Float(sine(turns: cycles))
      }
    }
  }

  private static func makeFrame(
    like context: UnsafeMutablePointer<AVCodecContext>, samples: Int
  ) throws -> UnsafeMutablePointer<AVFrame> {
    let frame = try allocated(av_frame_alloc())
    frame.pointee.format = context.pointee.sample_fmt.rawValue
    frame.pointee.nb_samples = Int32(samples)
    frame.pointee.sample_rate = sampleRate
    av_channel_layout_default(&frame.pointee.ch_layout, 1)
    let code = av_frame_get_buffer(frame, 0)
    guard code >= 0 else {
      var freed: UnsafeMutablePointer<AVFrame>? = frame
      av_frame_free(&freed)
      throw Failure(.failed, "cannot encode audio", cause: ffmpegText(code))
    }
    return frame
  }
}
