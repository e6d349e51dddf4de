internal import CVulkan
import Frames

/// A counter that the GPU raises: work is done when its value is reached. Any thread may wait.
final class TimelineSemaphore: Sendable {
  nonisolated(unsafe) let handle: VkSemaphore
  private let device: GPUDevice

  /// - Parameter isExported: another driver raises it as well.
  init(device: GPUDevice, isExported: Bool = false) throws(Failure) {
    let arguments = CallArguments()
    defer { arguments.end() }
    var type = VkSemaphoreTypeCreateInfo()
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE
    if isExported {
      var export = VkExportSemaphoreCreateInfo()
      export.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO
      export.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT.rawValue
      type.pNext = UnsafeRawPointer(arguments.pointer(export))
    }
    var info = VkSemaphoreCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO
    info.pNext = UnsafeRawPointer(arguments.pointer(type))
    var semaphore: VkSemaphore?
    let result = vkCreateSemaphore(device.handle, &info, nil, &semaphore)
    try check(result, "create a timeline")
    guard let semaphore else { throw Failure(.device, "cannot create a timeline", cause: "none came back") }
    handle = semaphore
    self.device = device
    device.name(semaphore, VK_OBJECT_TYPE_SEMAPHORE, isExported ? "a timeline that a decoder raises" : "a timeline")
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

  /// Raises it from the CPU.
  func signal(_ value: UInt64) throws(Failure) {
    var info = VkSemaphoreSignalInfo()
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO
    info.semaphore = handle
    info.value = value
    try check(vkSignalSemaphore(device.handle, &info), "raise a timeline")
  }

  /// A file descriptor for another driver; the timeline must have been made with `isExported`.
  func export() throws(Failure) -> FileDescriptor {
    guard let export = deviceFunction(device.handle, "vkGetSemaphoreFdKHR", PFN_vkGetSemaphoreFdKHR.self) else {
      throw cannotExport()
    }
    var info = VkSemaphoreGetFdInfoKHR()
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR
    info.semaphore = handle
    info.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT
    var number: Int32 = -1
    try check(export(device.handle, &info, &number), "share a timeline")
    return FileDescriptor(owning: number)
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
