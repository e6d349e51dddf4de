internal import CVulkan
import Frames

/// The place in a window where pictures can be shown; owns it. Used by one thread at a time.
final class Surface: Sendable {
  nonisolated(unsafe) let handle: VkSurfaceKHR
  /// Nil: only what the driver reports is lost.
  let losses: (any SurfaceLosses)?
  private let instance: GPUInstance

  init(instance: GPUInstance, source: SurfaceSource) throws(Failure) {
    guard let handle = VkSurfaceKHR(bitPattern: UInt(try source.makeSurface(instance.handle))) else {
      throw Failure(.device, "cannot show pictures in a window", cause: "the window gave no surface")
    }
    self.handle = handle
    losses = source.losses
    self.instance = instance
  }

  deinit {
    vkDestroySurfaceKHR(instance.handle, handle, nil)
  }

  /// Whether a queue of this family can show pictures here.
  func canPresent(_ device: VkPhysicalDevice, family: Int) -> Bool {
    var supported = VkBool32(VK_FALSE)
    let result = vkGetPhysicalDeviceSurfaceSupportKHR(device, UInt32(family), handle, &supported)
    return result == VK_SUCCESS && supported == VK_TRUE
  }

  func capabilities(_ device: GPUDevice) throws(Failure) -> VkSurfaceCapabilitiesKHR {
    var capabilities = VkSurfaceCapabilitiesKHR()
    try check(
      vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device.physical, handle, &capabilities), "show pictures in the window")
    return capabilities
  }

  func formats(_ device: GPUDevice) -> [VkSurfaceFormatKHR] {
    enumerate(of: VkSurfaceFormatKHR()) { vkGetPhysicalDeviceSurfaceFormatsKHR(device.physical, handle, $0, $1) }
  }

  func modes(_ device: GPUDevice) -> [VkPresentModeKHR] {
    enumerate(of: VK_PRESENT_MODE_FIFO_KHR) {
      vkGetPhysicalDeviceSurfacePresentModesKHR(device.physical, handle, $0, $1)
    }
  }
}

/// What a device has that shows pictures and tells when they were seen.
enum PresentExtension {
  static let swapchain = "VK_KHR_swapchain"
  static let presentID = "VK_KHR_present_id"
  static let presentWait = "VK_KHR_present_wait"

  /// Whether the driver both numbers presents and lets us wait for one of them.
  static func tellsPresents(_ device: VkPhysicalDevice, _ extensions: Set<String>) -> Bool {
    guard extensions.isSuperset(of: [presentID, presentWait]) else { return false }
    var wait = VkPhysicalDevicePresentWaitFeaturesKHR()
    wait.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR
    var id = VkPhysicalDevicePresentIdFeaturesKHR()
    id.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR
    var features = VkPhysicalDeviceFeatures2()
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2
    withUnsafeMutablePointer(to: &wait) { wait in
      withUnsafeMutablePointer(to: &id) { id in
        id.pointee.pNext = UnsafeMutableRawPointer(wait)
        features.pNext = UnsafeMutableRawPointer(id)
        vkGetPhysicalDeviceFeatures2(device, &features)
      }
    }
    return wait.presentWait == VK_TRUE && id.presentId == VK_TRUE
  }
}
