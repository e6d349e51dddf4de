internal import CVulkan
import Frames

/// One picture of a decoder's in images over the decoder's own memory, one for each plane. Read only.
///
/// The memory is only lent: a decoder writes another picture there after this one was released.
final class ImportedPicture: PictureAllocation, GPUPicture, Sendable {
  let request: PictureRequest
  let planes = PlaneList()
  let textures: PictureTextures
  /// What tells this memory from any other, as long as `descriptors` are open; nil: nothing does.
  let key: Key?
  private let descriptors: [FileDescriptor]

  var samples: Samples { .textures(textures) }
  let strategy = UploadStrategy.shared

  /// Everything that an import depends on.
  struct Key: Hashable {
    var format: PictureFormat
    var size: PictureSize
    var objects: [[UInt64]]
    var planes: [DMABufPlane]

    /// Nil where the kernel does not tell pieces of memory apart.
    init?(_ picture: DMABufPicture) {
      (format, size, planes) = (picture.format, picture.size, picture.planes)
      objects = []
      for object in picture.objects {
        guard let identity = object.descriptor.identity else { return nil }
        objects.append([identity, UInt64(object.byteCount), object.modifier])
      }
    }
  }

  init(_ picture: DMABufPicture, device: GPUDevice) throws(Failure) {
    var images: [GPUImage] = []
    var memories: [DeviceMemory] = []
    for (plane, format) in zip(picture.planes, picture.format.planes) {
      let object = picture.objects[plane.object]
      let (image, memory) = try importedImage(plane, of: object, format, format.size(of: picture.size), device)
      images.append(image)
      memories.append(memory)
    }
    let hasForeign = device.extensions.contains(SharingExtension.foreignQueues)
    textures = PictureTextures(
      format: picture.format, size: picture.size, images: images, memories: memories,
      handover: ExternalHandover(
        images, family: hasForeign ? VK_QUEUE_FAMILY_FOREIGN_EXT : VK_QUEUE_FAMILY_EXTERNAL, timeline: nil))
    request = PictureRequest(format: picture.format, size: picture.size, codedSize: picture.size, alignment: 1)
    key = Key(picture)
    descriptors = picture.objects.map(\.descriptor)
  }

  /// The decoder's memory goes back by itself, with its frame.
  func release() {}
}

private func importedImage(
  _ plane: DMABufPlane, of object: DMABufObject, _ format: PlaneFormat, _ size: PictureSize, _ device: GPUDevice
) throws(Failure) -> (GPUImage, DeviceMemory) {
  let purpose = "a decoder's picture"
  try checkModifier(object.modifier, textureFormat(format), device)
  let arguments = CallArguments()
  defer { arguments.end() }
  var layout = VkSubresourceLayout()
  layout.offset = VkDeviceSize(plane.offset)
  layout.rowPitch = VkDeviceSize(plane.pitch)
  var modifier = VkImageDrmFormatModifierExplicitCreateInfoEXT()
  modifier.sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT
  modifier.drmFormatModifier = object.modifier
  modifier.drmFormatModifierPlaneCount = 1
  modifier.pPlaneLayouts = arguments.pointer(layout)
  var external = VkExternalMemoryImageCreateInfo()
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO
  external.pNext = UnsafeRawPointer(arguments.pointer(modifier))
  external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT.rawValue
  let image = try makeImage(
    device, size, textureFormat(format), VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, VK_IMAGE_USAGE_SAMPLED_BIT.rawValue,
    purpose, next: UnsafeRawPointer(arguments.pointer(external)))
  return try place(image, size, textureFormat(format), purpose, device) { needs throws(Failure) in
    try importMemory(of: object, for: image, needs, device)
  }
}

/// The import takes a descriptor of its own over where it succeeds, and leaves it to us where it fails.
private func importMemory(
  of object: DMABufObject, for image: VkImage, _ needs: VkMemoryRequirements, _ device: GPUDevice
) throws(Failure) -> DeviceMemory {
  guard let own = object.descriptor.duplicate(),
    let query = deviceFunction(device.handle, "vkGetMemoryFdPropertiesKHR", PFN_vkGetMemoryFdPropertiesKHR.self)
  else { throw cannotExport() }
  let arguments = CallArguments()
  defer { arguments.end() }
  var properties = VkMemoryFdPropertiesKHR()
  properties.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR
  try check(
    query(device.handle, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, own.rawValue, &properties),
    "read a decoder's memory")
  var source = VkImportMemoryFdInfoKHR()
  source.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR
  source.pNext = UnsafeRawPointer(arguments.pointer(dedicated(to: image)))
  source.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT
  source.fd = own.rawValue
  let memory = try DeviceMemory(
    device: device, byteCount: Int(needs.size), typeBits: needs.memoryTypeBits & properties.memoryTypeBits,
    wishes: [deviceLocal, 0], purpose: "a decoder's picture", next: UnsafeRawPointer(arguments.pointer(source)),
    isMapped: false)
  _ = own.release()
  return memory
}

/// The device must sample images of one plane whose texels lie so: those of compression have more.
private func checkModifier(_ modifier: UInt64, _ format: VkFormat, _ device: GPUDevice) throws(Failure) {
  let known = formatModifiers(device.physical, format).first { $0.drmFormatModifier == modifier }
  let needed = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT.rawValue | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT.rawValue
  guard let known, known.drmFormatModifierPlaneCount == 1, known.drmFormatModifierTilingFeatures & needed == needed
  else {
    throw Failure(
      .unsupported, "cannot read a decoder's memory",
      cause: "the device does not sample images with format modifier 0x\(String(modifier, radix: 16))")
  }
}

private func formatModifiers(_ device: VkPhysicalDevice, _ format: VkFormat) -> [VkDrmFormatModifierPropertiesEXT] {
  var list = VkDrmFormatModifierPropertiesListEXT()
  list.sType = VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT
  var properties = VkFormatProperties2()
  properties.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2
  return withUnsafeMutablePointer(to: &list) { list in
    properties.pNext = UnsafeMutableRawPointer(list)
    vkGetPhysicalDeviceFormatProperties2(device, format, &properties)
    var found = [VkDrmFormatModifierPropertiesEXT](
      repeating: VkDrmFormatModifierPropertiesEXT(), count: Int(list.pointee.drmFormatModifierCount))
    return found.withUnsafeMutableBufferPointer { buffer in
      list.pointee.pDrmFormatModifierProperties = buffer.baseAddress
      vkGetPhysicalDeviceFormatProperties2(device, format, &properties)
      return Array(buffer.prefix(Int(list.pointee.drmFormatModifierCount)))
    }
  }
}
