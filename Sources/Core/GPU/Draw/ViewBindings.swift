internal import CVulkan
import Frames

/// The uniforms of a view, in 32-bit floats; laid out as in `Shaders/view.glsl`.
public typealias UniformBlock = InlineArray<88, Float>

/// What the shaders of one frame in flight read and write: uniforms of each view, planes, and the target in compute shaders.
///
/// Changed only while the frame's slot is free.
final class ViewBindings {
  private let device: GPUDevice
  private let set: DescriptorSet
  private let uniforms: GPUBuffer
  private var bound: (textures: PictureTextures, sampling: GPUDevice.Sampling)?

  /// Views of one frame: one, or one for each eye.
  static let viewLimit = 2
  /// From one view's uniforms to the next's: no device wants more than multiples of 256.
  static let uniformStride = (MemoryLayout<UniformBlock>.size + 255) / 256 * 256

  init(device: GPUDevice, layout: VkDescriptorSetLayout) throws(Failure) {
    self.device = device
    uniforms = try GPUBuffer(device: device, byteCount: Self.viewLimit * Self.uniformStride, use: .uniforms)
    set = try DescriptorSet(
      device: device, layout: layout,
      sizes: [
        VkDescriptorPoolSize(type: VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, descriptorCount: 1),
        VkDescriptorPoolSize(type: VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, descriptorCount: 3),
        VkDescriptorPoolSize(type: VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, descriptorCount: 1),
      ])
  }

  func write(uniforms values: UniformBlock, view: Int) {
    withUnsafeBytes(of: values) { bytes in
      guard let first = bytes.baseAddress else { return }
      (uniforms.base + view * Self.uniformStride).copyMemory(from: first, byteCount: bytes.count)
    }
  }

  /// Points the shaders at the uniforms and a picture's planes.
  func bind(_ textures: PictureTextures, sampling: GPUDevice.Sampling, _ arguments: CallArguments) {
    if let bound, bound.textures === textures, bound.sampling == sampling { return }
    let writes = arguments.reserve(VkWriteDescriptorSet.self, 4)
    writes[0] = set.write(0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC)
    writes[0].pBufferInfo = arguments.pointer(
      VkDescriptorBufferInfo(buffer: uniforms.handle, offset: 0, range: VkDeviceSize(MemoryLayout<UniformBlock>.size)))
    for (index, image) in textures.bindings.enumerated() {
      writes[index + 1] = set.write(UInt32(index + 1), VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
      writes[index + 1].pImageInfo = arguments.pointer(
        VkDescriptorImageInfo(
          sampler: device.sampler(sampling), imageView: image.view, imageLayout: shaderLayout(image)))
    }
    vkUpdateDescriptorSets(device.handle, UInt32(textures.bindings.count + 1), writes, 0, nil)
    bound = (textures, sampling)
  }

  /// Points compute shaders at the target that they write.
  func bind(target: GPUImage) {
    let arguments = CallArguments()
    defer { arguments.end() }
    var entry = set.write(4, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
    entry.pImageInfo = arguments.pointer(
      VkDescriptorImageInfo(sampler: nil, imageView: target.view, imageLayout: VK_IMAGE_LAYOUT_GENERAL))
    vkUpdateDescriptorSets(device.handle, 1, &entry, 0, nil)
  }

  /// Binds the set for the draws or dispatches that follow, with the uniforms of one view.
  func record(_ view: Int, _ point: VkPipelineBindPoint, _ layout: VkPipelineLayout, _ commands: VkCommandBuffer) {
    var set: VkDescriptorSet? = set.handle
    var offset = UInt32(view * Self.uniformStride)
    vkCmdBindDescriptorSets(commands, point, layout, 0, 1, &set, 1, &offset)
  }
}

/// What decoders write between two frames stays in the general layout for ever.
func shaderLayout(_ image: GPUImage) -> VkImageLayout {
  image.staysGeneral
    ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
}
