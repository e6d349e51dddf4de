internal import CFFmpeg
import Frames

/// Vulkan Video, which FFmpeg has since 6.1. FFmpeg opens a device of its own on the same GPU: frames are copied back.
struct VulkanDecoder: HardwareDecoder {
  let choice = DecoderChoice.vulkan
  let type = AV_HWDEVICE_TYPE_VULKAN
  let extraSurfaces = 2

  /// Whether the driver has video queues is seen when the decoder starts.
  func obstacle(on device: DeviceIdentity?) -> String? { nil }

  /// By its place in Vulkan's list, which is the same for everybody in a process.
  func name(of device: DeviceIdentity?) -> String? { device.map { String($0.index) } }

  func sharingObstacle(_ sharing: PictureSharing) -> String? { "its frames are copied back" }

  func makeSharing(_ device: UnsafeMutablePointer<AVBufferRef>, _ allocator: PictureAllocator) -> (any FrameSharing)? {
    nil
  }
}
