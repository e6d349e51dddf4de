package import CFFmpeg
import Frames
import Media

/// The decoder of a device that libavcodec drives.
package final class DeviceSession: HardwareSession {
  package let choice: DecoderChoice
  package let codec: UnsafePointer<AVCodec>
  package private(set) var refusal: String?
  package private(set) var sharingRefusal: String?
  package var sharesMemory: Bool { sharing != nil }
  private let format: AVPixelFormat
  private let extraSurfaces: Int
  private var device: UnsafeMutablePointer<AVBufferRef>?
  private var sharing: (any FrameSharing)?
  private var canDownloadToLentMemory = true
  /// Where no memory is lent.
  private let copies = FrameBuffers()
  /// Of the whole session: the hardware refuses some time after the call that made it.
  private let errors = FFmpegErrors()

  /// - Parameter wanted: the GPU that is to decode; nil: any.
  init(
    _ row: any HardwareDecoder, _ id: AVCodecID, on wanted: DeviceIdentity?, allocator: PictureAllocator?, path: String
  ) throws(Failure) {
    guard let found = row.codec(for: id) else {
      throw Failure(
        .unsupported, "cannot decode '\(path)' with \(row.choice.rawValue)", cause: "FFmpeg has no such decoder",
        remedy: "use --decoder software")
    }
    let lent = allocator?.lentDevice
    let errors = FFmpegErrors()
    var status = row.open(&device, on: wanted, lent: lent)
    if status < 0, lent != nil {
      sharingRefusal = "the device that draws cannot be shared: \(errors.last ?? errors.reason(status))"
      status = row.open(&device, on: wanted, lent: nil)
    }
    guard status >= 0, let device else {
      if let reason = row.reasonNotToOpen(on: wanted) {
        throw Failure(
          .unsupported, "cannot decode '\(path)' with \(row.choice.rawValue)", cause: reason,
          remedy: "or use --decoder software")
      }
      throw Failure(
        .unsupported, "cannot decode '\(path)' with \(row.choice.rawValue)",
        cause: "its device cannot be opened: \(errors.last ?? errors.reason(status))", remedy: "use --decoder software"
      )
    }
    choice = row.choice
    (codec, format) = found
    extraSurfaces = row.extraSurfaces
    sharing = sharingRefusal == nil ? allocator.flatMap { row.makeSharing(device, $0) } : nil
  }

  /// - Parameters:
  ///   - format: that the codec gives.
  ///   - sharing: nil: frames are copied back.
  package init(
    _ choice: DecoderChoice, _ codec: UnsafePointer<AVCodec>, _ format: AVPixelFormat, sharing: (any FrameSharing)?
  ) {
    (self.choice, self.codec, self.format, self.sharing) = (choice, codec, format, sharing)
    extraSurfaces = 0
  }

  deinit {
    sharing = nil
    av_buffer_unref(&device)
  }

  package func takesPacket() -> Bool { true }

  package func install(in context: UnsafeMutablePointer<AVCodecContext>) {
    context.pointee.hw_device_ctx = device.flatMap { av_buffer_ref($0) }
    context.pointee.extra_hw_frames = Int32(extraSurfaces)
    // Frame threads would take turns on one video engine.
    context.pointee.thread_count = 1
    context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    context.pointee.get_format = { context, formats in
      guard let context, let formats, let opaque = context.pointee.opaque else { return AV_PIX_FMT_NONE }
      return Unmanaged<DeviceSession>.fromOpaque(opaque).takeUnretainedValue().choose(formats)
    }
  }

  /// FFmpeg asks again, without the hardware's format, when the hardware refused.
  private func choose(_ formats: UnsafePointer<AVPixelFormat>) -> AVPixelFormat {
    var position = 0
    while formats[position] != AV_PIX_FMT_NONE {
      if formats[position] == format { return format }
      position += 1
    }
    // The last one only says that the hardware was not set up.
    refusal = errors.lastTwo ?? "the GPU does not decode this profile, size or pixel format"
    return AV_PIX_FMT_NONE
  }

  package func bring(
    _ frame: UnsafeMutablePointer<AVFrame>, lending: DirectRendering?, allowsDeep: Bool
  ) throws(Failure) {
    guard frame.pointee.format == format.rawValue, frame.pointee.hw_frames_ctx != nil else { return }
    if try !share(frame, allowsDeep) { try copyBack(frame, lending) }
  }

  private func share(_ frame: UnsafeMutablePointer<AVFrame>, _ allowsDeep: Bool) throws(Failure) -> Bool {
    guard let sharing, let frames = bench_hardware_frames(frame),
      allowsDeep || sharedFormat(frames.pointee.sw_format)?.isDeep != true
    else { return false }
    do throws(Failure) {
      guard let shared = try sharing.share(frame) else { return false }
      guard shared.attach(to: frame) else { throw Failure(.failed, "cannot share a frame", cause: "out of memory") }
      return true
    } catch {
      sharingRefusal = error.cause
      self.sharing = nil
      return false
    }
  }

  /// Downloads into memory that the GPU reads, where there is some: then that is the only copy that the CPU waits for.
  private func copyBack(_ frame: UnsafeMutablePointer<AVFrame>, _ lending: DirectRendering?) throws(Failure) {
    var target = av_frame_alloc()
    defer { av_frame_free(&target) }
    guard let target else { throw failure("out of memory") }
    var status = bench_averror_nomem()
    if let lending, canDownloadToLentMemory {
      status = download(frame, to: target, lending)
      // Some drivers do not write to another device's memory.
      canDownloadToLentMemory = status >= 0
    }
    if status < 0 { status = download(frame, to: target, nil) }
    if status >= 0 { status = av_frame_copy_props(target, frame) }
    // libavcodec leaves it to us to crop hardware frames at their left and top.
    if status >= 0 { status = av_frame_apply_cropping(target, Int32(AV_FRAME_CROP_UNALIGNED)) }
    guard status >= 0 else { throw failure("a frame cannot be copied back: \(errors.reason(status))") }
    av_frame_unref(frame)
    av_frame_move_ref(frame, target)
  }

  private func download(
    _ frame: UnsafeMutablePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>, _ lending: DirectRendering?
  ) -> Int32 {
    av_frame_unref(target)
    target.pointee.format = transferFormat(frame).rawValue
    target.pointee.width = frame.pointee.width
    target.pointee.height = frame.pointee.height
    if lending?.fill(target) != true {
      let status = copies.fill(target)
      guard status >= 0 else { return status }
    }
    return av_hwframe_transfer_data(target, frame, 0)
  }

  /// What the device gives: the samples as they are, where it can.
  private func transferFormat(_ frame: UnsafeMutablePointer<AVFrame>) -> AVPixelFormat {
    let own = bench_hardware_frames(frame)?.pointee.sw_format ?? AV_PIX_FMT_NV12
    var formats: UnsafeMutablePointer<AVPixelFormat>?
    defer { av_free(formats) }
    guard
      av_hwframe_transfer_get_formats(frame.pointee.hw_frames_ctx, AV_HWFRAME_TRANSFER_DIRECTION_FROM, &formats, 0)
        >= 0,
      let formats
    else { return own }
    var position = 0
    while formats[position] != AV_PIX_FMT_NONE {
      if formats[position] == own { return own }
      position += 1
    }
    return position > 0 ? formats[0] : own
  }

  private func failure(_ cause: String) -> Failure {
    Failure(.device, "cannot decode with \(choice.rawValue)", cause: cause, remedy: "use --decoder software")
  }
}
