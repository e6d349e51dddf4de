internal import CVulkan
import Frames

/// Requests to a device beyond those made of every device.
struct DeviceAddition {
  let extensions: [String]
  let tellsPresents: Bool
  /// Decoders make pictures of several planes on it.
  let hasPlanes: Bool

  init(
    _ physical: VkPhysicalDevice, _ there: Set<String>, clock: Bool, presents: Bool, tellsPresents: Bool, lends: Bool
  ) {
    extensions =
      SharingExtension.available(there) + (clock ? [ClockExtension.name] : [])
      + (presents ? [PresentExtension.swapchain] : [])
      + (tellsPresents ? [PresentExtension.presentID, PresentExtension.presentWait] : [])
      + (lends ? LendingExtension.available(physical, there) : [])
    self.tellsPresents = tellsPresents
    hasPlanes = lends && supportsSamplerYcbcr(physical)
  }
}

/// What is turned on of a device: a `VkPhysicalDeviceFeatures2` and its chain, as long as this lives.
final class DeviceFeatures: Sendable {
  nonisolated(unsafe) let head: UnsafeRawPointer
  nonisolated(unsafe) private let arguments = CallArguments()

  init(_ addition: DeviceAddition) {
    var features12 = VkPhysicalDeviceVulkan12Features()
    features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES
    features12.timelineSemaphore = VK_TRUE
    features12.hostQueryReset = VK_TRUE
    var features13 = VkPhysicalDeviceVulkan13Features()
    features13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES
    features13.pNext = arguments.chain(features12)
    features13.dynamicRendering = VK_TRUE
    features13.synchronization2 = VK_TRUE
    // Compilers for Vulkan 1.3 write workgroup sizes in a way that needs it.
    features13.maintenance4 = VK_TRUE
    var next = arguments.chain(features13)
    if addition.hasPlanes {
      var features11 = VkPhysicalDeviceVulkan11Features()
      features11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES
      features11.pNext = next
      features11.samplerYcbcrConversion = VK_TRUE
      next = arguments.chain(features11)
    }
    if addition.tellsPresents { next = presentFeatures(before: next, arguments) }
    var features = VkPhysicalDeviceFeatures2()
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2
    features.pNext = next
    head = UnsafeRawPointer(arguments.pointer(features))
  }
}

private func presentFeatures(
  before next: UnsafeMutableRawPointer, _ arguments: CallArguments
) -> UnsafeMutableRawPointer {
  var id = VkPhysicalDevicePresentIdFeaturesKHR()
  id.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR
  id.pNext = next
  id.presentId = VkBool32(VK_TRUE)
  var wait = VkPhysicalDevicePresentWaitFeaturesKHR()
  wait.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR
  wait.pNext = arguments.chain(id)
  wait.presentWait = VkBool32(VK_TRUE)
  return arguments.chain(wait)
}

/// - Parameter families: a queue of each is made.
func createDevice(
  _ physical: VkPhysicalDevice, families: [UInt32], extensions: [String], _ features: DeviceFeatures, name: String
) throws(Failure) -> VkDevice {
  let arguments = CallArguments()
  defer { arguments.end() }
  let priority = arguments.pointer(Float(1))
  let queues = families.map { family in
    var queue = VkDeviceQueueCreateInfo()
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO
    queue.queueFamilyIndex = family
    queue.queueCount = 1
    queue.pQueuePriorities = priority
    return queue
  }
  var info = VkDeviceCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO
  info.pNext = features.head
  info.queueCreateInfoCount = UInt32(queues.count)
  info.pQueueCreateInfos = arguments.pointer(queues)
  info.enabledExtensionCount = UInt32(extensions.count)
  info.ppEnabledExtensionNames = arguments.strings(extensions)
  var device: VkDevice?
  try check(LoaderLists.exclusively { vkCreateDevice(physical, &info, nil, &device) }, "use device '\(name)'")
  guard let device else { throw Failure(.device, "cannot use device '\(name)'", cause: "the driver gave no device") }
  return device
}
