internal import CVulkan
import Frames

extension FrameRing {
  /// The destination of the view being recorded.
  enum Showing {
    case nowhere
    case on(Swapchain.Acquired)
    /// Where `recordShow` says.
    case later

    var acquired: Swapchain.Acquired? { if case .on(let acquired) = self { acquired } else { nil } }
    /// The target is left in the layout for copying from.
    var copiesTarget: Bool { if case .nowhere = self { false } else { true } }
  }

  /// What is drawn over a prepared view when it is shown, and the copy to the window's image.
  ///
  /// The target is in the layout for copying from, and left in it.
  func recordShow(
    _ slot: FrameSlot, _ layer: QuadLayer?, on acquired: Swapchain.Acquired, _ buffer: CommandBuffer
  ) throws(Failure) {
    let (commands, arguments) = (buffer.handle, slot.arguments)
    try buffer.begin()
    layer?.drawer.recordCopies(from: slot.quads.staging, commands, arguments)
    if let layer, !layer.quads.isEmpty {
      transition(
        slot.target, to: VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, commands, arguments, from: (moved, 0),
        until: (drawn.stage, drawn.access | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT))
      slot.timestamps.recordStart(of: .overlaying, commands)
      recordRendering(to: slot, keepingWhatIsThere: true, commands) { recordQuads(layer, slot, commands) }
      slot.timestamps.recordEnd(of: .overlaying, commands)
      transition(
        slot.target, to: VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, commands, arguments, from: drawn,
        until: (moved, VK_ACCESS_2_TRANSFER_READ_BIT))
    }
    recordShowing(slot, on: acquired, commands)
    try buffer.end()
  }

  /// Copies the slot's target to a window's image, pixel by pixel where both have the same size, else scaled.
  ///
  /// The target is in the layout for copying from, and the image is waited for at this stage.
  func recordShowing(_ slot: FrameSlot, on acquired: Swapchain.Acquired, _ commands: VkCommandBuffer) {
    device.debug.label(.show, commands) { recordCopy(of: slot, to: acquired, commands) }
  }

  private func recordCopy(of slot: FrameSlot, to acquired: Swapchain.Acquired, _ commands: VkCommandBuffer) {
    let arguments = slot.arguments
    let blit = VK_PIPELINE_STAGE_2_BLIT_BIT
    GPU.record(
      arguments.pointer(
        barrier(
          acquired.image, from: VK_IMAGE_LAYOUT_UNDEFINED, to: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, from: (blit, 0),
          until: (blit, VK_ACCESS_2_TRANSFER_WRITE_BIT))), 1, commands)
    let (from, to) = (slot.target.size, acquired.images.size)
    var region = VkImageBlit()
    region.srcSubresource = wholeLayer
    region.dstSubresource = wholeLayer
    region.srcOffsets.1 = VkOffset3D(x: Int32(from.width), y: Int32(from.height), z: 1)
    region.dstOffsets.1 = VkOffset3D(x: Int32(to.width), y: Int32(to.height), z: 1)
    vkCmdBlitImage(
      commands, slot.target.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, acquired.image,
      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region, from == to ? VK_FILTER_NEAREST : VK_FILTER_LINEAR)
    GPU.record(
      arguments.pointer(
        barrier(
          acquired.image, from: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, to: VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
          from: (blit, VK_ACCESS_2_TRANSFER_WRITE_BIT), until: (VK_PIPELINE_STAGE_2_NONE, 0))), 1, commands)
  }
}
