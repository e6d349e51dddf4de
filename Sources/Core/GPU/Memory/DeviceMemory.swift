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

func memoryHeaps(_ device: VkPhysicalDevice) -> [VkMemoryHeap] {
  var memory = VkPhysicalDeviceMemoryProperties()
  vkGetPhysicalDeviceMemoryProperties(device, &memory)
  let heaps = withUnsafeBytes(of: memory.memoryHeaps) { Array($0.bindMemory(to: VkMemoryHeap.self)) }
  return Array(heaps.prefix(Int(memory.memoryHeapCount)))
}

/// The kinds of memory that a device has.
struct MemoryKinds {
  let types: [VkMemoryType]
  /// In bytes.
  let heapSizes: [VkDeviceSize]
  /// The driver reports this process's memory budget.
  let tellsBudget: Bool

  /// The first of the kinds in `bits` that has all of `flags`.
  func type(bits: UInt32, flags: UInt32) -> (index: Int, flags: UInt32)? {
    types.enumerated().first { bits & (1 << UInt32($0.offset)) != 0 && $0.element.propertyFlags & flags == flags }
      .map { ($0.offset, $0.element.propertyFlags) }
  }

  /// Whether an allocation is not larger than all of the kind's heap, as Vulkan demands.
  func holds(_ bytes: VkDeviceSize, type index: Int) -> Bool { bytes <= heapSizes[Int(types[index].heapIndex)] }

  /// The heap of the first of the kinds that has all of `flags`; nil where none has.
  func heap(flags: UInt32) -> Int? { type(bits: .max, flags: flags).map { Int(types[$0.index].heapIndex) } }
}

/// One allocation of device memory, mapped for its whole life where the CPU can see it.
///
/// One allocation per picture or per resource, never per frame: no suballocator is needed.
final class DeviceMemory: Sendable {
  nonisolated(unsafe) let handle: VkDeviceMemory
  let byteCount: Int
  /// The first mapped byte; nil when the memory is not host-visible.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer?
  private let device: GPUDevice
  /// In a heap of the device's own.
  private let isLocal: Bool

  /// - Parameters:
  ///   - wishes: property flags in the order of preference; the first that a type in `typeBits` has wins.
  ///   - passesFullHeaps: the next wish is taken where the heap of the one before is full.
  ///   - next: what else Vulkan is to be told of the allocation.
  init(
    device: GPUDevice, byteCount: Int, typeBits: UInt32, wishes: [UInt32], passesFullHeaps: Bool = false,
    purpose: String, next: UnsafeRawPointer? = nil, isMapped: Bool = true
  ) throws(Failure) {
    let possible = wishes.compactMap { device.memory.type(bits: typeBits, flags: $0) }
    guard var type = possible.first else {
      throw Failure(.device, "cannot allocate \(purpose)", cause: "device \(device.info.name) has no such memory")
    }
    var info = VkMemoryAllocateInfo()
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO
    info.pNext = next
    info.allocationSize = VkDeviceSize(byteCount)
    var memory: VkDeviceMemory?
    var result = VK_ERROR_OUT_OF_DEVICE_MEMORY
    for candidate in passesFullHeaps ? possible : [type]
    where result == VK_ERROR_OUT_OF_DEVICE_MEMORY && device.memory.holds(info.allocationSize, type: candidate.index) {
      type = candidate
      info.memoryTypeIndex = UInt32(type.index)
      result = vkAllocateMemory(device.handle, &info, nil, &memory)
    }
    try check(result, "allocate \(memoryText(byteCount)) for \(purpose)")
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

/// In KiB, or in MiB where that is at least one; rounded up.
package func memoryText(_ byteCount: Int) -> String {
  byteCount < 1 << 20 ? "\((byteCount + 1023) >> 10) KiB" : "\((byteCount + (1 << 20) - 1) >> 20) MiB"
}
