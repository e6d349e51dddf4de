internal import CVulkan
import Frames

let hostVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT.rawValue
let hostCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT.rawValue
let hostCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT.rawValue
let deviceLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT.rawValue
/// Decoders read reference frames back: memory without CPU caches would make that horribly slow.
let cachedHostMemory = hostVisible | hostCoherent | hostCached
let unifiedMemory = deviceLocal | cachedHostMemory

func memoryTypes(_ device: VkPhysicalDevice) -> [VkMemoryType] {
  var memory = VkPhysicalDeviceMemoryProperties()
  vkGetPhysicalDeviceMemoryProperties(device, &memory)
  let types = withUnsafeBytes(of: memory.memoryTypes) { Array($0.bindMemory(to: VkMemoryType.self)) }
  return Array(types.prefix(Int(memory.memoryTypeCount)))
}

/// The kinds of memory that a device has.
struct MemoryKinds {
  let types: [VkMemoryType]
  /// The driver reports this process's memory budget.
  let tellsBudget: Bool

  /// The first of the kinds in `bits` that has all of `flags`.
  func type(bits: UInt32, flags: UInt32) -> (index: Int, flags: UInt32)? {
    types.enumerated().first { bits & (1 << UInt32($0.offset)) != 0 && $0.element.propertyFlags & flags == flags }
      .map { ($0.offset, $0.element.propertyFlags) }
  }
}

/// One allocation of device memory, mapped for its whole life where the CPU can see it.
///
/// One allocation per picture or per resource, never per frame: no suballocator is needed.
final class DeviceMemory: @unchecked Sendable {
  let handle: VkDeviceMemory
  let byteCount: Int
  /// The first mapped byte; nil when the memory is not host-visible.
  let base: UnsafeMutableRawPointer?
  private let device: GPUDevice
  /// In a heap of the device's own.
  private let isLocal: Bool

  /// - Parameters:
  ///   - wishes: property flags in the order of preference; the first that a type in `typeBits` has wins.
  ///   - next: what else Vulkan is to be told of the allocation.
  init(
    device: GPUDevice, byteCount: Int, typeBits: UInt32, wishes: [UInt32], purpose: String,
    next: UnsafeRawPointer? = nil, isMapped: Bool = true
  ) throws(Failure) {
    let chosen = wishes.lazy.compactMap { device.memory.type(bits: typeBits, flags: $0) }.first
    guard let type = chosen else {
      throw Failure(.device, "cannot allocate \(purpose)", cause: "device \(device.info.name) has no such memory")
    }
    var info = VkMemoryAllocateInfo()
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO
    info.pNext = next
    info.allocationSize = VkDeviceSize(byteCount)
    info.memoryTypeIndex = UInt32(type.index)
    var memory: VkDeviceMemory?
    try check(vkAllocateMemory(device.handle, &info, nil, &memory), "allocate \(byteCount >> 20) MiB for \(purpose)")
    guard let memory else { throw Failure(.device, "cannot allocate \(purpose)", cause: "no memory came back") }
    var pointer: UnsafeMutableRawPointer?
    if isMapped, type.flags & hostVisible != 0 {
      let mapped = vkMapMemory(device.handle, memory, 0, VkDeviceSize(byteCount), 0, &pointer)
      if mapped.rawValue < 0 { vkFreeMemory(device.handle, memory, nil) }
      try check(mapped, "map \(purpose)")
    }
    handle = memory
    base = pointer
    self.byteCount = byteCount
    self.device = device
    isLocal = type.flags & deviceLocal != 0
    if isLocal { MemoryUse.took(byteCount, told: device.memoryBudget?.usedLocally) }
  }

  deinit {
    if isLocal { MemoryUse.gaveBack(byteCount) }
    vkFreeMemory(device.handle, handle, nil)
  }
}
