internal import CVulkan

/// Names that the validation layer's messages and capture tools show for a device's objects.
///
/// Without the extension, which only validation turns on, naming does nothing.
struct DebugNames: Sendable {
  private let setName: PFN_vkSetDebugUtilsObjectNameEXT?

  init(_ device: VkDevice, isOn: Bool) {
    setName =
      isOn
      ? vkGetDeviceProcAddr(device, "vkSetDebugUtilsObjectNameEXT").map {
        unsafeBitCast($0, to: PFN_vkSetDebugUtilsObjectNameEXT.self)
      } : nil
  }

  /// - Parameter handle: an object of `device`; `VkDescriptorSet` and the like are pointers on all 64-bit platforms.
  func name(_ handle: OpaquePointer, _ type: VkObjectType, _ name: @autoclosure () -> String, _ device: VkDevice) {
    guard let setName else { return }
    let arguments = CallArguments()
    defer { arguments.end() }
    var info = VkDebugUtilsObjectNameInfoEXT()
    info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT
    info.objectType = type
    info.objectHandle = UInt64(UInt(bitPattern: handle))
    info.pObjectName = arguments.string(name())
    _ = setName(device, &info)
  }
}

extension GPUDevice {
  func name(_ handle: OpaquePointer, _ type: VkObjectType, _ name: @autoclosure () -> String) {
    names.name(handle, type, name(), self.handle)
  }
}
