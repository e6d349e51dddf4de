internal import CVulkan
import Frames

extension FrameRing {
  /// Upload, view, overlays, quads, readback, and a timestamp before and after each.
  ///
  /// - Parameters:
  ///   - samples: the samples still to be copied to `textures`, or `textures`.
  ///   - passage: how `textures` are acquired and released; nil: the device owns them.
  func record(
    _ work: Work, _ samples: Samples, _ textures: PictureTextures, _ passage: Passage?, in slot: FrameSlot,
    _ showing: Showing
  ) throws(Failure) {
    let commands = slot.commands.handle
    try slot.commands.begin()
    if case .buffer(let buffer) = samples {
      slot.timestamps.recordStart(of: .copying, commands)
      recordCopies(buffer, textures, commands, slot)
      slot.timestamps.recordEnd(of: .copying, commands)
    }
    if let passage {
      recordTaking(passage, by: device.queues.drawing.family, reads: interface.samplingStages, commands, slot.arguments)
    }
    transition(
      textures.images, to: textures.images.first.map(shaderLayout) ?? VK_IMAGE_LAYOUT_GENERAL, commands, slot.arguments,
      from: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT),
      until: (interface.samplingStages, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT))
    work.layer?.drawer.recordCopies(from: slot.quads.staging, commands, slot.arguments)
    let written = recordView(work, slot)
    if let passage {
      recordGivingBack(
        passage, by: device.queues.drawing.family, reads: interface.samplingStages, commands, slot.arguments)
    }
    if work.wantsPixels || showing.copiesTarget {
      transition(
        slot.target, to: VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, commands, slot.arguments, from: written,
        until: (moved, VK_ACCESS_2_TRANSFER_READ_BIT))
    }
    if work.wantsPixels { try recordReadback(slot) }
    if let acquired = showing.acquired { recordShowing(slot, on: acquired, commands) }
    try slot.commands.end()
  }

  /// The copies alone, for a queue of their own; shaders on another queue wait for its timeline.
  func recordCopiesApart(
    _ buffer: SampleBuffer, _ textures: PictureTextures, _ commands: CommandBuffer, _ slot: FrameSlot
  ) throws(Failure) {
    let isTimed = (device.queues.copying?.timestampBits ?? 0) > 0
    try commands.begin()
    if isTimed { slot.timestamps.recordStart(of: .copying, commands.handle) }
    recordCopies(buffer, textures, commands.handle, slot)
    if isTimed { slot.timestamps.recordEnd(of: .copying, commands.handle) }
    transition(
      textures.images, to: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, commands.handle, slot.arguments,
      from: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT), until: (VK_PIPELINE_STAGE_2_NONE, 0))
    try commands.end()
  }

  private func recordCopies(
    _ samples: SampleBuffer, _ textures: PictureTextures, _ commands: VkCommandBuffer, _ slot: FrameSlot
  ) {
    // The slot's last frame has finished, and this one replaces all of its texels.
    for image in textures.images { image.layout = VK_IMAGE_LAYOUT_UNDEFINED }
    device.debug.label(.upload, commands) {
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
  }

  /// The view and what lies over it; by what its target was written last.
  private func recordView(_ work: Work, _ slot: FrameSlot) -> Access {
    // The last frame in this slot may still be being read back when its target is drawn again.
    slot.target.layout = VK_IMAGE_LAYOUT_UNDEFINED
    let isDrawn = if case .draw = work.view { true } else { false }
    transition(
      slot.target, to: isDrawn ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_GENERAL,
      slot.commands.handle, slot.arguments, from: (moved, 0), until: isDrawn ? drawn : dispatched)
    slot.timestamps.recordStart(of: .drawing, slot.commands.handle)
    defer { slot.timestamps.recordEnd(of: .drawing, slot.commands.handle) }
    switch work.view {
    case .draw(let pipeline):
      recordDraws(pipeline, work, slot)
      return drawn
    case .dispatch(let pipeline):
      recordDispatch(pipeline, work.eye.region, 0, slot)
      if let other = work.otherEye { recordDispatch(pipeline, other.region, 1, slot) }
      guard !work.overlays.isEmpty || work.layer?.quads.isEmpty == false else { return dispatched }
      transition(
        slot.target, to: VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, slot.commands.handle, slot.arguments,
        from: dispatched,
        until: (drawn.stage, drawn.access | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT))
      recordDraws(nil, work, slot)
      return drawn
    }
  }

  private func recordDispatch(_ dispatch: DispatchPipeline, _ region: TargetRegion, _ view: Int, _ slot: FrameSlot) {
    device.debug.label(.view, slot.commands.handle) {
      vkCmdBindPipeline(slot.commands.handle, VK_PIPELINE_BIND_POINT_COMPUTE, dispatch.handle)
      slot.bindings.record(view, VK_PIPELINE_BIND_POINT_COMPUTE, dispatch.interface.layout, slot.commands.handle)
      let groups = dispatch.groups(for: region.size)
      vkCmdDispatch(slot.commands.handle, groups.x, groups.y, 1)
    }
  }

  /// - Parameter view: nil: the overlays lie over what is there.
  private func recordDraws(_ view: DrawPipeline?, _ work: Work, _ slot: FrameSlot) {
    let commands = slot.commands.handle
    recordRendering(to: slot, keepingWhatIsThere: view == nil, commands) {
      recordDraws(view, work.overlays, work.eye.region, 0, slot)
      if let other = work.otherEye { recordDraws(view, work.overlays, other.region, 1, slot) }
      if let layer = work.layer { recordQuads(layer, slot, commands) }
    }
  }

  /// Draws that `record` records go to the slot's target.
  func recordRendering(
    to slot: FrameSlot, keepingWhatIsThere keeps: Bool, _ commands: VkCommandBuffer, _ record: () -> Void
  ) {
    let size = slot.target.size
    var attachment = VkRenderingAttachmentInfo()
    attachment.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO
    attachment.imageView = slot.target.view
    attachment.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
    attachment.loadOp = keeps ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_DONT_CARE
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE
    var info = VkRenderingInfo()
    info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO
    info.renderArea.extent = VkExtent2D(width: UInt32(size.width), height: UInt32(size.height))
    info.layerCount = 1
    info.colorAttachmentCount = 1
    info.pColorAttachments = slot.arguments.pointer(attachment)
    vkCmdBeginRendering(commands, &info)
    record()
    vkCmdEndRendering(commands)
  }

  func recordQuads(_ layer: QuadLayer, _ slot: FrameSlot, _ commands: VkCommandBuffer) {
    guard !layer.quads.isEmpty, let instances = slot.quads.instances else { return }
    look(at: TargetRegion(size: slot.target.size), commands)
    device.debug.label(.overlay, commands) {
      layer.drawer.recordDraw(
        layer.quads.count, from: instances, target: slot.target.size, commands, slot.arguments)
    }
  }

  private func recordDraws(
    _ view: DrawPipeline?, _ overlays: [DrawPipeline], _ region: TargetRegion, _ eye: Int, _ slot: FrameSlot
  ) {
    look(at: region, slot.commands.handle)
    slot.bindings.record(eye, VK_PIPELINE_BIND_POINT_GRAPHICS, interface.layout, slot.commands.handle)
    if let view { device.debug.label(.view, slot.commands.handle) { record(view, slot) } }
    guard !overlays.isEmpty else { return }
    device.debug.label(.overlay, slot.commands.handle) { for overlay in overlays { record(overlay, slot) } }
  }

  /// Draws from now on fill `region` and stay in it.
  private func look(at region: TargetRegion, _ commands: VkCommandBuffer) {
    var viewport = VkViewport(
      x: Float(region.left), y: Float(region.top), width: Float(region.size.width), height: Float(region.size.height),
      minDepth: 0, maxDepth: 1)
    vkCmdSetViewport(commands, 0, 1, &viewport)
    var area = VkRect2D(
      offset: VkOffset2D(x: Int32(region.left), y: Int32(region.top)),
      extent: VkExtent2D(width: UInt32(region.size.width), height: UInt32(region.size.height)))
    vkCmdSetScissor(commands, 0, 1, &area)
  }

  private func record(_ draw: DrawPipeline, _ slot: FrameSlot) {
    vkCmdBindPipeline(slot.commands.handle, VK_PIPELINE_BIND_POINT_GRAPHICS, draw.handle)
    if let mesh = draw.mesh {
      mesh.draw(slot.commands.handle)
    } else {
      vkCmdDraw(slot.commands.handle, 3, 1, 0, 0)
    }
  }

  private func recordReadback(_ slot: FrameSlot) throws(Failure) {
    let buffer = try slot.readback.buffer(for: slot.target.size)
    device.debug.label(.readback, slot.commands.handle) {
      var region = wholeImageCopy(slot.target)
      vkCmdCopyImageToBuffer(
        slot.commands.handle, slot.target.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer.handle, 1, &region)
      memoryBarrier(
        slot.commands.handle, slot.arguments, from: (VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT),
        until: (VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT))
    }
  }
}

private func wholeImageCopy(_ image: GPUImage) -> VkBufferImageCopy {
  var region = VkBufferImageCopy()
  region.imageSubresource = wholeLayer
  region.imageExtent = VkExtent3D(width: UInt32(image.size.width), height: UInt32(image.size.height), depth: 1)
  return region
}
