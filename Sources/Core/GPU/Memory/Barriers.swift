internal import CVulkan
import Frames

/// Where in the pipeline memory is touched, and how.
typealias Access = (stage: VkPipelineStageFlags2, access: VkAccessFlags2)

/// What moves pictures: to buffers, and to images of another order of colours.
let moved: VkPipelineStageFlags2 = VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT
let drawn: Access = (
  VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT
)
let dispatched: Access = (VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT)

func memoryBarrier(
  _ commands: VkCommandBuffer, _ arguments: CallArguments, from: Access, until: Access
) {
  var barrier = VkMemoryBarrier2()
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2
  barrier.srcStageMask = from.stage
  barrier.srcAccessMask = from.access
  barrier.dstStageMask = until.stage
  barrier.dstAccessMask = until.access
  var dependency = VkDependencyInfo()
  dependency.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO
  dependency.memoryBarrierCount = 1
  dependency.pMemoryBarriers = arguments.pointer(barrier)
  vkCmdPipelineBarrier2(commands, &dependency)
}

/// Brings images into a layout, all with one barrier; nothing is recorded when they are there already.
func transition(
  _ images: [GPUImage], to layout: VkImageLayout, _ commands: VkCommandBuffer, _ arguments: CallArguments, from: Access,
  until: Access
) {
  let barriers = arguments.reserve(VkImageMemoryBarrier2.self, images.count)
  var count = 0
  for image in images where image.layout != layout {
    barriers[count] = barrier(image, to: layout, from: from, until: until)
    count += 1
    image.layout = layout
  }
  record(barriers, count, commands)
}

func transition(
  _ image: GPUImage, to layout: VkImageLayout, _ commands: VkCommandBuffer, _ arguments: CallArguments, from: Access,
  until: Access
) {
  guard image.layout != layout else { return }
  record(arguments.pointer(barrier(image, to: layout, from: from, until: until)), 1, commands)
  image.layout = layout
}

func record(_ barriers: UnsafePointer<VkImageMemoryBarrier2>, _ count: Int, _ commands: VkCommandBuffer) {
  guard count > 0 else { return }
  var dependency = VkDependencyInfo()
  dependency.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO
  dependency.imageMemoryBarrierCount = UInt32(count)
  dependency.pImageMemoryBarriers = barriers
  vkCmdPipelineBarrier2(commands, &dependency)
}

func barrier(
  _ image: GPUImage, to layout: VkImageLayout, from: Access, until: Access
) -> VkImageMemoryBarrier2 {
  barrier(image.handle, from: image.layout, to: layout, from: from, until: until)
}

func barrier(
  _ image: VkImage, from old: VkImageLayout, to layout: VkImageLayout, from: Access, until: Access
) -> VkImageMemoryBarrier2 {
  var barrier = VkImageMemoryBarrier2()
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2
  barrier.srcStageMask = from.stage
  barrier.srcAccessMask = from.access
  barrier.dstStageMask = until.stage
  barrier.dstAccessMask = until.access
  barrier.oldLayout = old
  barrier.newLayout = layout
  barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED
  barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED
  barrier.image = image
  barrier.subresourceRange = wholeImage
  return barrier
}
