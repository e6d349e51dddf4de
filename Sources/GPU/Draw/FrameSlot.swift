internal import CVulkan
import Frames

/// Where in a target a view is drawn, in pixels from its top-left corner.
public struct TargetRegion: Sendable, Hashable {
  public var left: Int
  public var top: Int
  public var size: PictureSize

  public init(left: Int = 0, top: Int = 0, size: PictureSize) {
    self.left = left
    self.top = top
    self.size = size
  }
}

/// What shaders are told of a view, in 32-bit floats; laid out as in `Shaders/view.glsl`.
public typealias UniformBlock = InlineArray<88, Float>

/// Everything one frame in flight needs for itself. Made once, used again and again.
final class FrameSlot {
  let device: GPUDevice
  let commands: VkCommandBuffer
  let descriptors: VkDescriptorSet
  let queries: VkQueryPool
  let uniforms: GPUBuffer
  let quads: QuadBuffers
  private(set) var target: GPUImage
  /// Signalled when a window's image can be drawn; nil before one was.
  private(set) var ready: VkSemaphore?
  /// For copies that go to a queue of their own; nil where there is none.
  let copyCommands: VkCommandBuffer?
  /// What the commands being recorded point to.
  let arguments = CallArguments()
  /// The last view that was read back.
  var pixels: [UInt8] = []
  private(set) var readback: GPUBuffer?
  /// What samples are copied to; remade when format or size change.
  private var textures: PictureTextures?
  private var bound: (textures: PictureTextures, sampling: GPUDevice.Sampling)?
  private let rows: RowCopy
  private let shading: Shading
  private let commandPool: VkCommandPool
  private let copyCommandPool: VkCommandPool?
  private let descriptorPool: VkDescriptorPool

  /// What was submitted last and has not been collected; nil when the slot is free.
  var inFlight: InFlight?

  struct InFlight {
    var value: UInt64
    /// Keeps the samples alive until the GPU is done with them.
    var frame: VideoFrame
    var started: MonotonicTime
    var submitted: MonotonicTime
    var uploadMilliseconds: Double
    var upload: UploadStrategy
    var wantsPixels: Bool
    /// Keeps what draws over the view alive as well.
    var drawer: QuadDrawer?
    /// Where it is shown, until the GPU is done with it.
    var swapchain: Swapchain?
    var acquired: Swapchain.Acquired?
    var present: Present?
  }

  /// The instants at which copying began and ended, and drawing began and ended.
  static let queryCount: UInt32 = 4

  /// Views of one frame: one, or one for each eye.
  static let viewLimit = 2
  /// From one view's uniforms to the next's: no device wants more than multiples of 256.
  static let uniformStride = (MemoryLayout<UniformBlock>.size + 255) / 256 * 256

  init(device: GPUDevice, interface: ShaderInterface, target size: PictureSize) throws(Failure) {
    self.device = device
    rows = RowCopy(device: device)
    quads = QuadBuffers(device: device)
    shading = interface.shading
    target = try makeTarget(device, size, interface.shading)
    uniforms = try GPUBuffer(
      device: device, byteCount: Self.viewLimit * Self.uniformStride, use: .uniforms)
    (commandPool, commands) = try makeCommands(device, family: device.queueFamily)
    do throws(Failure) {
      if let copyQueue = device.copyQueue {
        let made = try makeCommands(device, family: copyQueue.family)
        (copyCommandPool, copyCommands) = (made.0, made.1)
      } else {
        (copyCommandPool, copyCommands) = (nil, nil)
      }
    } catch {
      vkDestroyCommandPool(device.handle, commandPool, nil)
      throw error
    }
    do throws(Failure) {
      (descriptorPool, descriptors) = try makeDescriptors(device, interface.setLayout)
    } catch {
      vkDestroyCommandPool(device.handle, copyCommandPool, nil)
      vkDestroyCommandPool(device.handle, commandPool, nil)
      throw error
    }
    do throws(Failure) {
      queries = try makeQueries(device)
    } catch {
      vkDestroyDescriptorPool(device.handle, descriptorPool, nil)
      vkDestroyCommandPool(device.handle, copyCommandPool, nil)
      vkDestroyCommandPool(device.handle, commandPool, nil)
      throw error
    }
    if interface.shading == .compute { bindTarget() }
  }

  deinit {
    vkDestroySemaphore(device.handle, ready, nil)
    vkDestroyQueryPool(device.handle, queries, nil)
    vkDestroyDescriptorPool(device.handle, descriptorPool, nil)
    vkDestroyCommandPool(device.handle, copyCommandPool, nil)
    vkDestroyCommandPool(device.handle, commandPool, nil)
  }

  /// Where the GPU finds the frame's samples; copies rows where it could not find them otherwise. The slot must be free.
  func samples(of frame: VideoFrame) throws(Failure) -> (samples: Samples, upload: UploadStrategy) {
    if let pooled = frame.picture.allocation as? PooledPicture { return (pooled.samples, pooled.strategy) }
    if let shared = frame.picture.allocation as? any GPUPicture { return (shared.samples, shared.strategy) }
    guard frame.isInHostMemory else {
      throw Failure(.device, "cannot draw a frame", cause: "its samples lie in memory that this device does not share")
    }
    return (.buffer(try rows.copy(frame)), .copy)
  }

  /// What shaders read: the samples where they are, or textures that they are to be copied to.
  func textures(for samples: Samples, of frame: VideoFrame) throws(Failure) -> PictureTextures {
    if case .textures(let textures) = samples { return textures }
    if let textures, textures.format == frame.format, textures.size == frame.size { return textures }
    let made = try PictureTextures(device: device, format: frame.format, size: frame.size)
    textures = made
    return made
  }

  /// Makes the target anew where it has another size. The slot must be free.
  func fit(_ size: PictureSize) throws(Failure) {
    guard target.size != size else { return }
    target = try makeTarget(device, size, shading)
    if shading == .compute { bindTarget() }
  }

  /// To be signalled when a window's image can be drawn. The slot must be free, for then nothing waits for it.
  func imageReady() throws(Failure) -> VkSemaphore {
    if let ready { return ready }
    guard let made = makeBinarySemaphore(device) else {
      throw Failure(.device, "cannot show pictures in the window", cause: "the driver gave no semaphore")
    }
    ready = made
    return made
  }

  func readbackBuffer() throws(Failure) -> GPUBuffer {
    let needed = target.size.width * target.size.height * 4
    if let readback, readback.byteCount == needed { return readback }
    let made = try GPUBuffer(device: device, byteCount: needed, use: .readback)
    readback = made
    return made
  }

  func write(uniforms values: UniformBlock, view: Int) {
    withUnsafeBytes(of: values) { bytes in
      guard let first = bytes.baseAddress else { return }
      (uniforms.base + view * Self.uniformStride).copyMemory(from: first, byteCount: bytes.count)
    }
  }

  /// Points the shaders' bindings at the uniforms and a picture's planes; the slot must be free.
  func bind(_ textures: PictureTextures, sampling: GPUDevice.Sampling) {
    if let bound, bound.textures === textures, bound.sampling == sampling { return }
    let writes = arguments.reserve(VkWriteDescriptorSet.self, 4)
    writes[0] = write(0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC)
    writes[0].pBufferInfo = arguments.pointer(
      VkDescriptorBufferInfo(buffer: uniforms.handle, offset: 0, range: VkDeviceSize(MemoryLayout<UniformBlock>.size)))
    for (index, image) in textures.bindings.enumerated() {
      writes[index + 1] = write(UInt32(index + 1), VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
      writes[index + 1].pImageInfo = arguments.pointer(
        VkDescriptorImageInfo(
          sampler: device.sampler(sampling), imageView: image.view, imageLayout: shaderLayout(image)))
    }
    vkUpdateDescriptorSets(device.handle, UInt32(textures.bindings.count + 1), writes, 0, nil)
    bound = (textures, sampling)
  }

  private func bindTarget() {
    let arguments = CallArguments()
    defer { arguments.end() }
    var entry = write(4, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
    entry.pImageInfo = arguments.pointer(
      VkDescriptorImageInfo(sampler: nil, imageView: target.view, imageLayout: VK_IMAGE_LAYOUT_GENERAL))
    vkUpdateDescriptorSets(device.handle, 1, &entry, 0, nil)
  }

  private func write(_ binding: UInt32, _ type: VkDescriptorType) -> VkWriteDescriptorSet {
    var write = VkWriteDescriptorSet()
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET
    write.dstSet = descriptors
    write.dstBinding = binding
    write.descriptorCount = 1
    write.descriptorType = type
    return write
  }
}

private func makeTarget(_ device: GPUDevice, _ size: PictureSize, _ shading: Shading) throws(Failure) -> GPUImage {
  try GPUImage(
    device: device, size: size, format: targetFormat,
    usage: VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT.rawValue | VK_IMAGE_USAGE_TRANSFER_SRC_BIT.rawValue
      | (shading == .compute ? VK_IMAGE_USAGE_STORAGE_BIT.rawValue : 0), purpose: "a view")
}

/// What decoders write between two frames stays in the general layout for ever.
func shaderLayout(_ image: GPUImage) -> VkImageLayout {
  image.staysGeneral
    ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
}

func makeCommands(_ device: GPUDevice, family: UInt32) throws(Failure) -> (VkCommandPool, VkCommandBuffer) {
  var info = VkCommandPoolCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO
  info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT.rawValue
  info.queueFamilyIndex = family
  var pool: VkCommandPool?
  try check(vkCreateCommandPool(device.handle, &info, nil, &pool), "create a command pool")
  var allocation = VkCommandBufferAllocateInfo()
  allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO
  allocation.commandPool = pool
  allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY
  allocation.commandBufferCount = 1
  var buffer: VkCommandBuffer?
  let result = vkAllocateCommandBuffers(device.handle, &allocation, &buffer)
  guard let pool, let buffer, result == VK_SUCCESS else {
    vkDestroyCommandPool(device.handle, pool, nil)
    throw Failure(.device, "cannot create a command buffer", cause: "Vulkan error \(result.rawValue)")
  }
  return (pool, buffer)
}

private func makeDescriptors(
  _ device: GPUDevice, _ layout: VkDescriptorSetLayout
) throws(Failure) -> (VkDescriptorPool, VkDescriptorSet) {
  try makeDescriptorSet(
    device, layout,
    sizes: [
      VkDescriptorPoolSize(type: VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, descriptorCount: 1),
      VkDescriptorPoolSize(type: VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, descriptorCount: 3),
      VkDescriptorPoolSize(type: VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, descriptorCount: 1),
    ])
}

/// One set, and a pool that holds it alone.
func makeDescriptorSet(
  _ device: GPUDevice, _ layout: VkDescriptorSetLayout, sizes: [VkDescriptorPoolSize]
) throws(Failure) -> (VkDescriptorPool, VkDescriptorSet) {
  let arguments = CallArguments()
  defer { arguments.end() }
  var info = VkDescriptorPoolCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO
  info.maxSets = 1
  info.poolSizeCount = UInt32(sizes.count)
  info.pPoolSizes = arguments.pointer(sizes)
  var pool: VkDescriptorPool?
  try check(vkCreateDescriptorPool(device.handle, &info, nil, &pool), "create a descriptor pool")
  var allocation = VkDescriptorSetAllocateInfo()
  allocation.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO
  allocation.descriptorPool = pool
  allocation.descriptorSetCount = 1
  allocation.pSetLayouts = arguments.pointer(Optional(layout))
  var set: VkDescriptorSet?
  let result = vkAllocateDescriptorSets(device.handle, &allocation, &set)
  guard let pool, let set, result == VK_SUCCESS else {
    vkDestroyDescriptorPool(device.handle, pool, nil)
    throw Failure(.device, "cannot create a descriptor set", cause: "Vulkan error \(result.rawValue)")
  }
  return (pool, set)
}

private func makeQueries(_ device: GPUDevice) throws(Failure) -> VkQueryPool {
  var info = VkQueryPoolCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO
  info.queryType = VK_QUERY_TYPE_TIMESTAMP
  info.queryCount = FrameSlot.queryCount
  var pool: VkQueryPool?
  try check(vkCreateQueryPool(device.handle, &info, nil, &pool), "create a query pool")
  guard let pool else { throw Failure(.device, "cannot create a query pool", cause: "none came back") }
  return pool
}
