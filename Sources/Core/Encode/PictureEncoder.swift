internal import CFFmpeg
import Frames
import Media
import TestPicture

/// The pictures of a clip as packets: draws and encodes them. One thread at a time.
struct PictureEncoder: ~Copyable {
  let encoder: Encoder
  private let frame: UnsafeMutablePointer<AVFrame>
  private let scene: SyntheticScene
  private let specification: ClipSpecification

  /// - Parameter hasGlobalHeader: parameter sets go into the encoder's extradata instead of the packets.
  /// - Parameter check: is called often while the scene is prepared, and throws to stop.
  /// - Parameter requireSupport: throws where the container cannot hold the codec.
  init(
    _ specification: ClipSpecification, hasGlobalHeader: Bool, check: () throws -> Void,
    requireSupport: (AVCodecID) throws -> Void = { _ in }
  ) throws {
    let (codec, row) = try EncoderChoice.find(for: specification)
    try requireSupport(codec.pointee.id)
    let context = try allocated(avcodec_alloc_context3(codec))
    let format = Self.configure(context, for: specification, row: row)
    if hasGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    let encoder = try Encoder(opening: context, options: row.options(specification) + Self.quality(specification, row))
    let scene = try SyntheticScene(specification.scene, check)
    let frame = try Self.makeFrame(format, specification.size)
    self.encoder = encoder
    self.scene = scene
    self.frame = frame
    self.specification = specification
  }

  deinit {
    var freed: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&freed)
  }

  /// Draws and encodes one frame; nil: flushes. `receive` is called with every packet that results, as by `Encoder`.
  func encode(frame number: Int?, to receive: (UnsafeMutablePointer<AVPacket>) throws -> Void) throws {
    if let number {
      // An encoder may keep a reference to the picture: the next one is drawn into a copy then.
      try check(av_frame_make_writable(frame), .failed, "cannot encode frame \(number)")
      scene.draw(frame: number, into: PlaneList(planes()))
      frame.pointee.pts = specification.timestamp(of: number)
    }
    try encoder.encode(number == nil ? nil : frame) { packet in
      if packet.pointee.duration == 0 { packet.pointee.duration = Int64(specification.ticksPerFrame) }
      try receive(packet)
    }
  }

  private func planes() -> [HostPlane] {
    let bytesPerSample = specification.bitDepth > 8 ? 2 : 1
    let data = [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2]
    let pitches = [frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2]
    return zip(data, pitches).enumerated().compactMap { index, plane in
      let shift = index == 0 ? (horizontal: 0, vertical: 0) : specification.chromaShift
      guard let base = plane.0 else { return nil }
      return HostPlane(
        base: UnsafeMutableRawPointer(base), bytesPerRow: Int(plane.1),
        rowBytes: (specification.size.width >> shift.horizontal) * bytesPerSample,
        rows: specification.size.height >> shift.vertical)
    }
  }

  private static func makeFrame(
    _ model: FrameModel, _ size: PictureSize
  ) throws -> UnsafeMutablePointer<AVFrame> {
    let frame = try allocated(av_frame_alloc())
    frame.pointee.format = model.format.rawValue
    frame.pointee.width = Int32(size.width)
    frame.pointee.height = Int32(size.height)
    frame.pointee.color_range = model.range
    frame.pointee.colorspace = model.matrix
    frame.pointee.color_primaries = model.primaries
    frame.pointee.color_trc = model.transfer
    frame.pointee.chroma_location = AVCHROMA_LOC_LEFT
    let code = av_frame_get_buffer(frame, 0)
    guard code >= 0 else {
      var freed: UnsafeMutablePointer<AVFrame>? = frame
      av_frame_free(&freed)
      throw Failure(.failed, "cannot make a picture of \(size)", cause: ffmpegText(code))
    }
    return frame
  }
}

extension PictureEncoder {
  /// The properties that every frame carries.
  private struct FrameModel {
    var format: AVPixelFormat
    var range: AVColorRange
    var matrix: AVColorSpace
    var primaries: AVColorPrimaries
    var transfer: AVColorTransferCharacteristic

    init(_ specification: ClipSpecification) {
      format = av_get_pix_fmt(specification.pixelFormatName)
      range = specification.range == .full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
      (matrix, primaries, transfer) =
        switch specification.matrix {
        case .bt601: (AVCOL_SPC_SMPTE170M, AVCOL_PRI_SMPTE170M, AVCOL_TRC_SMPTE170M)
        case .bt709: (AVCOL_SPC_BT709, AVCOL_PRI_BT709, AVCOL_TRC_BT709)
        case .bt2020:
          (
            AVCOL_SPC_BT2020_NCL, AVCOL_PRI_BT2020,
            specification.bitDepth == 12 ? AVCOL_TRC_BT2020_12 : AVCOL_TRC_BT2020_10
          )
        case .fcc: (AVCOL_SPC_FCC, AVCOL_PRI_BT470M, AVCOL_TRC_GAMMA22)
        case .smpte240m: (AVCOL_SPC_SMPTE240M, AVCOL_PRI_SMPTE240M, AVCOL_TRC_SMPTE240M)
        }
    }
  }

  private static func configure(
    _ context: UnsafeMutablePointer<AVCodecContext>, for clip: ClipSpecification, row: EncoderRow
  ) -> FrameModel {
    let model = FrameModel(clip)
    context.pointee.width = Int32(clip.size.width)
    context.pointee.height = Int32(clip.size.height)
    context.pointee.pix_fmt = model.format
    context.pointee.color_range = model.range
    context.pointee.colorspace = model.matrix
    context.pointee.color_primaries = model.primaries
    context.pointee.color_trc = model.transfer
    context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
    context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    context.pointee.framerate = AVRational(num: clip.rate.numerator, den: clip.rate.denominator)
    context.pointee.time_base = AVRational(
      num: clip.rate.denominator, den: clip.rate.numerator * Int32(clip.ticksPerFrame))
    context.pointee.gop_size = Int32(clip.gop)
    context.pointee.keyint_min = Int32(clip.gop)
    // A clip of two frames has no B-frame. With B-frames enabled x265 3.5 computes its decoding times from uninitialised memory.
    context.pointee.max_b_frames = row.hasBFrames && clip.gop > 1 && clip.frames > 2 ? Int32(clip.bFrames) : 0
    // Under a peak x264's threads look at each other's progress: the result would differ from run to run.
    context.pointee.thread_count = clip.peakBitRate == nil ? row.threads : 1
    // Limited-range Motion JPEG is outside its standard.
    context.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
    context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    if row.hasBFrames { context.pointee.flags |= Int32(truncatingIfNeeded: AV_CODEC_FLAG_CLOSED_GOP) }
    setQuality(context, clip, row)
    return model
  }

  private static func setQuality(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ clip: ClipSpecification, _ row: EncoderRow
  ) {
    if let peak = clip.peakBitRate {
      context.pointee.rc_max_rate = Int64(peak)
      context.pointee.rc_buffer_size = Int32(clamping: peak)
    }
    if let bitRate = clip.bitRate {
      context.pointee.bit_rate = Int64(bitRate)
      return
    }
    switch row.quality {
    case .option: context.pointee.bit_rate = 0
    case .bitsPerPixel(let bits):
      let pixels = Double(clip.size.width * clip.size.height) * (clip.rate.value ?? 30)
      context.pointee.bit_rate = Int64(pixels * bits)
    case .quantizer(let scale):
      context.pointee.flags |= AV_CODEC_FLAG_QSCALE
      context.pointee.global_quality = scale * FF_QP2LAMBDA
    }
  }

  private static func quality(_ clip: ClipSpecification, _ row: EncoderRow) -> [(name: String, value: String)] {
    guard clip.bitRate == nil, case .option(let name, let value) = row.quality else { return [] }
    return [(name, value)]
  }
}
