internal import CVulkan

/// What the validation layer's messages and capture tools show for a device's objects and commands: names, and labels around
/// spans of commands.
///
/// Without the extension, which only validation turns on, neither calls the driver.
struct DebugMarks: Sendable {
  private let setName: PFN_vkSetDebugUtilsObjectNameEXT?
  private let labels: Labels?

  /// What a span of commands does.
  enum Label: CaseIterable {
    case upload, view, overlay, readback, show, prepare

    fileprivate var text: StaticString {
      switch self {
      case .upload: "upload"
      case .view: "view"
      case .overlay: "overlay"
      case .readback: "readback"
      case .show: "show in the window"
      case .prepare: "prepare a shared picture"
      }
    }
  }

  /// Both, or neither.
  private struct Labels: Sendable {
    let begin: PFN_vkCmdBeginDebugUtilsLabelEXT
    let end: PFN_vkCmdEndDebugUtilsLabelEXT
    let listener: (any DebugLabelListener)?
  }

  /// - Parameter listener: of tests.
  init(_ device: VkDevice, isOn: Bool, listener: (any DebugLabelListener)?) {
    func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
      isOn ? vkGetDeviceProcAddr(device, name).map { unsafeBitCast($0, to: type) } : nil
    }
    setName = function("vkSetDebugUtilsObjectNameEXT", PFN_vkSetDebugUtilsObjectNameEXT.self)
    let begin = function("vkCmdBeginDebugUtilsLabelEXT", PFN_vkCmdBeginDebugUtilsLabelEXT.self)
    let end = function("vkCmdEndDebugUtilsLabelEXT", PFN_vkCmdEndDebugUtilsLabelEXT.self)
    if let begin, let end {
      labels = Labels(begin: begin, end: end, listener: listener)
    } else {
      labels = nil
    }
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

  /// Records what `record` does under a label, which ends with it, also where it throws. Allocates nothing.
  func label<Result, Fault>(
    _ label: Label, _ commands: VkCommandBuffer, _ record: () throws(Fault) -> Result
  ) throws(Fault) -> Result {
    guard let labels else { return try record() }
    label.text.withUTF8Buffer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        var info = VkDebugUtilsLabelEXT()
        info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT
        // Static strings end with a zero, which is not counted.
        info.pLabelName = characters.baseAddress
        labels.begin(commands, &info)
      }
    }
    labels.listener?.began(label.text.description)
    defer {
      labels.end(commands)
      labels.listener?.ended()
    }
    return try record()
  }
}

extension GPUDevice {
  func name(_ handle: OpaquePointer, _ type: VkObjectType, _ name: @autoclosure () -> String) {
    debug.name(handle, type, name(), self.handle)
  }
}
