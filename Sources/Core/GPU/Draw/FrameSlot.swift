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

/// Everything one frame in flight needs for itself. Made once, used again and again.
final class FrameSlot {
  let device: GPUDevice
  let commands: CommandBuffer
  /// For copies that go to a queue of their own; nil where there is none.
  let copyCommands: CommandBuffer?
  let bindings: ViewBindings
  let timestamps: StageTimestamps
  let quads: QuadBuffers
  let readback: Readback
  private(set) var target: GPUImage
  /// The commands that show a prepared frame; nil before the first one.
  private var showCommands: CommandBuffer?
  /// What the commands being recorded point to.
  let arguments = CallArguments()
  /// Signalled when a window's image can be drawn; nil before one was.
  private(set) var ready: VkSemaphore?
  /// What samples are copied to; remade when format or size change.
  private var textures: PictureTextures?
  private let rows: RowCopy
  private let shading: Shading

  /// The last submission, not yet collected; nil when the slot is free.
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
    /// It was prepared, and is never shown.
    var isDiscarded = false
    /// Keeps what draws over the view alive as well.
    var drawer: QuadDrawer?
    /// Where it is shown, until the GPU is done with it.
    var swapchain: Swapchain?
    var acquired: Swapchain.Acquired?
    var present: Present?
  }

  init(device: GPUDevice, interface: ShaderInterface, target size: PictureSize) throws(Failure) {
    self.device = device
    rows = RowCopy(device: device)
    quads = QuadBuffers(device: device)
    readback = Readback(device: device)
    shading = interface.shading
    target = try makeTarget(device, size, interface.shading)
    bindings = try ViewBindings(device: device, layout: interface.setLayout)
    timestamps = try StageTimestamps(device: device)
    commands = try CommandBuffer(device: device, family: device.queues.drawing.family, purpose: "drawing a frame")
    if let copying = device.queues.copying {
      copyCommands = try CommandBuffer(device: device, family: copying.family, purpose: "copying a frame's samples")
    } else {
      copyCommands = nil
    }
    if interface.shading == .compute { bindings.bind(target: target) }
  }

  deinit {
    vkDestroySemaphore(device.handle, ready, nil)
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
    if shading == .compute { bindings.bind(target: target) }
  }

  /// The commands that show a frame drawn before. No submission of them may be pending.
  func commandsToShow() throws(Failure) -> CommandBuffer {
    if let showCommands { return showCommands }
    let made = try CommandBuffer(
      device: device, family: device.queues.drawing.family, purpose: "showing a prepared view")
    showCommands = made
    return made
  }

  /// To be signalled when a window's image can be drawn. The slot must be free, for then nothing waits for it.
  func imageReady() throws(Failure) -> VkSemaphore {
    if let ready { return ready }
    let made = try makeBinarySemaphore(device)
    ready = made
    return made
  }
}

private func makeTarget(_ device: GPUDevice, _ size: PictureSize, _ shading: Shading) throws(Failure) -> GPUImage {
  try GPUImage(
    device: device, size: size, format: targetFormat,
    usage: VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT.rawValue | VK_IMAGE_USAGE_TRANSFER_SRC_BIT.rawValue
      | (shading == .compute ? VK_IMAGE_USAGE_STORAGE_BIT.rawValue : 0), purpose: "a view")
}

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
