internal import CVulkan
import Frames

/// One descriptor set and the pool that holds it alone.
///
/// Written and released only while no submission that reads it is pending.
final class DescriptorSet: Sendable {
  nonisolated(unsafe) let handle: VkDescriptorSet
  nonisolated(unsafe) private let pool: VkDescriptorPool
  private let device: GPUDevice

  /// - Parameter sizes: how many descriptors of which type `layout` has.
  init(device: GPUDevice, layout: VkDescriptorSetLayout, sizes: [VkDescriptorPoolSize]) throws(Failure) {
    let arguments = CallArguments()
    defer { arguments.end() }
    var info = VkDescriptorPoolCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO
    info.maxSets = 1
    info.poolSizeCount = UInt32(sizes.count)
    info.pPoolSizes = arguments.pointer(sizes)
    var pool: VkDescriptorPool?
    try check(vkCreateDescriptorPool(device.handle, &info, nil, &pool), "create a descriptor pool")
    var allocation = VkDescriptorSetAllocateInfo()
    allocation.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO
    allocation.descriptorPool = pool
    allocation.descriptorSetCount = 1
    allocation.pSetLayouts = arguments.pointer(Optional(layout))
    var set: VkDescriptorSet?
    let result = vkAllocateDescriptorSets(device.handle, &allocation, &set)
    guard let pool, let set, result == VK_SUCCESS else {
      vkDestroyDescriptorPool(device.handle, pool, nil)
      try check(result, "create a descriptor set")
      throw Failure(.device, "cannot create a descriptor set", cause: "none came back")
    }
    (handle, self.pool, self.device) = (set, pool, device)
  }

  deinit {
    vkDestroyDescriptorPool(device.handle, pool, nil)
  }

  /// A write of one descriptor, without its resource.
  func write(_ binding: UInt32, _ type: VkDescriptorType) -> VkWriteDescriptorSet {
    var write = VkWriteDescriptorSet()
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET
    write.dstSet = handle
    write.dstBinding = binding
    write.descriptorCount = 1
    write.descriptorType = type
    return write
  }
}
