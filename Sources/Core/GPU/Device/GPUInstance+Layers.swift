internal import CVulkan

extension GPUInstance {
  /// Khronos' validation layer, which `validate` needs, is installed.
  public static var hasValidationLayer: Bool {
    enumerate(of: VkLayerProperties()) { vkEnumerateInstanceLayerProperties($0, $1) }
      .contains { fixedString($0.layerName) == "VK_LAYER_KHRONOS_validation" }
  }
}
