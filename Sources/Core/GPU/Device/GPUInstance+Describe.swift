internal import CVulkan
import Frames

/// Asks a physical device for everything `GPUDeviceInfo` tells.
func describe(_ device: VkPhysicalDevice, index: Int) -> GPUDeviceInfo {
  var identity = VkPhysicalDeviceIDProperties()
  identity.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES
  var driver = VkPhysicalDeviceDriverProperties()
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES
  var properties = VkPhysicalDeviceProperties2()
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2
  withUnsafeMutablePointer(to: &identity) { identity in
    withUnsafeMutablePointer(to: &driver) { driver in
      driver.pointee.pNext = UnsafeMutableRawPointer(identity)
      properties.pNext = UnsafeMutableRawPointer(driver)
      vkGetPhysicalDeviceProperties2(device, &properties)
    }
  }
  let general = properties.properties
  let driverText = [fixedString(driver.driverName), fixedString(driver.driverInfo)].filter { !$0.isEmpty }
  let queues = queueFamilies(device)
  let extensions = extensionNames(device)
  var unsuitable: String?
  if general.apiVersion < bench_vk_make_version(1, 3, 0) {
    unsuitable = "it implements Vulkan \(versionText(general.apiVersion)), 1.3 is needed"
  } else if !queues.contains(where: drawsAndComputes) {
    unsuitable = "it has no graphics queue"
  }
  let uuid = withUnsafeBytes(of: identity.deviceUUID) { Array($0) }
  return GPUDeviceInfo(
    index: index, name: fixedString(general.deviceName), kind: kind(general.deviceType),
    driver: driverText.joined(separator: " "), api: versionText(general.apiVersion),
    uuid: uuidText(uuid), identity: GPU.identity(of: device, extensions, index: index, uuid: uuid),
    maxImageSize: Int(general.limits.maxImageDimension2D), memoryMebibytes: deviceMemory(device),
    features: GPUDeviceInfo.Feature.allCases.filter { has($0, device, queues, extensions) }, unsuitable: unsuitable)
}

private func kind(_ type: VkPhysicalDeviceType) -> GPUDeviceInfo.Kind {
  switch type {
  case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: .discrete
  case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: .integrated
  case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: .virtual
  case VK_PHYSICAL_DEVICE_TYPE_CPU: .cpu
  default: .other
  }
}

private func uuidText(_ bytes: [UInt8]) -> String {
  let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
  return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
}

/// Every device that draws has such a family: Vulkan asks for it.
func drawsAndComputes(_ family: VkQueueFamilyProperties) -> Bool {
  let both = VK_QUEUE_GRAPHICS_BIT.rawValue | VK_QUEUE_COMPUTE_BIT.rawValue
  return family.queueFlags & both == both
}

/// Families for video work copy as well, but are not meant for uploads.
func copiesOnly(_ family: VkQueueFamilyProperties) -> Bool {
  let copies = VK_QUEUE_TRANSFER_BIT.rawValue
  return family.queueFlags & ~(VK_QUEUE_SPARSE_BINDING_BIT.rawValue | VK_QUEUE_PROTECTED_BIT.rawValue) == copies
}

func queueFamilies(_ device: VkPhysicalDevice) -> [VkQueueFamilyProperties] {
  enumerate(of: VkQueueFamilyProperties()) {
    vkGetPhysicalDeviceQueueFamilyProperties(device, $0, $1)
    return VK_SUCCESS
  }
}

private func deviceMemory(_ device: VkPhysicalDevice) -> Int {
  let local = memoryHeaps(device).filter { $0.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT.rawValue != 0 }
  return Int(local.reduce(0) { $0 + $1.size } >> 20)
}

private func has(
  _ feature: GPUDeviceInfo.Feature, _ device: VkPhysicalDevice, _ queues: [VkQueueFamilyProperties],
  _ extensions: Set<String>
) -> Bool {
  switch feature {
  case .linearSampling: samplesLinearImages(device, VK_FORMAT_R8_UNORM)
  case .deepTextures: samplesImages(device, VK_FORMAT_R16_UNORM) && samplesImages(device, VK_FORMAT_R16G16_UNORM)
  case .hostCachedImages: hasHostCachedDeviceMemory(device)
  case .samplerYcbcr: supportsSamplerYcbcr(device)
  case .transferQueue: queues.contains(where: copiesOnly)
  case .presentWait: extensions.contains("VK_KHR_present_wait")
  case .displayTiming: extensions.contains("VK_GOOGLE_display_timing")
  case .dmaBuf: extensions.contains("VK_EXT_external_memory_dma_buf")
  case .memoryExport: exportsPictures(device, extensions)
  case .dmaBufImport: importsDMABufs(extensions)
  case .hostMemoryImport: extensions.contains("VK_EXT_external_memory_host")
  case .calibratedTimestamps: extensions.contains("VK_EXT_calibrated_timestamps")
  case .decodesH264, .decodesHEVC, .decodesAV1: decodes(feature, device, extensions)
  }
}

/// Linear images of this format can be sampled with a bilinear filter.
func samplesLinearImages(_ device: VkPhysicalDevice, _ format: VkFormat) -> Bool {
  isSampled(formatProperties(device, format).linearTilingFeatures)
}

/// The same of optimally tiled ones, which samples can be copied to.
private func samplesImages(_ device: VkPhysicalDevice, _ format: VkFormat) -> Bool {
  let features = formatProperties(device, format).optimalTilingFeatures
  return isSampled(features) && features & VK_FORMAT_FEATURE_TRANSFER_DST_BIT.rawValue != 0
}

private func isSampled(_ features: VkFormatFeatureFlags) -> Bool {
  let needed =
    VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT.rawValue | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT.rawValue
  return features & needed == needed
}

private func formatProperties(_ device: VkPhysicalDevice, _ format: VkFormat) -> VkFormatProperties {
  var properties = VkFormatProperties()
  vkGetPhysicalDeviceFormatProperties(device, format, &properties)
  return properties
}

/// Memory that the GPU reads at full speed and the CPU both writes and reads back through its caches.
private func hasHostCachedDeviceMemory(_ device: VkPhysicalDevice) -> Bool {
  memoryTypes(device).contains { $0.propertyFlags & unifiedMemory == unifiedMemory }
}

func supportsSamplerYcbcr(_ device: VkPhysicalDevice) -> Bool {
  var ycbcr = VkPhysicalDeviceSamplerYcbcrConversionFeatures()
  ycbcr.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES
  var features = VkPhysicalDeviceFeatures2()
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2
  withUnsafeMutablePointer(to: &ycbcr) { ycbcr in
    features.pNext = UnsafeMutableRawPointer(ycbcr)
    vkGetPhysicalDeviceFeatures2(device, &features)
  }
  return ycbcr.samplerYcbcrConversion == VK_TRUE
}

extension GPUDevice {
  /// Views can be copied to images of this format, with colours in any order.
  func canBlit(to format: VkFormat) -> Bool {
    formatProperties(physical, format).optimalTilingFeatures & VK_FORMAT_FEATURE_BLIT_DST_BIT.rawValue != 0
  }
}
