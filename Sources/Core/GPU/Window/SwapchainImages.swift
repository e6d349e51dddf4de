internal import CVulkan
import Frames
import Synchronization

/// The images of a window at one size, and what says that one of them is drawn. Remade when the window changes.
///
/// Any thread may wait for presents while it holds this.
final class SwapchainImages: Sendable {
  nonisolated(unsafe) let handle: VkSwapchainKHR
  nonisolated(unsafe) let images: [VkImage]
  /// Signalled when an image is drawn: one for each, for a present may still wait for it when the next frame is drawn.
  nonisolated(unsafe) let drawn: [VkSemaphore]
  let size: PictureSize
  let device: GPUDevice
  private let surface: Surface
  private let wasReplaced = Atomic<Bool>(false)

  /// Others have taken its place: Vulkan forbids to wait for its presents, but for waits that have begun.
  var isRetired: Bool { wasReplaced.load(ordering: .acquiring) }

  /// - Parameter old: of the same surface; retired by this, and to be kept until nothing uses it.
  init(
    device: GPUDevice, surface: Surface, size: PictureSize, mode: VkPresentModeKHR, replacing old: SwapchainImages?
  ) throws(Failure) {
    // Also where that fails.
    old?.wasReplaced.store(true, ordering: .releasing)
    let handle = try makeSwapchain(device, surface, size, mode, old?.handle)
    let images = enumerate(of: nil as VkImage?) { vkGetSwapchainImagesKHR(device.handle, handle, $0, $1) }
      .compactMap { $0 }
    var drawn: [VkSemaphore] = []
    do throws(Failure) {
      guard !images.isEmpty else {
        throw Failure(.device, "cannot show pictures in the window", cause: "the driver gave no images")
      }
      for _ in images { drawn.append(try makeBinarySemaphore(device)) }
    } catch {
      for semaphore in drawn { vkDestroySemaphore(device.handle, semaphore, nil) }
      vkDestroySwapchainKHR(device.handle, handle, nil)
      throw error
    }
    self.handle = handle
    self.images = images
    self.drawn = drawn
    self.size = size
    self.device = device
    self.surface = surface
  }

  deinit {
    for semaphore in drawn { vkDestroySemaphore(device.handle, semaphore, nil) }
    vkDestroySwapchainKHR(device.handle, handle, nil)
  }
}

/// Orders drawing and presents of a window's image.
func makeBinarySemaphore(_ device: GPUDevice) throws(Failure) -> VkSemaphore {
  var info = VkSemaphoreCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO
  var semaphore: VkSemaphore?
  try check(vkCreateSemaphore(device.handle, &info, nil, &semaphore), "show pictures in the window")
  guard let semaphore else {
    throw Failure(.device, "cannot show pictures in the window", cause: "the driver gave no semaphore")
  }
  return semaphore
}

private func makeSwapchain(
  _ device: GPUDevice, _ surface: Surface, _ size: PictureSize, _ mode: VkPresentModeKHR, _ old: VkSwapchainKHR?
) throws(Failure) -> VkSwapchainKHR {
  let attempt = "show pictures in the window"
  let capabilities = try surface.capabilities(device)
  let copied = VK_IMAGE_USAGE_TRANSFER_DST_BIT.rawValue
  guard let format = swapchainFormat(surface.formats(device)), capabilities.supportedUsageFlags & copied != 0,
    device.canBlit(to: format.format)
  else {
    throw Failure(
      .unsupported, "cannot \(attempt)",
      cause: "device '\(device.info.name)' has no 8-bit colours there that pictures can be copied to",
      remedy: "use another --device")
  }
  var info = VkSwapchainCreateInfoKHR()
  info.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR
  info.surface = surface.handle
  info.minImageCount = swapchainImageCount(capabilities)
  info.imageFormat = format.format
  info.imageColorSpace = format.colorSpace
  info.imageExtent = VkExtent2D(width: UInt32(size.width), height: UInt32(size.height))
  info.imageArrayLayers = 1
  info.imageUsage = copied
  info.imageSharingMode = VK_SHARING_MODE_EXCLUSIVE
  info.preTransform = capabilities.currentTransform
  info.compositeAlpha = swapchainAlpha(capabilities.supportedCompositeAlpha)
  info.presentMode = mode
  info.clipped = VkBool32(VK_TRUE)
  info.oldSwapchain = old
  var swapchain: VkSwapchainKHR?
  try check(LoaderLists.exclusively { vkCreateSwapchainKHR(device.handle, &info, nil, &swapchain) }, attempt)
  guard let swapchain else { throw Failure(.device, "cannot \(attempt)", cause: "the driver gave no swapchain") }
  return swapchain
}
