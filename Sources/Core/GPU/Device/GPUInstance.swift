internal import CVulkan
import Frames
import Logging
import Synchronization

/// The Vulkan loader and its drivers. Thread-safe after creation.
public final class GPUInstance: Sendable {
  /// Empty for ever unless validation was asked for.
  public let validation = ValidationLog()
  nonisolated(unsafe) let handle: VkInstance
  let isValidating: Bool
  let extensions: [String]
  nonisolated(unsafe) private let messenger: VkDebugUtilsMessengerEXT?
  /// Held around what reads or changes the labels of command buffers: see `DebugMarks.exclusively`.
  let labelTable = Mutex(())

  /// - Parameters:
  ///   - validate: turn the Khronos validation layer on, with synchronisation checks; fails where it is missing.
  ///   - extensions: what a window system wants of it.
  public init(validate: Bool = false, extensions: [String] = []) throws(Failure) {
    isValidating = validate
    self.extensions = extensions + (validate ? ["VK_EXT_debug_utils", "VK_EXT_validation_features"] : [])
    handle = try createInstance(validate: validate, self.extensions)
    messenger = validate ? createMessenger(handle, validation) : nil
  }

  deinit {
    if let messenger, let destroy = instanceFunction(handle, "vkDestroyDebugUtilsMessengerEXT") {
      unsafeBitCast(destroy, to: PFN_vkDestroyDebugUtilsMessengerEXT.self)(handle, messenger, nil)
    }
    LoaderLists.exclusively { vkDestroyInstance(handle, nil) }
  }

  /// Version of the Vulkan loader.
  public static var loaderVersion: String {
    var version: UInt32 = 0
    vkEnumerateInstanceVersion(&version)
    return versionText(version)
  }

  /// Version of the headers this was compiled against.
  public static var compiledVersion: String { versionText(bench_vk_header_version()) }

  /// All devices in the loader's order.
  public func devices() -> [GPUDeviceInfo] {
    physicalDevices().enumerated().map { describe($0.element, index: $0.offset) }
  }

  func physicalDevices() -> [VkPhysicalDevice] {
    LoaderLists.exclusively {
      enumerate(of: nil as VkPhysicalDevice?) { vkEnumeratePhysicalDevices(handle, $0, $1) }.compactMap { $0 }
    }
  }
}

func versionText(_ version: UInt32) -> String {
  "\(bench_vk_major(version)).\(bench_vk_minor(version)).\(bench_vk_patch(version))"
}

private func createInstance(validate: Bool, _ extensions: [String]) throws(Failure) -> VkInstance {
  let arguments = CallArguments()
  defer { arguments.end() }
  var application = VkApplicationInfo()
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO
  application.pApplicationName = arguments.string("bench360")
  application.apiVersion = bench_vk_make_version(1, 3, 0)
  var info = VkInstanceCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO
  info.pApplicationInfo = arguments.pointer(application)
  info.enabledExtensionCount = UInt32(extensions.count)
  info.ppEnabledExtensionNames = arguments.strings(extensions)
  if validate {
    var features = VkValidationFeaturesEXT()
    features.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT
    features.enabledValidationFeatureCount = 1
    features.pEnabledValidationFeatures = arguments.pointer(VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT)
    info.pNext = UnsafeRawPointer(arguments.pointer(features))
    info.enabledLayerCount = 1
    info.ppEnabledLayerNames = arguments.strings(["VK_LAYER_KHRONOS_validation"])
  }
  var instance: VkInstance?
  try check(LoaderLists.exclusively { vkCreateInstance(&info, nil, &instance) }, "start Vulkan")
  guard let instance else { throw Failure(.device, "cannot start Vulkan", cause: "the loader gave no instance") }
  return instance
}

private func createMessenger(_ instance: VkInstance, _ log: ValidationLog) -> VkDebugUtilsMessengerEXT? {
  guard let create = instanceFunction(instance, "vkCreateDebugUtilsMessengerEXT") else { return nil }
  var info = VkDebugUtilsMessengerCreateInfoEXT()
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT
  info.messageSeverity =
    VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT.rawValue | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT.rawValue
  info.messageType =
    VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT.rawValue | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT.rawValue
  info.pUserData = Unmanaged.passUnretained(log).toOpaque()
  info.pfnUserCallback = { severity, _, data, user in
    guard let data, let user, let message = data.pointee.pMessage else { return VK_FALSE }
    let text = String(cString: message)
    guard !ValidationLog.isMistaken(text) else { return VK_FALSE }
    vulkanLog.log(
      level: severity.rawValue >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT.rawValue ? .error : .warning, "\(text)")
    Unmanaged<ValidationLog>.fromOpaque(user).takeUnretainedValue().append(text)
    return VK_FALSE
  }
  var messenger: VkDebugUtilsMessengerEXT?
  _ = unsafeBitCast(create, to: PFN_vkCreateDebugUtilsMessengerEXT.self)(instance, &info, nil, &messenger)
  return messenger
}

private func instanceFunction(_ instance: VkInstance, _ name: String) -> PFN_vkVoidFunction? {
  vkGetInstanceProcAddr(instance, name)
}
