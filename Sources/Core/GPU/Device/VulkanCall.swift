internal import CVulkan
import Frames

/// Throws when a Vulkan call failed; the error names the call and its purpose.
func check(_ result: VkResult, _ attempt: @autoclosure () -> String) throws(Failure) {
  guard result.rawValue < 0 else { return }
  let (cause, remedy): (String, String?) =
    switch result {
    case VK_ERROR_OUT_OF_HOST_MEMORY: ("out of memory", "use a smaller clip or view")
    case VK_ERROR_OUT_OF_DEVICE_MEMORY: ("out of device memory", "use a smaller clip or view")
    case VK_ERROR_DEVICE_LOST: ("the device was lost", "see the kernel log for the driver's message")
    case VK_ERROR_INCOMPATIBLE_DRIVER: ("no Vulkan driver is installed", installDriver)
    case VK_ERROR_INITIALIZATION_FAILED: ("the driver does not start", "update the driver, or choose another --device")
    case VK_ERROR_LAYER_NOT_PRESENT: ("a Vulkan layer is missing", "install Debian's vulkan-validationlayers")
    case VK_ERROR_EXTENSION_NOT_PRESENT: ("a Vulkan extension is missing", "update the driver")
    case VK_ERROR_FEATURE_NOT_PRESENT: ("a Vulkan feature is missing", "update the driver")
    case VK_ERROR_SURFACE_LOST_KHR: ("the window has gone", "open it again")
    case VK_ERROR_NATIVE_WINDOW_IN_USE_KHR: ("something else draws into the window", nil)
    default: ("Vulkan error \(result.rawValue)", nil)
    }
  throw Failure(failureKind(ofVulkanResult: result.rawValue), "cannot \(attempt())", cause: cause, remedy: remedy)
}

/// What a negative `VkResult` means for the caller.
package func failureKind(ofVulkanResult result: Int32) -> Failure.Kind {
  switch VkResult(result) {
  case VK_ERROR_DEVICE_LOST, VK_ERROR_SURFACE_LOST_KHR: .deviceLost
  case VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY: .memory
  default: .device
  }
}

let installDriver = "install one: for a GPU its vendor's, for the CPU Debian's mesa-vulkan-drivers"

/// The list that a two-call Vulkan query gives, empty when the query fails.
func enumerate<Element>(
  of zero: Element, _ query: (UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<Element>?) -> VkResult
) -> [Element] {
  var count: UInt32 = 0
  guard query(&count, nil).rawValue >= 0, count > 0 else { return [] }
  var elements = [Element](repeating: zero, count: Int(count))
  guard query(&count, &elements).rawValue >= 0 else { return [] }
  return Array(elements.prefix(Int(count)))
}

/// A string in one of Vulkan's fixed-size character arrays.
func fixedString<Tuple>(_ tuple: Tuple) -> String {
  withUnsafeBytes(of: tuple) { bytes in
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
