internal import CVulkan
import Frames

/// What a device needs to share pictures with other drivers.
enum SharingExtension {
  static let memoryFD = "VK_KHR_external_memory_fd"
  static let semaphoreFD = "VK_KHR_external_semaphore_fd"
  static let dmaBuf = "VK_EXT_external_memory_dma_buf"
  static let modifiers = "VK_EXT_image_drm_format_modifier"
  static let foreignQueues = "VK_EXT_queue_family_foreign"
  static let drm = "VK_EXT_physical_device_drm"
  static let pci = "VK_EXT_pci_bus_info"

  /// The extensions to enable: all that the device has.
  static func available(_ there: Set<String>) -> [String] {
    [memoryFD, semaphoreFD, dmaBuf, modifiers, foreignQueues].filter(there.contains)
  }
}

/// Memory of images goes out as file descriptors, and timelines do: what CUDA needs.
func exportsPictures(_ device: VkPhysicalDevice, _ extensions: Set<String>) -> Bool {
  extensions.isSuperset(of: [SharingExtension.memoryFD, SharingExtension.semaphoreFD]) && exportsImages(device)
    && exportsTimelines(device)
}

/// Linux' own buffers come in, whichever way their texels lie.
func importsDMABufs(_ extensions: Set<String>) -> Bool {
  extensions.isSuperset(of: [SharingExtension.memoryFD, SharingExtension.dmaBuf, SharingExtension.modifiers])
}

/// Sampled images of every plane format of 4:2:0 video can be made so that their memory goes out.
private func exportsImages(_ device: VkPhysicalDevice) -> Bool {
  [VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM, VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM].allSatisfy { format in
    let arguments = CallArguments()
    defer { arguments.end() }
    var external = VkPhysicalDeviceExternalImageFormatInfo()
    external.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO
    external.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT
    var info = VkPhysicalDeviceImageFormatInfo2()
    info.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2
    info.pNext = UnsafeRawPointer(arguments.pointer(external))
    info.format = format
    info.type = VK_IMAGE_TYPE_2D
    info.tiling = VK_IMAGE_TILING_OPTIMAL
    info.usage = exportedUsage
    return externalFeatures(device, info).contains(VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT.rawValue)
  }
}

/// Copying to it is what makes a driver take it for written by others; nothing is copied by us.
let exportedUsage = VK_IMAGE_USAGE_SAMPLED_BIT.rawValue | VK_IMAGE_USAGE_TRANSFER_DST_BIT.rawValue

/// What may be done with such an image's memory; nothing where there is no such image.
func externalFeatures(_ device: VkPhysicalDevice, _ info: VkPhysicalDeviceImageFormatInfo2) -> FlagSet {
  var info = info
  var external = VkExternalImageFormatProperties()
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES
  var properties = VkImageFormatProperties2()
  properties.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2
  let result = withUnsafeMutablePointer(to: &external) { external in
    properties.pNext = UnsafeMutableRawPointer(external)
    return vkGetPhysicalDeviceImageFormatProperties2(device, &info, &properties)
  }
  return FlagSet(bits: result == VK_SUCCESS ? external.externalMemoryProperties.externalMemoryFeatures : 0)
}

struct FlagSet {
  let bits: UInt32

  func contains(_ flag: UInt32) -> Bool { bits & flag == flag }
}

private func exportsTimelines(_ device: VkPhysicalDevice) -> Bool {
  let arguments = CallArguments()
  defer { arguments.end() }
  var type = VkSemaphoreTypeCreateInfo()
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE
  var info = VkPhysicalDeviceExternalSemaphoreInfo()
  info.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO
  info.pNext = UnsafeRawPointer(arguments.pointer(type))
  info.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT
  var properties = VkExternalSemaphoreProperties()
  properties.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES
  vkGetPhysicalDeviceExternalSemaphoreProperties(device, &info, &properties)
  return properties.externalSemaphoreFeatures & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT.rawValue != 0
}

/// Where the device sits: by its driver's own words, where it has some.
func identity(
  of device: VkPhysicalDevice, _ extensions: Set<String>, index: Int, uuid: [UInt8]
) -> DeviceIdentity {
  let arguments = CallArguments()
  defer { arguments.end() }
  var properties = VkPhysicalDeviceProperties2()
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2
  let pci = arguments.reserve(VkPhysicalDevicePCIBusInfoPropertiesEXT.self, 1)
  let drm = arguments.reserve(VkPhysicalDeviceDrmPropertiesEXT.self, 1)
  pci.initialize(to: VkPhysicalDevicePCIBusInfoPropertiesEXT())
  drm.initialize(to: VkPhysicalDeviceDrmPropertiesEXT())
  pci.pointee.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT
  drm.pointee.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT
  let (hasPCI, hasDRM) = (extensions.contains(SharingExtension.pci), extensions.contains(SharingExtension.drm))
  if hasDRM { properties.pNext = UnsafeMutableRawPointer(drm) }
  if hasPCI {
    pci.pointee.pNext = properties.pNext
    properties.pNext = UnsafeMutableRawPointer(pci)
  }
  if hasPCI || hasDRM { vkGetPhysicalDeviceProperties2(device, &properties) }
  func number(_ has: VkBool32, _ major: Int64, _ minor: Int64) -> DeviceNumber? {
    has == VK_TRUE ? DeviceNumber(major: UInt32(clamping: major), minor: UInt32(clamping: minor)) : nil
  }
  return DeviceIdentity(
    index: index, uuid: uuid,
    pci: hasPCI
      ? PCIAddress(
        domain: pci.pointee.pciDomain, bus: pci.pointee.pciBus, device: pci.pointee.pciDevice,
        function: pci.pointee.pciFunction) : nil,
    renderNode: number(drm.pointee.hasRender, drm.pointee.renderMajor, drm.pointee.renderMinor),
    primaryNode: number(drm.pointee.hasPrimary, drm.pointee.primaryMajor, drm.pointee.primaryMinor))
}

func extensionNames(_ device: VkPhysicalDevice) -> Set<String> {
  Set(
    enumerate(of: VkExtensionProperties()) { vkEnumerateDeviceExtensionProperties(device, nil, $0, $1) }
      .map { fixedString($0.extensionName) })
}

extension GPUDeviceInfo {
  /// What it shares with decoders; nil: nothing.
  public var sharing: PictureSharing? {
    let codecs = LendingExtension.codecs.filter { features.contains($0.feature) }.map(\.name)
    let sharing = PictureSharing(
      device: identity, exportsPictures: features.contains(.memoryExport),
      importsDMABufs: features.contains(.dmaBufImport), videoCodecs: Set(codecs))
    return sharing == PictureSharing(device: identity) ? nil : sharing
  }
}

extension GPUDevice {
  /// What it shares with decoders; nil: nothing.
  var sharing: PictureSharing? { info.sharing ?? (lending == nil ? nil : PictureSharing(device: info.identity)) }
}
