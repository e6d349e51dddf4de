internal import CVulkan
import Frames
import Synchronization

/// Who else writes a picture's images, and what draws wait for.
///
/// Each draw takes the images over from the other driver before it reads them, and gives them back after: between two draws
/// they are the other one's, in the general layout.
final class Handover: Sendable {
  /// `VK_QUEUE_FAMILY_EXTERNAL` or `VK_QUEUE_FAMILY_FOREIGN_EXT`.
  let family: UInt32
  /// What the writer raises; nil: it has finished before anybody draws.
  let timeline: Timeline?
  private let awaited = Atomic<UInt64>(0)

  init(family: UInt32, timeline: Timeline?) {
    self.family = family
    self.timeline = timeline
  }

  /// The value of the timeline that the last writer reaches; 0: there was none.
  var value: UInt64 { awaited.load(ordering: .acquiring) }

  func expect(_ value: UInt64) { awaited.store(value, ordering: .releasing) }
}

/// How images pass between us and the other driver.
enum HandoverStep { case take, giveBack }

/// Records that images pass, so that what the other driver wrote is seen, and nothing is read any more when it writes again.
///
/// All stages on either side: draws of one picture by several submissions are kept apart by these barriers alone.
func record(
  _ step: HandoverStep, _ textures: PictureTextures, ours: UInt32, reads: VkPipelineStageFlags2,
  _ commands: VkCommandBuffer, _ arguments: CallArguments
) {
  guard let handover = textures.handover else { return }
  let barriers = arguments.reserve(VkImageMemoryBarrier2.self, textures.images.count)
  let everything = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT
  for (index, image) in textures.images.enumerated() {
    let isTaken = step == .take
    let reading: Access = (reads, isTaken ? VK_ACCESS_2_SHADER_SAMPLED_READ_BIT : 0)
    let from: Access = isTaken ? (everything, 0) : reading
    let until: Access = isTaken ? reading : (everything, 0)
    barriers[index] = barrier(image, to: VK_IMAGE_LAYOUT_GENERAL, from: from, until: until)
    barriers[index].srcQueueFamilyIndex = isTaken ? handover.family : ours
    barriers[index].dstQueueFamilyIndex = isTaken ? ours : handover.family
    image.layout = VK_IMAGE_LAYOUT_GENERAL
  }
  record(barriers, textures.images.count, commands)
}
