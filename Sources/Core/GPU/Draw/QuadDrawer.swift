internal import CVulkan
import Frames

/// Draws quads over views: its shaders, an atlas of coverage (text) and one of pictures.
///
/// One thread at a time, that of the one ring whose work it is given to. What is added to an atlas is copied with the next
/// work that has a layer of this drawer; until then it may be added to and forgotten freely.
public final class QuadDrawer {
  /// Its two atlases.
  public enum Store: Sendable, Hashable, CaseIterable {
    /// A byte a texel: how much of it is covered.
    case coverages
    /// Red, green, blue and straight alpha, a byte each.
    case pictures
  }

  /// Texels along both sides of either atlas.
  public let side: Int
  /// Pieces and bytes that were copied to the atlases so far.
  public private(set) var copied = (pieces: 0, bytes: 0)
  let device: GPUDevice
  let layout: VkPipelineLayout
  let pipeline: VkPipeline
  let descriptors: DescriptorSet
  private let coverages: QuadAtlas
  private let pictures: QuadAtlas
  private let setLayout: VkDescriptorSetLayout

  /// - Parameters:
  ///   - vertex: SPIR-V words with entry point `main`; the same for `fragment`. Four vectors an instance as `Quad` has
  ///     them, bindings 0 and 1 the atlases, the target's size pushed to the vertex shader.
  ///   - side: 2048 texels take 20 MiB; every device has 4096.
  public init(device: GPUDevice, vertex: [UInt32], fragment: [UInt32], side: Int = 2048) throws(Failure) {
    self.device = device
    self.side = side
    coverages = try QuadAtlas(device: device, side: side, hasColor: false)
    pictures = try QuadAtlas(device: device, side: side, hasColor: true)
    setLayout = try makeSetLayout(device)
    do throws(Failure) {
      layout = try makeLayout(device, setLayout)
    } catch {
      vkDestroyDescriptorSetLayout(device.handle, setLayout, nil)
      throw error
    }
    do throws(Failure) {
      descriptors = try DescriptorSet(
        device: device, layout: setLayout,
        sizes: [VkDescriptorPoolSize(type: VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, descriptorCount: 2)])
    } catch {
      vkDestroyPipelineLayout(device.handle, layout, nil)
      vkDestroyDescriptorSetLayout(device.handle, setLayout, nil)
      throw error
    }
    do throws(Failure) {
      pipeline = try makeDrawPipeline(
        device, layout, vertex: vertex, fragment: fragment, input: .quads, blend: .premultiplied)
    } catch {
      vkDestroyPipelineLayout(device.handle, layout, nil)
      vkDestroyDescriptorSetLayout(device.handle, setLayout, nil)
      throw error
    }
    bind(coverages, pictures)
  }

  deinit {
    vkDestroyPipeline(device.handle, pipeline, nil)
    vkDestroyPipelineLayout(device.handle, layout, nil)
    vkDestroyDescriptorSetLayout(device.handle, setLayout, nil)
  }

  /// Puts texels into an atlas, rows from the top without padding.
  public func add(_ bytes: [UInt8], at texels: Quad.Texels, of store: Store) {
    atlas(store).add(bytes, at: texels)
  }

  /// What waits to be copied to an atlas is not wanted any more.
  public func forgetWaiting(_ store: Store) { atlas(store).forgetWaiting() }

  var stagedByteCount: Int { coverages.stagedByteCount + pictures.stagedByteCount }

  private func atlas(_ store: Store) -> QuadAtlas { store == .coverages ? coverages : pictures }

  /// Brings what waits into the atlases; outside of rendering. Records nothing where nothing waits, but the first time.
  func recordCopies(from staging: GPUBuffer?, _ commands: VkCommandBuffer, _ arguments: CallArguments) {
    var offset = 0
    bring(coverages, from: staging, &offset, commands, arguments)
    bring(pictures, from: staging, &offset, commands, arguments)
  }

  private func bring(
    _ atlas: QuadAtlas, from staging: GPUBuffer?, _ offset: inout Int, _ commands: VkCommandBuffer,
    _ arguments: CallArguments
  ) {
    if let staging, !atlas.waiting.isEmpty {
      recordCopies(of: atlas, from: staging, &offset, commands, arguments)
    }
    transition(
      atlas.image, to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, commands, arguments,
      from: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT),
      until: (VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT))
  }

  private func recordCopies(
    of atlas: QuadAtlas, from staging: GPUBuffer, _ offset: inout Int, _ commands: VkCommandBuffer,
    _ arguments: CallArguments
  ) {
    // Frames in flight may still read what is replaced.
    transition(
      atlas.image, to: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, commands, arguments,
      from: (VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, 0),
      until: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT))
    let regions = arguments.reserve(VkBufferImageCopy.self, atlas.waiting.count)
    for (index, piece) in atlas.waiting.enumerated() {
      piece.bytes.withUnsafeBytes { bytes in
        guard let first = bytes.baseAddress else { return }
        (staging.base + offset).copyMemory(from: first, byteCount: bytes.count)
      }
      regions[index] = VkBufferImageCopy()
      regions[index].bufferOffset = VkDeviceSize(offset)
      regions[index].imageSubresource = wholeLayer
      regions[index].imageOffset = VkOffset3D(x: Int32(piece.texels.left), y: Int32(piece.texels.top), z: 0)
      regions[index].imageExtent = VkExtent3D(
        width: UInt32(piece.texels.width), height: UInt32(piece.texels.height), depth: 1)
      offset += QuadAtlas.aligned(piece.bytes.count)
      copied = (copied.pieces + 1, copied.bytes + piece.bytes.count)
    }
    vkCmdCopyBufferToImage(
      commands, staging.handle, atlas.image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
      UInt32(atlas.waiting.count), regions)
    atlas.forgetWaiting()
  }

  /// Draws `count` quads into the target being rendered, whose scissor covers all of it.
  func recordDraw(
    _ count: Int, from instances: GPUBuffer, target: PictureSize, _ commands: VkCommandBuffer,
    _ arguments: CallArguments
  ) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline)
    var set: VkDescriptorSet? = descriptors.handle
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, nil)
    var size = SIMD2(Float(target.width), Float(target.height))
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_VERTEX_BIT.rawValue, 0, 8, &size)
    var (buffer, offset): (VkBuffer?, VkDeviceSize) = (instances.handle, 0)
    vkCmdBindVertexBuffers(commands, 0, 1, &buffer, &offset)
    vkCmdDraw(commands, 6, UInt32(count), 0, 0)
  }

  private func bind(_ atlases: QuadAtlas...) {
    let arguments = CallArguments()
    defer { arguments.end() }
    for (index, atlas) in atlases.enumerated() {
      var write = descriptors.write(UInt32(index), VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
      write.pImageInfo = arguments.pointer(
        VkDescriptorImageInfo(
          sampler: device.sampler(.clamped), imageView: atlas.image.view,
          imageLayout: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL))
      vkUpdateDescriptorSets(device.handle, 1, &write, 0, nil)
    }
  }
}

extension Quad {
  /// Four vectors, once an instance.
  static func vertexInput(_ arguments: CallArguments) -> VkPipelineVertexInputStateCreateInfo {
    let binding = VkVertexInputBindingDescription(
      binding: 0, stride: UInt32(MemoryLayout<Quad>.stride), inputRate: VK_VERTEX_INPUT_RATE_INSTANCE)
    let attributes = (0..<4).map {
      VkVertexInputAttributeDescription(
        location: UInt32($0), binding: 0, format: VK_FORMAT_R32G32B32A32_SFLOAT, offset: UInt32($0 * 16))
    }
    return vertexInputState(binding, attributes, arguments)
  }
}

private func makeSetLayout(_ device: GPUDevice) throws(Failure) -> VkDescriptorSetLayout {
  let arguments = CallArguments()
  defer { arguments.end() }
  let bindings = (0..<2).map {
    VkDescriptorSetLayoutBinding(
      binding: UInt32($0), descriptorType: VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, descriptorCount: 1,
      stageFlags: VK_SHADER_STAGE_FRAGMENT_BIT.rawValue, pImmutableSamplers: nil)
  }
  var info = VkDescriptorSetLayoutCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO
  info.bindingCount = UInt32(bindings.count)
  info.pBindings = arguments.pointer(bindings)
  var layout: VkDescriptorSetLayout?
  try check(vkCreateDescriptorSetLayout(device.handle, &info, nil, &layout), "create a descriptor layout")
  guard let layout else { throw Failure(.device, "cannot create a descriptor layout", cause: "none came back") }
  return layout
}

private func makeLayout(_ device: GPUDevice, _ set: VkDescriptorSetLayout) throws(Failure) -> VkPipelineLayout {
  let arguments = CallArguments()
  defer { arguments.end() }
  let push = VkPushConstantRange(stageFlags: VK_SHADER_STAGE_VERTEX_BIT.rawValue, offset: 0, size: 8)
  var info = VkPipelineLayoutCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO
  info.setLayoutCount = 1
  info.pSetLayouts = arguments.pointer(Optional(set))
  info.pushConstantRangeCount = 1
  info.pPushConstantRanges = arguments.pointer(push)
  var layout: VkPipelineLayout?
  try check(vkCreatePipelineLayout(device.handle, &info, nil, &layout), "create a pipeline layout")
  guard let layout else { throw Failure(.device, "cannot create a pipeline layout", cause: "none came back") }
  return layout
}
