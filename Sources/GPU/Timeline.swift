internal import CVulkan
import Frames

/// A counter that the GPU raises: work is done when its value is reached. Any thread may wait.
final class Timeline: @unchecked Sendable {
  let handle: VkSemaphore
  private let device: GPUDevice

  init(device: GPUDevice) throws(Failure) {
    let arguments = CallArguments()
    defer { arguments.end() }
    var type = VkSemaphoreTypeCreateInfo()
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE
    var info = VkSemaphoreCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO
    info.pNext = UnsafeRawPointer(arguments.pointer(type))
    var semaphore: VkSemaphore?
    let result = vkCreateSemaphore(device.handle, &info, nil, &semaphore)
    try check(result, "create a timeline")
    guard let semaphore else { throw Failure(.device, "cannot create a timeline", cause: "none came back") }
    handle = semaphore
    self.device = device
  }

  deinit {
    vkDestroySemaphore(device.handle, handle, nil)
  }

  /// The last value reached.
  var value: UInt64 {
    var value: UInt64 = 0
    vkGetSemaphoreCounterValue(device.handle, handle, &value)
    return value
  }

  /// Blocks until `value` is reached; a GPU that takes longer than `seconds` is taken for hung.
  func wait(for value: UInt64, seconds: Double = 60) throws(Failure) {
    guard value > 0 else { return }
    var semaphore: VkSemaphore? = handle
    var target = value
    let result = withUnsafePointer(to: &semaphore) { semaphore in
      withUnsafePointer(to: &target) { target in
        var info = VkSemaphoreWaitInfo()
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO
        info.semaphoreCount = 1
        info.pSemaphores = semaphore
        info.pValues = target
        return vkWaitSemaphores(device.handle, &info, UInt64(seconds * 1e9))
      }
    }
    try check(result, "wait for the GPU")
    if result == VK_TIMEOUT {
      throw Failure(.timeout, "cannot wait for the GPU", cause: "it did not finish within \(Int(seconds)) s")
    }
  }
}
