internal import CVulkan
import Frames

/// What a device needs for decoders to work on it.
enum LendingExtension {
  static let queue = "VK_KHR_video_queue"
  static let decodeQueue = "VK_KHR_video_decode_queue"

  struct Codec {
    /// FFmpeg's.
    let name: String
    let feature: GPUDeviceInfo.Feature
    let `extension`: String
    /// Of `VkVideoCodecOperationFlagsKHR`; a number, for older headers lack AV1's.
    let operation: UInt32
  }

  static let codecs = [
    Codec(name: "h264", feature: .decodesH264, extension: "VK_KHR_video_decode_h264", operation: 0x1),
    Codec(name: "hevc", feature: .decodesHEVC, extension: "VK_KHR_video_decode_h265", operation: 0x2),
    Codec(name: "av1", feature: .decodesAV1, extension: "VK_KHR_video_decode_av1", operation: 0x4),
  ]

  /// The extensions to enable: all that the device has, where it decodes any codec.
  static func available(_ device: VkPhysicalDevice, _ there: Set<String>) -> [String] {
    guard videoFamily(device, there) != nil else { return [] }
    return ([queue, decodeQueue] + codecs.map(\.extension)).filter(there.contains)
  }
}

/// The first family whose queues decode video, and what they decode; nil where there is none.
func videoFamily(_ device: VkPhysicalDevice, _ extensions: Set<String>) -> LentQueueFamily? {
  guard extensions.contains(LendingExtension.queue), extensions.contains(LendingExtension.decodeQueue) else {
    return nil
  }
  let arguments = CallArguments()
  defer { arguments.end() }
  var count: UInt32 = 0
  vkGetPhysicalDeviceQueueFamilyProperties2(device, &count, nil)
  let families = arguments.reserve(VkQueueFamilyProperties2.self, max(Int(count), 1))
  let videos = arguments.reserve(VkQueueFamilyVideoPropertiesKHR.self, max(Int(count), 1))
  for index in 0..<Int(count) {
    var video = VkQueueFamilyVideoPropertiesKHR()
    video.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR
    (videos + index).initialize(to: video)
    var family = VkQueueFamilyProperties2()
    family.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2
    family.pNext = UnsafeMutableRawPointer(videos + index)
    (families + index).initialize(to: family)
  }
  vkGetPhysicalDeviceQueueFamilyProperties2(device, &count, families)
  return (0..<Int(count)).lazy.map { index in
    LentQueueFamily(
      index: UInt32(index), abilities: families[index].queueFamilyProperties.queueFlags,
      videoOperations: videos[index].videoCodecOperations)
  }.first { $0.abilities & VK_QUEUE_VIDEO_DECODE_BIT_KHR.rawValue != 0 }
}

/// Whether a device decodes the codec that this feature stands for.
func decodes(_ feature: GPUDeviceInfo.Feature, _ device: VkPhysicalDevice, _ extensions: Set<String>) -> Bool {
  guard let codec = LendingExtension.codecs.first(where: { $0.feature == feature }),
    let family = videoFamily(device, extensions)
  else { return false }
  return family.videoOperations & codec.operation != 0 && extensions.contains(codec.extension)
}

extension GPUDevice {
  /// For decoders to work on; nil where the device was not opened for that.
  var lent: LentDevice? {
    guard let lending else { return nil }
    let families = queueFamilies(physical)
    let drawing = LentQueueFamily(
      index: queues.drawing.family, abilities: families[Int(queues.drawing.family)].queueFlags, videoOperations: 0)
    let loader: PFN_vkGetInstanceProcAddr = vkGetInstanceProcAddr
    return LentDevice(
      instance: instance.handle, physical: physical, device: handle,
      loader: unsafeBitCast(loader, to: UnsafeRawPointer.self), instanceExtensions: instance.extensions,
      deviceExtensions: extensions, features: lending.features.head,
      families: [drawing] + (lending.decodeFamily.map { [$0] } ?? []), lock: queues.lock, keeper: self)
  }
}
