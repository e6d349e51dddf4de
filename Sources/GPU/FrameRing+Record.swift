internal import CVulkan
import Frames

extension FrameRing {
  /// Upload, dispatch, draws, readback, and a timestamp before and after each.
  func record(
    _ work: Work, _ textures: PictureTextures, isCopied: Bool, in slot: FrameSlot
  ) throws(Failure) {
    let commands = slot.commands
    var begin = VkCommandBufferBeginInfo()
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT.rawValue
    try check(vkBeginCommandBuffer(commands, &begin), "record commands")
    vkCmdResetQueryPool(commands, slot.queries, 0, FrameSlot.queryCount)
    stamp(0, slot)
    if isCopied { recordCopies(textures, slot) }
    stamp(1, slot)
    for image in textures.images {
      transition(
        image, to: shaderLayout(image), commands, from: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT),
        until: (interface.samplingStages, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT))
    }
    // The last frame in this slot may still be being read back when its target is drawn again.
    slot.target.layout = VK_IMAGE_LAYOUT_UNDEFINED
    let written = work.dispatch == nil ? drawn : dispatched
    transition(
      slot.target, to: work.dispatch == nil ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_GENERAL,
      commands, from: (VK_PIPELINE_STAGE_2_COPY_BIT, 0), until: written)
    stamp(2, slot)
    if let dispatch = work.dispatch { recordDispatch(dispatch, slot) }
    if !work.draws.isEmpty {
      transition(
        slot.target, to: VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, commands, from: dispatched,
        until: (drawn.stage, drawn.access | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT))
      recordDraws(work.draws, over: work.dispatch != nil, slot)
    }
    stamp(3, slot)
    if work.wantsPixels { try recordReadback(slot, after: work.draws.isEmpty ? dispatched : drawn) }
    try check(vkEndCommandBuffer(commands), "record commands")
  }

  private func stamp(_ query: UInt32, _ slot: FrameSlot) {
    vkCmdWriteTimestamp2(slot.commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, slot.queries, query)
  }

  private func recordCopies(_ textures: PictureTextures, _ slot: FrameSlot) {
    guard let copied = slot.copied else { return }
    for (image, offset) in zip(textures.images, copied.offsets) {
      transition(
        image, to: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, slot.commands,
        from: (interface.samplingStages, 0),
        until: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT))
      var region = wholeImageCopy(image)
      region.bufferOffset = VkDeviceSize(offset)
      vkCmdCopyBufferToImage(
        slot.commands, copied.staging.handle, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region)
    }
  }

  private func recordDispatch(_ dispatch: DispatchPipeline, _ slot: FrameSlot) {
    var set: VkDescriptorSet? = slot.descriptors
    vkCmdBindPipeline(slot.commands, VK_PIPELINE_BIND_POINT_COMPUTE, dispatch.handle)
    vkCmdBindDescriptorSets(
      slot.commands, VK_PIPELINE_BIND_POINT_COMPUTE, dispatch.interface.layout, 0, 1, &set, 0, nil)
    let groups = dispatch.groups(for: targetSize)
    vkCmdDispatch(slot.commands, groups.x, groups.y, 1)
    if PlantedDelay.renderShare > 0 {
      memoryBarrier(slot.commands, from: dispatched, until: dispatched)
      vkCmdDispatch(slot.commands, groups.x, UInt32(Double(groups.y) * PlantedDelay.renderShare), 1)
    }
  }

  /// - Parameter over: keep what is there.
  private func recordDraws(_ draws: [DrawPipeline], over: Bool, _ slot: FrameSlot) {
    let arguments = CallArguments()
    defer { arguments.end() }
    var attachment = VkRenderingAttachmentInfo()
    attachment.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO
    attachment.imageView = slot.target.view
    attachment.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
    attachment.loadOp = over ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_DONT_CARE
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE
    let extent = VkExtent2D(width: UInt32(targetSize.width), height: UInt32(targetSize.height))
    var area = VkRect2D(offset: VkOffset2D(x: 0, y: 0), extent: extent)
    var info = VkRenderingInfo()
    info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO
    info.renderArea = area
    info.layerCount = 1
    info.colorAttachmentCount = 1
    info.pColorAttachments = arguments.pointer(attachment)
    vkCmdBeginRendering(slot.commands, &info)
    var viewport = VkViewport(
      x: 0, y: 0, width: Float(targetSize.width), height: Float(targetSize.height), minDepth: 0, maxDepth: 1)
    vkCmdSetViewport(slot.commands, 0, 1, &viewport)
    vkCmdSetScissor(slot.commands, 0, 1, &area)
    record(draws, slot)
    if PlantedDelay.renderShare > 0 {
      area.extent.height = UInt32(Double(area.extent.height) * PlantedDelay.renderShare)
      vkCmdSetScissor(slot.commands, 0, 1, &area)
      record(draws, slot)
    }
    vkCmdEndRendering(slot.commands)
  }

  private func record(_ draws: [DrawPipeline], _ slot: FrameSlot) {
    for draw in draws {
      var set: VkDescriptorSet? = slot.descriptors
      vkCmdBindPipeline(slot.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draw.handle)
      vkCmdBindDescriptorSets(
        slot.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draw.interface.layout, 0, 1, &set, 0, nil)
      vkCmdDraw(slot.commands, 3, 1, 0, 0)
    }
  }

  private func recordReadback(_ slot: FrameSlot, after written: Access) throws(Failure) {
    let buffer = try slot.readbackBuffer()
    transition(
      slot.target, to: VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, slot.commands,
      from: written, until: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT))
    var region = wholeImageCopy(slot.target)
    vkCmdCopyImageToBuffer(
      slot.commands, slot.target.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer.handle, 1, &region)
    memoryBarrier(
      slot.commands, from: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT),
      until: (VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT))
  }
}

private typealias Access = (stage: VkPipelineStageFlags2, access: VkAccessFlags2)

private let drawn: Access = (
  VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT
)
private let dispatched: Access = (VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT)

private func memoryBarrier(_ commands: VkCommandBuffer, from: Access, until: Access) {
  let arguments = CallArguments()
  defer { arguments.end() }
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

/// Brings an image into a layout; nothing is recorded when it is there already.
private func transition(
  _ image: GPUImage, to layout: VkImageLayout, _ commands: VkCommandBuffer, from: Access, until: Access
) {
  guard image.layout != layout else { return }
  let arguments = CallArguments()
  defer { arguments.end() }
  var barrier = VkImageMemoryBarrier2()
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2
  barrier.srcStageMask = from.stage
  barrier.srcAccessMask = from.access
  barrier.dstStageMask = until.stage
  barrier.dstAccessMask = until.access
  barrier.oldLayout = image.layout
  barrier.newLayout = layout
  barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED
  barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED
  barrier.image = image.handle
  barrier.subresourceRange = wholeImage
  var dependency = VkDependencyInfo()
  dependency.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO
  dependency.imageMemoryBarrierCount = 1
  dependency.pImageMemoryBarriers = arguments.pointer(barrier)
  vkCmdPipelineBarrier2(commands, &dependency)
  image.layout = layout
}

private func wholeImageCopy(_ image: GPUImage) -> VkBufferImageCopy {
  var region = VkBufferImageCopy()
  region.imageSubresource = VkImageSubresourceLayers(
    aspectMask: VK_IMAGE_ASPECT_COLOR_BIT.rawValue, mipLevel: 0, baseArrayLayer: 0, layerCount: 1)
  region.imageExtent = VkExtent3D(width: UInt32(image.size.width), height: UInt32(image.size.height), depth: 1)
  return region
}
