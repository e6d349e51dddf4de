internal import CVulkan
import Frames

extension FrameRing {
  /// Copies the slot's target to a window's image, pixel by pixel where both have the same size, else scaled.
  ///
  /// The target is in the layout for copying from, and the image is waited for at this stage.
  func recordShowing(_ slot: FrameSlot, on acquired: Swapchain.Acquired) {
    let (commands, arguments) = (slot.commands.handle, slot.arguments)
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
