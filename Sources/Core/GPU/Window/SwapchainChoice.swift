internal import CVulkan
import Frames

// What a swapchain is made of: pure functions of what the surface says.

/// The images' size; nil while there is nothing to show them in, as of a minimised window.
func swapchainSize(_ capabilities: VkSurfaceCapabilitiesKHR, wanted: (width: Int, height: Int)) -> PictureSize? {
  let (current, least, most) = (
    capabilities.currentExtent, capabilities.minImageExtent, capabilities.maxImageExtent
  )
  // The surface accepts any image size.
  let isFree = current.width == .max && current.height == .max
  return SwapchainSize.fitting(
    current: isFree ? nil : (Int(current.width), Int(current.height)), least: (Int(least.width), Int(least.height)),
    most: (Int(most.width), Int(most.height)), wanted: wanted)
}

package enum SwapchainSize {
  package typealias Size = (width: Int, height: Int)

  /// - Parameters:
  ///   - current: the window's; nil where it becomes what its images are.
  ///   - wanted: taken where the window system leaves it to us.
  package static func fitting(current: Size?, least: Size, most: Size, wanted: Size) -> PictureSize? {
    guard let current else {
      guard wanted.width > 0, wanted.height > 0 else { return nil }
      let width = min(max(wanted.width, least.width), most.width)
      let height = min(max(wanted.height, least.height), most.height)
      return width > 0 && height > 0 ? PictureSize(width: width, height: height) : nil
    }
    return current.width > 0 && current.height > 0 ? PictureSize(width: current.width, height: current.height) : nil
  }
}

/// One more than the driver needs, so that drawing does not wait for the display; no more than it allows.
func swapchainImageCount(_ capabilities: VkSurfaceCapabilitiesKHR) -> UInt32 {
  let wanted = capabilities.minImageCount + 1
  return capabilities.maxImageCount > 0 ? min(wanted, capabilities.maxImageCount) : wanted
}

/// Eight bits for each of red, green and blue, shown as they are: colours are encoded already. Nil where there is none.
func swapchainFormat(_ formats: [VkSurfaceFormatKHR]) -> VkSurfaceFormatKHR? {
  let plain = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR
  for format in [VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_A8B8G8R8_UNORM_PACK32] {
    if let found = formats.first(where: { $0.format == format && $0.colorSpace == plain }) { return found }
  }
  // One entry without a format: anything goes.
  guard formats.count == 1, formats[0].format == VK_FORMAT_UNDEFINED else { return nil }
  return VkSurfaceFormatKHR(format: VK_FORMAT_B8G8R8A8_UNORM, colorSpace: plain)
}

/// Nothing shines through where the window system lets us say so.
func swapchainAlpha(_ supported: VkCompositeAlphaFlagsKHR) -> VkCompositeAlphaFlagBitsKHR {
  let preferred = [
    VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR, VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR, VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR,
  ]
  return preferred.first { supported & $0.rawValue != 0 } ?? VK_COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR
}
