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
    let instance: GPUInstance
  }

  /// - Parameter listener: of tests.
  init(_ device: VkDevice, of instance: GPUInstance, listener: (any DebugLabelListener)?) {
    func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
      instance.isValidating ? deviceFunction(device, name, type) : nil
    }
    setName = function("vkSetDebugUtilsObjectNameEXT", PFN_vkSetDebugUtilsObjectNameEXT.self)
    let begin = function("vkCmdBeginDebugUtilsLabelEXT", PFN_vkCmdBeginDebugUtilsLabelEXT.self)
    let end = function("vkCmdEndDebugUtilsLabelEXT", PFN_vkCmdEndDebugUtilsLabelEXT.self)
    if let begin, let end {
      labels = Labels(begin: begin, end: end, listener: listener, instance: instance)
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
    _ = LoaderLists.exclusively { setName(device, &info) }
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
        labels.instance.labelTable.withLock { _ in labels.begin(commands, &info) }
      }
    }
    labels.listener?.began(label.text.description)
    defer {
      labels.instance.labelTable.withLock { _ in labels.end(commands) }
      labels.listener?.ended()
    }
    return try record()
  }

  /// Runs `work`, which begins a recording or destroys a command buffer, while no other thread of the instance does so or
  /// begins or ends a label.
  ///
  /// The validation layer 1.3.239 removes a destroyed command buffer's labels from its instance's table without a lock.
  func exclusively<Result>(_ work: () -> Result) -> Result {
    guard let labels else { return work() }
    return labels.instance.labelTable.withLock { _ in work() }
  }
}

extension GPUDevice {
  func name(_ handle: OpaquePointer, _ type: VkObjectType, _ name: @autoclosure () -> String) {
    debug.name(handle, type, name(), self.handle)
  }
}
