internal import CVulkan
import Frames

/// A host-visible buffer, mapped for its whole life. The caller orders writes.
final class GPUBuffer: Sendable {
  enum Use {
    case uniforms
    /// Meshes: written once, read by every draw, so close to the GPU where it can be written there.
    case vertices
    /// Rows on their way to the GPU.
    case staging
    /// Pictures that decoders write, and read again, before they go to the GPU: cached.
    case pictures
    /// Pixels on their way back: cached, for the CPU reads them.
    case readback
  }

  nonisolated(unsafe) let handle: VkBuffer
  let byteCount: Int
  nonisolated(unsafe) let base: UnsafeMutableRawPointer
  private let memory: DeviceMemory
  private let device: GPUDevice

  init(device: GPUDevice, byteCount: Int, use: Use) throws(Failure) {
    let (flags, wishes): (UInt32, [UInt32]) =
      switch use {
      case .uniforms: (VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT.rawValue, [hostVisible | hostCoherent])
      case .vertices:
        (
          VK_BUFFER_USAGE_VERTEX_BUFFER_BIT.rawValue | VK_BUFFER_USAGE_INDEX_BUFFER_BIT.rawValue,
          [deviceLocal | hostVisible | hostCoherent, hostVisible | hostCoherent]
        )
      case .staging: (VK_BUFFER_USAGE_TRANSFER_SRC_BIT.rawValue, [hostVisible | hostCoherent])
      case .pictures: (VK_BUFFER_USAGE_TRANSFER_SRC_BIT.rawValue, [cachedHostMemory])
      case .readback:
        (VK_BUFFER_USAGE_TRANSFER_DST_BIT.rawValue, [cachedHostMemory, hostVisible | hostCoherent])
      }
    var info = VkBufferCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO
    info.size = VkDeviceSize(byteCount)
    info.usage = flags
    let families = use == .pictures || use == .staging ? device.queues.families : []
    let arguments = CallArguments()
    defer { arguments.end() }
    if families.count > 1 {
      info.sharingMode = VK_SHARING_MODE_CONCURRENT
      info.queueFamilyIndexCount = UInt32(families.count)
      info.pQueueFamilyIndices = arguments.pointer(families)
    }
    var buffer: VkBuffer?
    try check(vkCreateBuffer(device.handle, &info, nil, &buffer), "create a \(use) buffer")
    guard let buffer else { throw Failure(.device, "cannot create a \(use) buffer", cause: "none came back") }
    var needs = VkMemoryRequirements()
    vkGetBufferMemoryRequirements(device.handle, buffer, &needs)
    let memory: DeviceMemory
    do throws(Failure) {
      memory = try DeviceMemory(
        device: device, byteCount: Int(needs.size), typeBits: needs.memoryTypeBits, wishes: wishes,
        passesFullHeaps: true, purpose: "a \(use) buffer")
      try check(vkBindBufferMemory(device.handle, buffer, memory.handle, 0), "bind a \(use) buffer")
    } catch {
      vkDestroyBuffer(device.handle, buffer, nil)
      throw error
    }
    guard let base = memory.base else {
      vkDestroyBuffer(device.handle, buffer, nil)
      throw Failure(.device, "cannot map a \(use) buffer", cause: "its memory is not host-visible")
    }
    handle = buffer
    self.base = base
    self.byteCount = byteCount
    self.memory = memory
    self.device = device
    device.name(buffer, VK_OBJECT_TYPE_BUFFER, "a \(use) buffer of \(byteCount) bytes")
  }

  deinit {
    vkDestroyBuffer(device.handle, handle, nil)
  }
}
