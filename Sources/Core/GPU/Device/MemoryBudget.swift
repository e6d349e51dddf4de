internal import CVulkan

/// This process's budget and use of each heap, as the driver reports them: both change with other programs' use.
package struct MemoryBudget: Sendable {
  package struct Heap: Sendable {
    var isDeviceLocal: Bool
    /// Bytes.
    var budget: Int
    var used: Int

    package init(isDeviceLocal: Bool, budget: Int, used: Int) {
      self.isDeviceLocal = isDeviceLocal
      self.budget = budget
      self.used = used
    }
  }

  var heaps: [Heap]

  package init(heaps: [Heap]) {
    self.heaps = heaps
  }

  /// Bytes in use of the device's own heaps.
  package var usedLocally: Int { heaps.reduce(0) { $0 + ($1.isDeviceLocal ? $1.used : 0) } }

  /// Some heap holds more than this process may have: the driver may move memory over the bus, or refuse the next piece.
  package var isExceeded: Bool { heaps.contains { $0.used > $0.budget } }

  /// Whether the heap's budget has room for so many bytes more; also where there is no such heap.
  package func hasRoom(for bytes: Int, inHeap heap: Int) -> Bool {
    !heaps.indices.contains(heap) || heaps[heap].budget - heaps[heap].used >= bytes
  }

  static let `extension` = "VK_EXT_memory_budget"

  /// - Parameter device: one that has the extension, which need not be enabled to be asked.
  static func read(_ device: VkPhysicalDevice) -> MemoryBudget {
    var budget = VkPhysicalDeviceMemoryBudgetPropertiesEXT()
    budget.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT
    var properties = VkPhysicalDeviceMemoryProperties2()
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2
    withUnsafeMutablePointer(to: &budget) { budget in
      properties.pNext = UnsafeMutableRawPointer(budget)
      vkGetPhysicalDeviceMemoryProperties2(device, &properties)
    }
    let memory = properties.memoryProperties
    let heaps = withUnsafeBytes(of: memory.memoryHeaps) { Array($0.bindMemory(to: VkMemoryHeap.self)) }
    let budgets = withUnsafeBytes(of: budget.heapBudget) { Array($0.bindMemory(to: VkDeviceSize.self)) }
    let uses = withUnsafeBytes(of: budget.heapUsage) { Array($0.bindMemory(to: VkDeviceSize.self)) }
    return MemoryBudget(
      heaps: (0..<Int(memory.memoryHeapCount)).map { index in
        Heap(
          isDeviceLocal: heaps[index].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT.rawValue != 0,
          budget: Int(clamping: budgets[index]), used: Int(clamping: uses[index]))
      })
  }
}
