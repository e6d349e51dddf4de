internal import CVulkan
import Frames

extension FrameRing {
  /// Upload, view, overlays, quads, readback, and a timestamp before and after each.
  ///
  /// - Parameters:
  ///   - samples: what is still to be copied to `textures`, or those.
  ///   - passage: how those get here and back; nil: they are ours.
  ///   - acquired: what the view is shown on as well.
  func record(
    _ work: Work, _ samples: Samples, _ textures: PictureTextures, _ passage: Passage?, in slot: FrameSlot,
    showing acquired: Swapchain.Acquired?
  ) throws(Failure) {
    let commands = slot.commands
    try begin(commands)
    if case .buffer(let buffer) = samples {
      stamp(0, commands, slot)
      recordCopies(buffer, textures, commands, slot)
      stamp(1, commands, slot)
    }
    if let passage {
      recordTaking(passage, by: device.queueFamily, reads: interface.samplingStages, commands, slot.arguments)
    }
    transition(
      textures.images, to: textures.images.first.map(shaderLayout) ?? VK_IMAGE_LAYOUT_GENERAL, commands, slot.arguments,
      from: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT),
      until: (interface.samplingStages, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT))
    work.layer?.drawer.recordCopies(from: slot.quads.staging, commands, slot.arguments)
    let written = recordView(work, slot)
    if let passage {
      recordGivingBack(passage, by: device.queueFamily, reads: interface.samplingStages, commands, slot.arguments)
    }
    if work.wantsPixels || acquired != nil {
      transition(
        slot.target, to: VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, commands, slot.arguments, from: written,
        until: (moved, VK_ACCESS_2_TRANSFER_READ_BIT))
    }
    if work.wantsPixels { try recordReadback(slot) }
    if let acquired { recordShowing(slot, on: acquired) }
    try check(vkEndCommandBuffer(commands), "record commands")
  }

  /// The copies alone, for a queue of their own; shaders on another queue wait for its timeline.
  func recordCopiesApart(
    _ buffer: SampleBuffer, _ textures: PictureTextures, _ commands: VkCommandBuffer, _ slot: FrameSlot
  ) throws(Failure) {
    let isTimed = (device.copyQueue?.timestampBits ?? 0) > 0
    try begin(commands)
    if isTimed { stamp(0, commands, slot) }
    recordCopies(buffer, textures, commands, slot)
    if isTimed { stamp(1, commands, slot) }
    transition(
      textures.images, to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, commands, slot.arguments,
      from: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT), until: (VK_PIPELINE_STAGE_2_NONE, 0))
    try check(vkEndCommandBuffer(commands), "record commands")
  }

  func begin(_ commands: VkCommandBuffer) throws(Failure) {
    var begin = VkCommandBufferBeginInfo()
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT.rawValue
    try check(vkBeginCommandBuffer(commands, &begin), "record commands")
  }

  private func stamp(_ query: UInt32, _ commands: VkCommandBuffer, _ slot: FrameSlot) {
    vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, slot.queries, query)
  }

  private func recordCopies(
    _ samples: SampleBuffer, _ textures: PictureTextures, _ commands: VkCommandBuffer, _ slot: FrameSlot
  ) {
    // The slot's last frame is done with, and all of it is replaced.
    for image in textures.images { image.layout = VK_IMAGE_LAYOUT_UNDEFINED }
    transition(
      textures.images, to: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, commands, slot.arguments,
      from: (VK_PIPELINE_STAGE_2_NONE, 0), until: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT))
    for (image, plane) in zip(textures.images, samples.planes) {
      var region = wholeImageCopy(image)
      region.bufferOffset = VkDeviceSize(plane.offset)
      region.bufferRowLength = UInt32(plane.rowTexels)
      vkCmdCopyBufferToImage(
        commands, samples.buffer.handle, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region)
    }
  }

  /// The view and what lies over it; by what its target was written last.
  private func recordView(_ work: Work, _ slot: FrameSlot) -> Access {
    // The last frame in this slot may still be being read back when its target is drawn again.
    slot.target.layout = VK_IMAGE_LAYOUT_UNDEFINED
    let isDrawn = if case .draw = work.view { true } else { false }
    transition(
      slot.target, to: isDrawn ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_GENERAL,
      slot.commands, slot.arguments, from: (moved, 0), until: isDrawn ? drawn : dispatched)
    stamp(2, slot.commands, slot)
    defer { stamp(3, slot.commands, slot) }
    switch work.view {
    case .draw(let pipeline):
      recordDraws(pipeline, work, slot)
      return drawn
    case .dispatch(let pipeline):
      recordDispatch(pipeline, work.eye.region, 0, slot)
      if let other = work.otherEye { recordDispatch(pipeline, other.region, 1, slot) }
      guard !work.overlays.isEmpty || work.layer?.quads.isEmpty == false else { return dispatched }
      transition(
        slot.target, to: VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, slot.commands, slot.arguments, from: dispatched,
        until: (drawn.stage, drawn.access | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT))
      recordDraws(nil, work, slot)
      return drawn
    }
  }

  private func recordDispatch(_ dispatch: DispatchPipeline, _ region: TargetRegion, _ view: Int, _ slot: FrameSlot) {
    vkCmdBindPipeline(slot.commands, VK_PIPELINE_BIND_POINT_COMPUTE, dispatch.handle)
    bind(slot, view, VK_PIPELINE_BIND_POINT_COMPUTE, dispatch.interface)
    let groups = dispatch.groups(for: region.size)
    vkCmdDispatch(slot.commands, groups.x, groups.y, 1)
    if PlantedDelay.renderShare > 0 {
      memoryBarrier(slot.commands, slot.arguments, from: dispatched, until: dispatched)
      vkCmdDispatch(slot.commands, groups.x, UInt32(Double(groups.y) * PlantedDelay.renderShare), 1)
    }
  }

  /// - Parameter view: nil: the overlays lie over what is there.
  private func recordDraws(_ view: DrawPipeline?, _ work: Work, _ slot: FrameSlot) {
    let arguments = slot.arguments
    var attachment = VkRenderingAttachmentInfo()
    attachment.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO
    attachment.imageView = slot.target.view
    attachment.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
    attachment.loadOp = view == nil ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_DONT_CARE
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE
    var info = VkRenderingInfo()
    info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO
    info.renderArea.extent = VkExtent2D(width: UInt32(targetSize.width), height: UInt32(targetSize.height))
    info.layerCount = 1
    info.colorAttachmentCount = 1
    info.pColorAttachments = arguments.pointer(attachment)
    vkCmdBeginRendering(slot.commands, &info)
    recordDraws(view, work.overlays, work.eye.region, 0, slot)
    if let other = work.otherEye { recordDraws(view, work.overlays, other.region, 1, slot) }
    if let layer = work.layer { recordQuads(layer, slot) }
    vkCmdEndRendering(slot.commands)
  }

  private func recordQuads(_ layer: QuadLayer, _ slot: FrameSlot) {
    guard !layer.quads.isEmpty, let instances = slot.quads.instances else { return }
    look(at: TargetRegion(size: targetSize), slot)
    layer.drawer.recordDraw(
      layer.quads.count, from: instances, target: targetSize, slot.commands, slot.arguments)
  }

  private func recordDraws(
    _ view: DrawPipeline?, _ overlays: [DrawPipeline], _ region: TargetRegion, _ eye: Int, _ slot: FrameSlot
  ) {
    look(at: region, slot)
    bind(slot, eye, VK_PIPELINE_BIND_POINT_GRAPHICS, interface)
    if let view {
      record(view, slot)
      if PlantedDelay.renderShare > 0 {
        var share = region
        share.size.height = Int(Double(region.size.height) * PlantedDelay.renderShare)
        confine(slot, to: share)
        record(view, slot)
        confine(slot, to: region)
      }
    }
    for overlay in overlays { record(overlay, slot) }
  }

  /// Draws from now on fill `region` and stay in it.
  private func look(at region: TargetRegion, _ slot: FrameSlot) {
    var viewport = VkViewport(
      x: Float(region.left), y: Float(region.top), width: Float(region.size.width), height: Float(region.size.height),
      minDepth: 0, maxDepth: 1)
    vkCmdSetViewport(slot.commands, 0, 1, &viewport)
    confine(slot, to: region)
  }

  private func confine(_ slot: FrameSlot, to region: TargetRegion) {
    var area = VkRect2D(
      offset: VkOffset2D(x: Int32(region.left), y: Int32(region.top)),
      extent: VkExtent2D(width: UInt32(region.size.width), height: UInt32(region.size.height)))
    vkCmdSetScissor(slot.commands, 0, 1, &area)
  }

  /// What the shaders of one eye's view read.
  private func bind(_ slot: FrameSlot, _ eye: Int, _ point: VkPipelineBindPoint, _ interface: ShaderInterface) {
    var set: VkDescriptorSet? = slot.descriptors
    var offset = UInt32(eye * FrameSlot.uniformStride)
    vkCmdBindDescriptorSets(slot.commands, point, interface.layout, 0, 1, &set, 1, &offset)
  }

  private func record(_ draw: DrawPipeline, _ slot: FrameSlot) {
    vkCmdBindPipeline(slot.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draw.handle)
    if let mesh = draw.mesh {
      mesh.draw(slot.commands)
    } else {
      vkCmdDraw(slot.commands, 3, 1, 0, 0)
    }
  }

  private func recordReadback(_ slot: FrameSlot) throws(Failure) {
    let buffer = try slot.readbackBuffer()
    var region = wholeImageCopy(slot.target)
    vkCmdCopyImageToBuffer(
      slot.commands, slot.target.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer.handle, 1, &region)
    memoryBarrier(
      slot.commands, slot.arguments, from: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT),
      until: (VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT))
  }
}

private func wholeImageCopy(_ image: GPUImage) -> VkBufferImageCopy {
  var region = VkBufferImageCopy()
  region.imageSubresource = wholeLayer
  region.imageExtent = VkExtent3D(width: UInt32(image.size.width), height: UInt32(image.size.height), depth: 1)
  return region
}
