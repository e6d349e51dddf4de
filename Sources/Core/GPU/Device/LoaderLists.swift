internal import CVulkan
import Synchronization

/// What the Vulkan loader keeps for the whole process: lists of instances, their drivers and devices.
///
/// Loaders as late as 1.4.309, Debian 13's, walk them without their lock where a device is named, asked for a function, or gets a
/// swapchain, while another thread's `vkEnumeratePhysicalDevices` frees drivers that have no device. So all calls that walk or
/// change them take this lock. Thread-safe; it is not taken twice.
enum LoaderLists {
  private static let lock = Mutex(())

  static func exclusively<Result>(_ call: () -> Result) -> Result {
    lock.withLock { _ in call() }
  }
}

/// A function of a device's extension; nil where the device does not have it.
func deviceFunction<Function>(_ device: VkDevice, _ name: String, _ type: Function.Type) -> Function? {
  LoaderLists.exclusively { vkGetDeviceProcAddr(device, name) }.map { unsafeBitCast($0, to: type) }
}
