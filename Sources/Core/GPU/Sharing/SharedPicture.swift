internal import CVulkan
import Frames
import Synchronization

/// One picture in optimally tiled images that shaders sample and another driver writes. Made by a pool, and lent again and
/// again.
final class SharedPicture: ExportedPicture, GPUPicture, Sendable {
  let request: PictureRequest
  let planes = PlaneList()
  let images: [ExportedImage]
  let textures: PictureTextures
  let byteCount: Int
  var companion: (any AnyObject & Sendable)? {
    get { writersObject.withLock { $0 } }
    set { writersObject.withLock { $0 = newValue } }
  }
  private let writersObject = Mutex<(any AnyObject & Sendable)?>(nil)
  private let device: GPUDevice
  private let memories: [DeviceMemory]
  private let handover: ExternalHandover
  /// Raised when images have been prepared, and by writers.
  private let timeline: TimelineSemaphore
  private let lastValue = Atomic<UInt64>(1)
  /// Weak, for idle pictures belong to the pool.
  private weak let pool: PicturePool?
  /// The commands that prepare the images; they may still run.
  private let preparation: CommandBuffer

  var samples: Samples { .textures(textures) }
  let strategy = UploadStrategy.shared

  /// - Parameter exportsTimeline: false only where the CPU alone raises the timeline.
  init(_ request: PictureRequest, device: GPUDevice, pool: PicturePool?, exportsTimeline: Bool = true) throws(Failure) {
    var made: [(image: GPUImage, memory: DeviceMemory)] = []
    for plane in request.format.planes { made.append(try exportedImage(plane, request, device)) }
    images = zip(request.format.planes, made).map { plane, made in
      ExportedImage(size: made.image.size, plane: plane, byteCount: made.memory.byteCount)
    }
    memories = made.map(\.memory)
    byteCount = memories.reduce(0) { $0 + $1.byteCount }
    timeline = try TimelineSemaphore(device: device, isExported: exportsTimeline)
    handover = ExternalHandover(made.map(\.image), family: VK_QUEUE_FAMILY_EXTERNAL, timeline: timeline)
    textures = PictureTextures(
      format: request.format, size: request.size, images: made.map(\.image), memories: memories, handover: handover)
    self.request = request
    self.device = device
    self.pool = pool
    preparation = try prepareImages(textures.images, handover, timeline, device)
  }

  deinit {
    _ = try? timeline.wait(for: 1)
  }

  func exportMemory(ofImage index: Int) throws(Failure) -> FileDescriptor {
    guard let export = deviceFunction(device.handle, "vkGetMemoryFdKHR", PFN_vkGetMemoryFdKHR.self) else {
      throw cannotExport()
    }
    var info = VkMemoryGetFdInfoKHR()
    info.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR
    info.memory = memories[index].handle
    info.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT
    var number: Int32 = -1
    try check(export(device.handle, &info, &number), "share the memory of a picture")
    return FileDescriptor(owning: number)
  }

  func exportTimeline() throws(Failure) -> FileDescriptor { try timeline.export() }

  var nextValue: UInt64 { lastValue.load(ordering: .acquiring) + 1 }

  func willBeWritten(at value: UInt64) {
    lastValue.store(value, ordering: .releasing)
    handover.expect(value)
  }

  /// Raises the timeline from the CPU, once it is at the value before.
  func wasWritten(at value: UInt64) throws(Failure) {
    try timeline.wait(for: value - 1)
    try timeline.signal(value)
  }

  func release() {
    pool?.takeBack(self)
  }
}

func cannotExport() -> Failure {
  Failure(.unsupported, "cannot share a picture", cause: "the device does not share memory")
}

private func exportedImage(
  _ plane: PlaneFormat, _ request: PictureRequest, _ device: GPUDevice
) throws(Failure) -> (GPUImage, DeviceMemory) {
  let arguments = CallArguments()
  defer { arguments.end() }
  var external = VkExternalMemoryImageCreateInfo()
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO
  external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT.rawValue
  let size = plane.size(of: request.size)
  let purpose = "a picture that is shared"
  let image = try makeImage(
    device, size, textureFormat(plane), VK_IMAGE_TILING_OPTIMAL, exportedUsage, purpose,
    next: UnsafeRawPointer(arguments.pointer(external)))
  return try place(image, size, textureFormat(plane), purpose, device) { needs throws(Failure) in
    var export = VkExportMemoryAllocateInfo()
    export.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO
    export.pNext = UnsafeRawPointer(arguments.pointer(dedicated(to: image)))
    export.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT.rawValue
    return try DeviceMemory(
      device: device, byteCount: Int(needs.size), typeBits: needs.memoryTypeBits, wishes: [deviceLocal, 0],
      purpose: purpose, next: UnsafeRawPointer(arguments.pointer(export)), isMapped: false)
  }
}

/// Gives an image memory of its own, which another driver knows as well. Takes the image over, and destroys it on failure.
func place(
  _ image: VkImage, _ size: PictureSize, _ format: VkFormat, _ purpose: String, _ device: GPUDevice,
  in memory: (VkMemoryRequirements) throws(Failure) -> DeviceMemory
) throws(Failure) -> (GPUImage, DeviceMemory) {
  do throws(Failure) {
    var needs = VkMemoryRequirements()
    vkGetImageMemoryRequirements(device.handle, image, &needs)
    let memory = try memory(needs)
    try check(vkBindImageMemory(device.handle, image, memory.handle, 0), "bind \(purpose)")
    let placed = try GPUImage(
      device: device, adopting: image, size: size, format: format, layout: VK_IMAGE_LAYOUT_UNDEFINED)
    return (placed, memory)
  } catch {
    vkDestroyImage(device.handle, image, nil)
    throw error
  }
}

/// Drivers share memory that holds one image and nothing else.
func dedicated(to image: VkImage) -> VkMemoryDedicatedAllocateInfo {
  var info = VkMemoryDedicatedAllocateInfo()
  info.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO
  info.image = image
  return info
}

/// Brings new images into the general layout and gives them to the other driver, which raises the timeline to 1 later.
///
/// - Returns: the submitted commands that do so; to be kept until the timeline is at 1.
private func prepareImages(
  _ images: [GPUImage], _ handover: ExternalHandover, _ timeline: TimelineSemaphore, _ device: GPUDevice
) throws(Failure) -> CommandBuffer {
  let family = device.queues.drawing.family
  let commands = try CommandBuffer(device: device, family: family, purpose: "preparing a shared picture")
  let arguments = CallArguments()
  defer { arguments.end() }
  try commands.begin()
  device.debug.label(.prepare, commands.handle) {
    transition(
      images, to: VK_IMAGE_LAYOUT_GENERAL, commands.handle, arguments, from: (VK_PIPELINE_STAGE_2_NONE, 0),
      until: (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0))
    recordGivingBack(
      handover.begin(), by: family, reads: VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, commands.handle, arguments)
  }
  try commands.end()
  var buffer = VkCommandBufferSubmitInfo()
  buffer.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO
  buffer.commandBuffer = commands.handle
  var signal = VkSemaphoreSubmitInfo()
  signal.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO
  signal.semaphore = timeline.handle
  signal.value = 1
  signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT
  var info = VkSubmitInfo2()
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2
  info.commandBufferInfoCount = 1
  info.pCommandBufferInfos = arguments.pointer(buffer)
  info.signalSemaphoreInfoCount = 1
  info.pSignalSemaphoreInfos = arguments.pointer(signal)
  try check(device.submit(&info), "prepare a picture")
  return commands
}
