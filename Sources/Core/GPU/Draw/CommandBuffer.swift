internal import CVulkan
import Frames

/// One command buffer and the pool that holds it alone. Recorded by one thread at a time.
///
/// Released only when no submission of it is pending.
final class CommandBuffer: Sendable {
  nonisolated(unsafe) let handle: VkCommandBuffer
  nonisolated(unsafe) private let pool: VkCommandPool
  private let device: GPUDevice

  /// - Parameter family: of the queue that it is submitted to.
  init(device: GPUDevice, family: UInt32, purpose: String) throws(Failure) {
    var info = VkCommandPoolCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO
    info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT.rawValue
    info.queueFamilyIndex = family
    var pool: VkCommandPool?
    try check(vkCreateCommandPool(device.handle, &info, nil, &pool), "create a command pool")
    var allocation = VkCommandBufferAllocateInfo()
    allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO
    allocation.commandPool = pool
    allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY
    allocation.commandBufferCount = 1
    var buffer: VkCommandBuffer?
    let result = vkAllocateCommandBuffers(device.handle, &allocation, &buffer)
    guard let pool, let buffer, result == VK_SUCCESS else {
      device.debug.exclusively { vkDestroyCommandPool(device.handle, pool, nil) }
      try check(result, "create a command buffer")
      throw Failure(.device, "cannot create a command buffer", cause: "none came back")
    }
    (handle, self.pool, self.device) = (buffer, pool, device)
    device.name(buffer, VK_OBJECT_TYPE_COMMAND_BUFFER, purpose)
  }

  deinit {
    device.debug.exclusively { vkDestroyCommandPool(device.handle, pool, nil) }
  }

  /// Begins a recording that is submitted once; discards the previous recording.
  func begin() throws(Failure) {
    var begin = VkCommandBufferBeginInfo()
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT.rawValue
    try check(device.debug.exclusively { vkBeginCommandBuffer(handle, &begin) }, "record commands")
  }

  func end() throws(Failure) { try check(vkEndCommandBuffer(handle), "record commands") }
}
