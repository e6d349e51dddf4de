internal import CVulkan
import Frames
import Synchronization

/// A two-dimensional image with its view. Its current layout is kept with it, so that barriers follow from state.
///
/// Commands that use it are recorded by one thread at a time, not always the same.
final class GPUImage: Sendable {
  nonisolated(unsafe) let handle: VkImage
  nonisolated(unsafe) let view: VkImageView
  let size: PictureSize
  let format: VkFormat
  /// That it is in once all recorded commands have run.
  var layout: VkImageLayout {
    get { VkImageLayout(rawValue: recordedLayout.load(ordering: .acquiring)) }
    set { recordedLayout.store(newValue.rawValue, ordering: .releasing) }
  }
  private let recordedLayout: Atomic<UInt32>
  /// Shaders read it in the general layout: another driver or device writes it between two draws.
  let staysGeneral: Bool
  private let device: GPUDevice
  /// Nil when the image lies in memory that it shares with others.
  private let memory: DeviceMemory?
  private let ownsImage: Bool

  /// An optimally tiled image with memory of its own.
  ///
  /// - Parameter isShared: the queue that copies uses it as well, where there is one.
  init(
    device: GPUDevice, size: PictureSize, format: VkFormat, usage: UInt32, isShared: Bool = false, purpose: String
  ) throws(Failure) {
    let image = try makeImage(device, size, format, VK_IMAGE_TILING_OPTIMAL, usage, purpose, isShared: isShared)
    var needs = VkMemoryRequirements()
    vkGetImageMemoryRequirements(device.handle, image, &needs)
    do throws(Failure) {
      let memory = try DeviceMemory(
        device: device, byteCount: Int(needs.size), typeBits: needs.memoryTypeBits, wishes: [deviceLocal, 0],
        purpose: purpose)
      try check(vkBindImageMemory(device.handle, image, memory.handle, 0), "bind \(purpose)")
      view = try makeView(device, image, format, purpose)
      self.memory = memory
    } catch {
      vkDestroyImage(device.handle, image, nil)
      throw error
    }
    handle = image
    self.size = size
    self.format = format
    self.device = device
    recordedLayout = Atomic(VK_IMAGE_LAYOUT_UNDEFINED.rawValue)
    staysGeneral = false
    ownsImage = true
    device.name(image, VK_OBJECT_TYPE_IMAGE, "\(purpose) of \(size)")
  }

  /// Takes over `image`, already bound to memory that its owner keeps alive.
  ///
  /// - Parameter layout: that it is in.
  init(
    device: GPUDevice, adopting image: VkImage, size: PictureSize, format: VkFormat,
    layout: VkImageLayout = VK_IMAGE_LAYOUT_PREINITIALIZED
  ) throws(Failure) {
    view = try makeView(device, image, format, "a picture")
    handle = image
    self.size = size
    self.format = format
    self.device = device
    memory = nil
    recordedLayout = Atomic(layout.rawValue)
    staysGeneral = true
    ownsImage = true
    device.name(image, VK_OBJECT_TYPE_IMAGE, "a plane of \(size) that a decoder writes")
  }

  /// Views `image`, which its owner keeps.
  ///
  /// - Parameter plane: of several; nil: the image has only one.
  init(
    device: GPUDevice, viewing image: VkImage, plane: Int?, size: PictureSize, format: VkFormat
  ) throws(Failure) {
    // Other uses of the image, such as decoding, may not support a single plane.
    var use = VkImageViewUsageCreateInfo()
    use.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO
    use.usage = VK_IMAGE_USAGE_SAMPLED_BIT.rawValue
    let aspects = [VK_IMAGE_ASPECT_PLANE_0_BIT, VK_IMAGE_ASPECT_PLANE_1_BIT, VK_IMAGE_ASPECT_PLANE_2_BIT]
    let aspect = plane.map { aspects[$0] } ?? VK_IMAGE_ASPECT_COLOR_BIT
    view = try withUnsafePointer(to: use) { use throws(Failure) in
      try makeView(device, image, format, "a decoder's picture", aspect: aspect, next: UnsafeRawPointer(use))
    }
    handle = image
    self.size = size
    self.format = format
    self.device = device
    memory = nil
    recordedLayout = Atomic(VK_IMAGE_LAYOUT_GENERAL.rawValue)
    staysGeneral = true
    ownsImage = false
  }

  deinit {
    vkDestroyImageView(device.handle, view, nil)
    if ownsImage { vkDestroyImage(device.handle, handle, nil) }
  }
}

/// - Parameter next: what else Vulkan is to be told of the image.
func makeImage(
  _ device: GPUDevice, _ size: PictureSize, _ format: VkFormat, _ tiling: VkImageTiling, _ usage: UInt32,
  _ purpose: String, isShared: Bool = false, next: UnsafeRawPointer? = nil
) throws(Failure) -> VkImage {
  let largest = device.info.maxImageSize
  guard size.width <= largest, size.height <= largest else {
    throw Failure(
      .unsupported, "cannot make \(purpose) of \(size)",
      cause: "the largest image of device '\(device.info.name)' is \(largest)x\(largest)",
      remedy: "use a smaller clip or --size, or another --device")
  }
  var info = VkImageCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO
  info.pNext = next
  info.imageType = VK_IMAGE_TYPE_2D
  info.format = format
  info.extent = VkExtent3D(width: UInt32(size.width), height: UInt32(size.height), depth: 1)
  info.mipLevels = 1
  info.arrayLayers = 1
  info.samples = VK_SAMPLE_COUNT_1_BIT
  info.tiling = tiling
  info.usage = usage
  info.initialLayout = tiling == VK_IMAGE_TILING_LINEAR ? VK_IMAGE_LAYOUT_PREINITIALIZED : VK_IMAGE_LAYOUT_UNDEFINED
  let arguments = CallArguments()
  defer { arguments.end() }
  let families = device.queues.families
  if isShared, families.count > 1 {
    info.sharingMode = VK_SHARING_MODE_CONCURRENT
    info.queueFamilyIndexCount = UInt32(families.count)
    info.pQueueFamilyIndices = arguments.pointer(families)
  }
  var image: VkImage?
  try check(vkCreateImage(device.handle, &info, nil, &image), "create \(purpose) of \(size)")
  guard let image else { throw Failure(.device, "cannot create \(purpose)", cause: "none came back") }
  return image
}

private func makeView(
  _ device: GPUDevice, _ image: VkImage, _ format: VkFormat, _ purpose: String,
  aspect: VkImageAspectFlagBits = VK_IMAGE_ASPECT_COLOR_BIT, next: UnsafeRawPointer? = nil
) throws(Failure) -> VkImageView {
  var info = VkImageViewCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO
  info.pNext = next
  info.image = image
  info.viewType = VK_IMAGE_VIEW_TYPE_2D
  info.format = format
  info.subresourceRange = wholeImage
  info.subresourceRange.aspectMask = aspect.rawValue
  var view: VkImageView?
  let isPlanted = device.imageViews?.failsNext() == true
  let result = isPlanted ? VK_ERROR_OUT_OF_DEVICE_MEMORY : vkCreateImageView(device.handle, &info, nil, &view)
  try check(result, "view \(purpose)")
  guard let view else { throw Failure(.device, "cannot view \(purpose)", cause: "no view came back") }
  return view
}

let wholeImage = VkImageSubresourceRange(
  aspectMask: VK_IMAGE_ASPECT_COLOR_BIT.rawValue, baseMipLevel: 0, levelCount: 1, baseArrayLayer: 0, layerCount: 1)

let wholeLayer = VkImageSubresourceLayers(
  aspectMask: VK_IMAGE_ASPECT_COLOR_BIT.rawValue, mipLevel: 0, baseArrayLayer: 0, layerCount: 1)

/// The texture format whose components are a plane's samples.
func textureFormat(_ plane: PlaneFormat) -> VkFormat {
  switch (plane.components, plane.bytesPerComponent) {
  case (1, 1): VK_FORMAT_R8_UNORM
  case (2, 1): VK_FORMAT_R8G8_UNORM
  case (1, _): VK_FORMAT_R16_UNORM
  default: VK_FORMAT_R16G16_UNORM
  }
}
