package import CFFmpeg
import Frames
import Media

/// Vulkan Video, which FFmpeg has since 6.1. It works on the device that draws, where that is lent; its frames are drawn where
/// they lie. Elsewhere FFmpeg opens a device of its own on the same GPU, and frames are copied back.
struct VulkanDecoder: HardwareDecoder {
  let choice = DecoderChoice.vulkan
  let type = AV_HWDEVICE_TYPE_VULKAN
  /// FFmpeg makes more where they do not suffice.
  let extraSurfaces = 2

  var worksOnLentDevice: Bool { !codecs.isEmpty }

  /// Whether the driver has video queues is seen when the decoder starts.
  func obstacle(on device: DeviceIdentity?) -> String? { nil }

  /// The device's index in Vulkan's list, which is the same throughout a process.
  func name(of device: DeviceIdentity?) -> String? { device.map { String($0.index) } }

  func sharingObstacle(_ sharing: PictureSharing, _ codec: AVCodecID) -> String? {
    if sharing.videoCodecs.isEmpty { return "the device's Vulkan driver decodes no video" }
    let name = string(avcodec_get_name(codec)) ?? "this codec"
    return sharing.videoCodecs.contains(name) ? nil : "the device's Vulkan driver does not decode \(name)"
  }

  func open(
    _ opened: inout UnsafeMutablePointer<AVBufferRef>?, on device: DeviceIdentity?, lent: LentDevice?
  ) -> Int32 {
    if let lent { return openLentDevice(&opened, lent) }
    return openOwnDevice(&opened, on: device)
  }

  func makeSharing(_ device: UnsafeMutablePointer<AVBufferRef>, _ allocator: PictureAllocator) -> (any FrameSharing)? {
    allocator.lentDevice == nil ? nil : VulkanSharing(allocator)
  }
}

/// FFmpeg's view of a device that its caller opened; an error of FFmpeg's where that cannot be.
///
/// It keeps the device until its last reference has gone. FFmpeg before 6.1 locks no queues: then its caller does.
package func openLentDevice(_ opened: inout UnsafeMutablePointer<AVBufferRef>?, _ lent: LentDevice) -> Int32 {
  FFmpegCallback.install()
  opened = av_hwdevice_ctx_alloc(AV_HWDEVICE_TYPE_VULKAN)
  guard let made = opened else { return bench_averror_nomem() }
  let context = UnsafeMutableRawPointer(made.pointee.data).assumingMemoryBound(to: AVHWDeviceContext.self)
  let loan = VulkanLoan(lent)
  context.pointee.user_opaque = Unmanaged.passRetained(loan).toOpaque()
  context.pointee.free = { context in
    guard let opaque = context?.pointee.user_opaque else { return }
    Unmanaged<VulkanLoan>.fromOpaque(opaque).release()
  }
  var description = loan.description
  bench_vulkan_fill(
    made, &description, { context, _, _ in vulkanLoan(of: context)?.lock.lock() },
    { context, _, _ in vulkanLoan(of: context)?.lock.unlock() })
  let status = av_hwdevice_ctx_init(made)
  if status < 0 { av_buffer_unref(&opened) }
  return status
}

private func vulkanLoan(of context: UnsafeMutablePointer<AVHWDeviceContext>?) -> VulkanLoan? {
  context?.pointee.user_opaque.map { Unmanaged<VulkanLoan>.fromOpaque($0).takeUnretainedValue() }
}

/// What a device context points to, as long as it is there.
private final class VulkanLoan {
  let lock: QueueLock
  private let keeper: any AnyObject & Sendable
  private(set) var description = bench_vulkan_device()
  private let families: UnsafeMutableBufferPointer<bench_vulkan_family>
  private let instanceExtensions: NameList
  private let deviceExtensions: NameList

  init(_ lent: LentDevice) {
    (lock, keeper) = (lent.lock, lent.keeper)
    instanceExtensions = NameList(lent.instanceExtensions)
    deviceExtensions = NameList(lent.deviceExtensions)
    families = .allocate(capacity: lent.families.count)
    _ = families.initialize(
      from: lent.families.map {
        bench_vulkan_family(index: $0.index, abilities: $0.abilities, video_operations: $0.videoOperations)
      })
    description.instance = UnsafeMutableRawPointer(lent.instance)
    description.physical = UnsafeMutableRawPointer(lent.physical)
    description.device = UnsafeMutableRawPointer(lent.device)
    (description.loader, description.features) = (lent.loader, lent.features)
    (description.instance_extensions, description.instance_extension_count) = instanceExtensions.forC
    (description.device_extensions, description.device_extension_count) = deviceExtensions.forC
    (description.families, description.family_count) = (UnsafePointer(families.baseAddress), Int32(families.count))
  }

  deinit { families.deallocate() }
}

/// Names for C, as long as this lives.
private final class NameList {
  private let names: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>

  init(_ texts: [String]) {
    names = .allocate(capacity: texts.count)
    _ = names.initialize(from: texts.map { UnsafePointer(av_strdup($0)) })
  }

  deinit {
    for name in names { av_free(UnsafeMutableRawPointer(mutating: name)) }
    names.deallocate()
  }

  var forC: (UnsafePointer<UnsafePointer<CChar>?>?, Int32) { (UnsafePointer(names.baseAddress), Int32(names.count)) }
}
