internal import CFFmpeg
import Frames
import Media

/// libavcodec behind send and receive, with every frame matched to the instants of its packet. One thread at a time.
final class VideoDecoder {
  let description: DecoderDescription
  /// FFmpeg's name of what it decodes.
  let codec: String
  private let context: UnsafeMutablePointer<AVCodecContext>
  /// The memory it writes pictures to; nil: libavcodec's own.
  let allocator: PictureAllocator?
  private let direct: DirectRendering?
  /// Nil: libavcodec decodes on the CPU.
  let hardware: (any HardwareSession)?
  /// The missing resource, such as memory; nil while decoding lacked none.
  private(set) var shortage: Failure?
  /// Why the hardware gave up; nil while it has not. Errors of the stream do not count.
  private(set) var hardwareFailure: String?
  private var stamps: [PacketStamp]
  private var nextTag: Int64 = 1
  /// Of the last packet that was handed over.
  var lastTag: Int64 { nextTag - 1 }

  /// Packets in flight inside a decoder never come near this.
  private static let stampCapacity = 1024

  private struct PacketStamp {
    var tag: Int64 = 0
    var demuxMilliseconds = 0.0
    var readStarted = MonotonicTime(nanoseconds: 0)
    var sent = MonotonicTime(nanoseconds: 0)
    var consumerNanoseconds: Int64 = 0
  }

  init(
    _ format: PacketFormat, codec: UnsafePointer<AVCodec>, options: DecoderOptions,
    allocator: PictureAllocator?, leastSize: PictureSize? = nil, hardware: (any HardwareSession)? = nil, path: String
  ) throws(Failure) {
    guard let context = avcodec_alloc_context3(codec) else {
      throw Failure(.failed, "cannot decode '\(path)'", cause: "out of memory")
    }
    var owned: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_parameters_to_context(context, format.parameters)
    context.pointee.pkt_timebase = format.timeBase
    context.pointee.thread_count = Int32(clamping: options.threads)
    if options.isLowDelay {
      context.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY
      context.pointee.thread_type = FF_THREAD_SLICE
    }
    // A hostile header must not make us allocate terabytes: 16384 × 16384 and a little.
    context.pointee.max_pixels = 300_000_000
    if let leastSize {
      context.pointee.lowres = halvings(of: format.parameters.pointee, codec: codec, downTo: leastSize)
      context.pointee.skip_loop_filter = AVDISCARD_ALL
    }
    bench_enable_tags(context)
    let canRenderDirectly = hardware != nil || bench_codec_has_dr1(codec) != 0
    self.allocator = allocator
    self.hardware = hardware
    direct = canRenderDirectly ? allocator.map { DirectRendering(allocator: $0) } : nil
    if let hardware { hardware.install(in: context) } else { direct?.install(in: context) }

    let errors = FFmpegErrors()
    let status = avcodec_open2(context, codec, nil)
    guard status >= 0 else {
      avcodec_free_context(&owned)
      if let failure = resourceFailure("cannot decode '\(path)'", status) { throw failure }
      throw Failure(
        .media, "cannot decode '\(path)'", cause: "the decoder does not start: \(errors.reason(status))",
        remedy: "the file is damaged or uses features that this FFmpeg does not know")
    }
    let threadType =
      switch context.pointee.active_thread_type {
      case FF_THREAD_FRAME: "frame"
      case FF_THREAD_SLICE: "slice"
      default: bench_codec_has_own_threads(codec) != 0 ? "own" : "none"
      }
    description = DecoderDescription(
      name: string(codec.pointee.name) ?? "unknown",
      threads: threadCount(context, threadType), threadType: threadType,
      canRenderDirectly: canRenderDirectly, choice: hardware?.choice ?? .software,
      sharesMemory: hardware?.sharesMemory ?? false)
    self.context = context
    self.codec = string(avcodec_get_name(format.codec)) ?? "unknown"
    stamps = Array(repeating: PacketStamp(), count: Self.stampCapacity)
  }

  deinit {
    var owned: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&owned)
  }

  /// Whether frames that no other refers to are left out, from the next packet on; stays false where that cannot be.
  var skipsNonReferences: Bool {
    get { context.pointee.skip_frame == AVDISCARD_NONREF }
    set { context.pointee.skip_frame = newValue && canSkip ? AVDISCARD_NONREF : AVDISCARD_DEFAULT }
  }

  /// FFmpeg's decoder of VP8 skips too, but loses the segments of the picture that later frames go on with.
  private var canSkip: Bool {
    switch context.pointee.codec_id {
    case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4: true
    default: false
    }
  }

  /// Makes a stream say of itself what the decoder has found out of it; false when it cannot.
  func describe(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    avcodec_parameters_from_context(stream.pointee.codecpar, context) >= 0
  }

  enum Sent { case accepted, full, damaged }
  enum Received { case frame, needsInput, ended, damaged }

  /// Sends a packet, or, with nil, drains the decoder.
  ///
  /// - Parameter consumerNanoseconds: how long the consumer has kept the decoder waiting so far, in all.
  func send(
    _ packet: UnsafeMutablePointer<AVPacket>?, readStarted: MonotonicTime, demuxMilliseconds: Double,
    consumerNanoseconds: Int64
  ) -> Sent {
    if let packet {
      let tag = nextTag
      bench_tag_packet(context, packet, tag)
      stamps[Int(tag) % Self.stampCapacity] = PacketStamp(
        tag: tag, demuxMilliseconds: demuxMilliseconds, readStarted: readStarted, sent: .now,
        consumerNanoseconds: consumerNanoseconds)
    }
    if packet != nil, hardware?.takesPacket() == false {
      hardwareFailure = hardware?.refusal
      return .damaged
    }
    let errors = FFmpegErrors()
    let status = avcodec_send_packet(context, packet)
    if status == bench_averror_again() { return .full }
    if packet != nil { nextTag += 1 }
    note(status, errors)
    return status >= 0 || status == bench_averror_eof() ? .accepted : .damaged
  }

  /// Notes whether the hardware or the machine failed, and not the stream.
  private func note(_ status: Int32, _ errors: FFmpegErrors) {
    if status == bench_averror_nomem(), hardware == nil { shortage = resourceFailure("cannot decode", status) }
    guard let hardware, status < 0, status != bench_averror_eof(), hardwareFailure == nil else { return }
    hardwareFailure = hardware.refusal ?? (bench_is_hardware_failure(status) != 0 ? errors.reason(status) : nil)
  }

  /// Makes a hardware decoder's frame ready to be drawn: `HardwareSession.bring`.
  func bring(_ frame: UnsafeMutablePointer<AVFrame>, allowsDeep: Bool) throws(Failure) {
    try hardware?.bring(frame, lending: direct, allowsDeep: allowsDeep)
  }

  func receive(into frame: UnsafeMutablePointer<AVFrame>) -> Received {
    let errors = FFmpegErrors()
    let status = avcodec_receive_frame(context, frame)
    if status >= 0 { return .frame }
    if status == bench_averror_again() { return .needsInput }
    note(status, errors)
    return status == bench_averror_eof() ? .ended : .damaged
  }

  /// The instants of the packet that `frame` came from.
  func timing(
    of frame: UnsafeMutablePointer<AVFrame>, received: MonotonicTime, consumerNanoseconds: Int64
  ) -> FrameTiming {
    var timing = FrameTiming()
    timing.received = received
    let tag = bench_frame_tag(frame)
    guard tag > 0 else { return timing }
    let stamp = stamps[Int(tag % Int64(Self.stampCapacity))]
    guard stamp.tag == tag else { return timing }
    timing.demuxMilliseconds = stamp.demuxMilliseconds
    timing.readStarted = stamp.readStarted
    timing.packetSent = stamp.sent
    let waited = consumerNanoseconds - stamp.consumerNanoseconds
    timing.decodeLatencyMilliseconds = max(0, received.milliseconds(since: stamp.sent) - Double(waited) / 1e6)
    return timing
  }

  /// Discards all packets and frames; the next packet is a sync sample.
  func flush() {
    avcodec_flush_buffers(context)
  }

  /// The allocation a frame lies in, when it lies in one of ours untouched.
  func allocation(of frame: UnsafeMutablePointer<AVFrame>, planes: PlaneList) -> PictureAllocation? {
    direct?.allocation(of: frame, planes: planes)
  }
}

/// How often a codec can halve its pictures without coming below a size.
private func halvings(of parameters: AVCodecParameters, codec: UnsafePointer<AVCodec>, downTo least: PictureSize)
  -> Int32
{
  var count: Int32 = 0
  while count < Int32(codec.pointee.max_lowres), Int(parameters.width >> (count + 1)) >= least.width,
    Int(parameters.height >> (count + 1)) >= least.height
  {
    count += 1
  }
  return count
}

/// Threads in use; a decoder with threads of its own that was not told how many takes one per core.
private func threadCount(_ context: UnsafeMutablePointer<AVCodecContext>, _ threadType: String) -> Int {
  if threadType == "none" { return 1 }
  let count = Int(context.pointee.thread_count)
  return count > 0 ? count : Int(av_cpu_count())
}
