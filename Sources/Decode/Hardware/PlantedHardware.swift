internal import CFFmpeg
import Frames
import Media

/// A hardware decoder that is none, for tests of what becomes of such a decoder's frames: they are decoded in software, and
/// uploaded to a Vulkan device of FFmpeg's, from where they are brought back like any other's.
package struct PlantedHardware: Sendable, Hashable, Codable {
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
    captureLog()
    return av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_VULKAN, nil, nil, 0) >= 0
  }
}

/// One such decoder at work. One thread at a time.
final class PlantedDevice {
  private let plan: PlantedHardware
  private let lent: LentDevice?
  private var device: UnsafeMutablePointer<AVBufferRef>?
  /// Of the format and size that came last.
  private var frames: UnsafeMutablePointer<AVBufferRef>?
  private var made: (format: Int32, width: Int32, height: Int32) = (-1, 0, 0)
  /// FFmpeg returns before the device has read what is uploaded; downloading waits for it.
  private var source: UnsafeMutablePointer<AVFrame>?
  private var packets = 0
  private var count = 0

  init(_ plan: PlantedHardware, on lent: LentDevice?) throws(Failure) {
    self.plan = plan
    self.lent = plan.isOnLentDevice ? lent : nil
    captureLog()
    let status =
      self.lent.map { openLentDevice(&device, $0) }
      ?? av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_VULKAN, nil, nil, 0)
    guard status >= 0 else { throw failure("no device: \(loggedError() ?? ffmpegReason(status))") }
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

  /// Whether the next packet is refused.
  func refuses() -> Bool {
    packets += 1
    return plan.refusesAfterPackets.map { packets > $0 } ?? false
  }

  /// Puts a decoded frame where hardware would have left it.
  func upload(_ frame: UnsafeMutablePointer<AVFrame>) throws(Failure) {
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
