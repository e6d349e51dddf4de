package import CFFmpeg
import Decode
import Frames
import Media

/// A hardware decoder that is none, for tests of what becomes of such a decoder's frames: they are decoded in software, and
/// uploaded to a Vulkan device of FFmpeg's, from where they are brought back like any other's.
package struct PlantedHardware: Sendable, Hashable {
  /// The frame after so many cannot be brought back; nil: all can.
  package var failsAfterFrames: Int?
  /// The packet after so many is refused; nil: none is.
  package var refusesAfterPackets: Int?

  /// Frames are shared: the CPU writes what the allocator exports. After so many they no longer can be; nil: none is.
  package var sharesFrames: Int?
  /// The Vulkan device is the allocator's, and frames are shared as those of Vulkan Video are.
  package var isOnLentDevice = false

  package init(failsAfterFrames: Int? = nil, refusesAfterPackets: Int? = nil, sharesFrames: Int? = nil) {
    self.failsAfterFrames = failsAfterFrames
    self.refusesAfterPackets = refusesAfterPackets
    self.sharesFrames = sharesFrames
  }

  package static var onLentDevice: PlantedHardware {
    var plan = PlantedHardware()
    plan.isOnLentDevice = true
    return plan
  }

  /// Whether there is a Vulkan device that FFmpeg can use.
  package static var isAvailable: Bool {
    var device: UnsafeMutablePointer<AVBufferRef>?
    defer { av_buffer_unref(&device) }
    FFmpegCallback.install()
    return av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_VULKAN, nil, nil, 0) >= 0
  }
}

extension PlantedHardware: HardwareDecoder {
  package var choice: DecoderChoice { .vulkan }
  package var type: AVHWDeviceType { AV_HWDEVICE_TYPE_VULKAN }
  package var extraSurfaces: Int { 0 }
  package var worksOnLentDevice: Bool { isOnLentDevice }

  package func obstacle(on device: DeviceIdentity?) -> String? { nil }

  package func name(of device: DeviceIdentity?) -> String? { nil }

  package func sharingObstacle(_ sharing: PictureSharing, _ codec: AVCodecID) -> String? { nil }

  package func makeSharing(
    _ device: UnsafeMutablePointer<AVBufferRef>, _ allocator: PictureAllocator
  ) -> (any FrameSharing)? {
    if isOnLentDevice { return VulkanSharing(allocator) }
    return sharesFrames.map { PlantedSharing($0, allocator) }
  }

  package func codec(for id: AVCodecID) -> (codec: UnsafePointer<AVCodec>, format: AVPixelFormat)? {
    avcodec_find_decoder(id).map { ($0, AV_PIX_FMT_VULKAN) }
  }

  package func makeSession(
    _ id: AVCodecID, on device: DeviceIdentity?, allocator: PictureAllocator?, path: String
  ) throws(Failure) -> any HardwareSession {
    guard let (codec, _) = codec(for: id) else {
      throw Failure(.unsupported, "cannot decode as planted", cause: "no codec")
    }
    return try PlantedSession(self, codec, allocator)
  }
}

extension DecoderOptions {
  /// Such a decoder, as if it had been named.
  package mutating func plant(_ plan: PlantedHardware) {
    (choice, hardware) = (.vulkan, HardwareDecoders([plan]))
  }
}

/// One such decoder at work: software decodes, and its frames are brought back as if hardware had. One thread at a time.
private final class PlantedSession: HardwareSession {
  private let plan: PlantedHardware
  private let lent: LentDevice?
  private let inner: DeviceSession
  let choice = DecoderChoice.vulkan
  var codec: UnsafePointer<AVCodec> { inner.codec }
  private(set) var refusal: String?
  var sharingRefusal: String? { inner.sharingRefusal }
  var sharesMemory: Bool { inner.sharesMemory }
  private var device: UnsafeMutablePointer<AVBufferRef>?
  /// Of the format and size that came last.
  private var frames: UnsafeMutablePointer<AVBufferRef>?
  private var made: (format: Int32, width: Int32, height: Int32) = (-1, 0, 0)
  /// FFmpeg returns before the device has read what is uploaded; downloading waits for it.
  private var source: UnsafeMutablePointer<AVFrame>?
  private var packets = 0
  private var count = 0

  init(
    _ plan: PlantedHardware, _ codec: UnsafePointer<AVCodec>, _ allocator: PictureAllocator?
  ) throws(Failure) {
    self.plan = plan
    lent = plan.isOnLentDevice ? allocator?.lentDevice : nil
    let errors = FFmpegErrors()
    var opened: UnsafeMutablePointer<AVBufferRef>?
    let status =
      lent.map { openLentDevice(&opened, $0) }
      ?? av_hwdevice_ctx_create(&opened, AV_HWDEVICE_TYPE_VULKAN, nil, nil, 0)
    let sharing = opened.flatMap { device in allocator.flatMap { plan.makeSharing(device, $0) } }
    inner = DeviceSession(.vulkan, codec, AV_PIX_FMT_VULKAN, sharing: sharing)
    device = opened
    guard status >= 0 else { throw failure("no device: \(errors.last ?? errors.reason(status))") }
  }

  deinit {
    av_frame_free(&source)
    alone {
      av_buffer_unref(&frames)
      av_buffer_unref(&device)
    }
  }

  /// FFmpeg submits work in `body`: it locks queues that are lent since 6.1 only.
  private func alone<Value>(_ body: () -> Value) -> Value {
    guard let lent, bench_vulkan_locks() == 0 else { return body() }
    return lent.lock.withLock(body)
  }

  func install(in context: UnsafeMutablePointer<AVCodecContext>) { context.pointee.apply_cropping = 0 }

  func takesPacket() -> Bool {
    packets += 1
    guard let limit = plan.refusesAfterPackets, packets > limit else { return true }
    refusal = "a planted refusal"
    return false
  }

  func bring(
    _ frame: UnsafeMutablePointer<AVFrame>, lending: DirectRendering?, allowsDeep: Bool
  ) throws(Failure) {
    try upload(frame)
    try inner.bring(frame, lending: lending, allowsDeep: allowsDeep)
  }

  /// Puts a decoded frame where hardware would have left it.
  private func upload(_ frame: UnsafeMutablePointer<AVFrame>) throws(Failure) {
    count += 1
    if let limit = plan.failsAfterFrames, count > limit { throw failure("a planted failure") }
    guard let frames = frames(for: frame.pointee) else { throw failure("no surfaces") }
    var surface = av_frame_alloc()
    defer { av_frame_free(&surface) }
    guard let surface, alone({ av_hwframe_get_buffer(frames, surface, 0) }) >= 0 else { throw failure("no surface") }
    surface.pointee.width = frame.pointee.width
    surface.pointee.height = frame.pointee.height
    defer { cropRightAndBottom(frame) }
    guard alone({ av_hwframe_transfer_data(surface, frame, 0) }) >= 0, av_frame_copy_props(surface, frame) >= 0 else {
      throw failure("a frame cannot be uploaded")
    }
    av_frame_free(&source)
    source = av_frame_clone(frame)
    av_frame_unref(frame)
    av_frame_move_ref(frame, surface)
  }

  /// All that libavcodec does to hardware's frames.
  private func cropRightAndBottom(_ frame: UnsafeMutablePointer<AVFrame>) {
    frame.pointee.width -= Int32(frame.pointee.crop_right)
    frame.pointee.height -= Int32(frame.pointee.crop_bottom)
    (frame.pointee.crop_right, frame.pointee.crop_bottom) = (0, 0)
  }

  private func frames(for frame: AVFrame) -> UnsafeMutablePointer<AVBufferRef>? {
    if made == (frame.format, frame.width, frame.height) { return frames }
    av_buffer_unref(&frames)
    guard let device, let created = av_hwframe_ctx_alloc(device) else { return nil }
    let context = UnsafeMutableRawPointer(created.pointee.data).assumingMemoryBound(to: AVHWFramesContext.self)
    context.pointee.format = AV_PIX_FMT_VULKAN
    context.pointee.sw_format = AVPixelFormat(frame.format)
    context.pointee.width = frame.width
    context.pointee.height = frame.height
    frames = created
    guard alone({ av_hwframe_ctx_init(created) }) >= 0 else {
      av_buffer_unref(&frames)
      return nil
    }
    made = (frame.format, frame.width, frame.height)
    return created
  }

  private func failure(_ cause: String) -> Failure { Failure(.device, "cannot decode as planted", cause: cause) }
}
