internal import CVulkan
import Frames
import Synchronization

/// The other user of a picture's images, and how a draw acquires and releases them.
protocol Handover: AnyObject, Sendable {
  /// What a draw that is recorded now must do. Every one is followed by `end`, until which the other side leaves the images.
  func begin() -> Passage
  /// - Parameter isSubmitted: the draw went to the GPU.
  func end(isSubmitted: Bool)
}

/// How images pass to a draw, in the general layout, and back.
struct Passage {
  var images: [PassingImage] = []
  var waits: [TimelineValue] = []
  var signals: [TimelineValue] = []

  /// The most that a draw waits for, or raises: one for each plane.
  static let timelineLimit = 4
}

struct PassingImage {
  var image: VkImage
  /// That it is in before the draw, and after.
  var layouts: (before: VkImageLayout, after: VkImageLayout)
  /// The queue family that it comes from and goes to; `VK_QUEUE_FAMILY_IGNORED` where all have it.
  var family: UInt32
}

struct TimelineValue {
  var timeline: VkSemaphore
  var value: UInt64
}

/// Images that another driver, or another device, writes between two draws, in the general layout.
final class ExternalHandover: Handover, Sendable {
  /// Of one thread at a time, as the draws that read them are.
  private let images: [GPUImage]
  /// `VK_QUEUE_FAMILY_EXTERNAL` or `VK_QUEUE_FAMILY_FOREIGN_EXT`.
  private let family: UInt32
  /// The timeline that the writer raises; nil: the writer finishes before the first draw.
  private let timeline: TimelineSemaphore?
  private let awaited = Atomic<UInt64>(0)

  init(_ images: [GPUImage], family: UInt32, timeline: TimelineSemaphore?) {
    self.images = images
    self.family = family
    self.timeline = timeline
  }

  /// The last writer reaches this value of the timeline.
  func expect(_ value: UInt64) { awaited.store(value, ordering: .releasing) }

  func begin() -> Passage {
    var passage = Passage()
    passage.images = images.map { image in
      defer { image.layout = VK_IMAGE_LAYOUT_GENERAL }
      return PassingImage(image: image.handle, layouts: (image.layout, VK_IMAGE_LAYOUT_GENERAL), family: family)
    }
    let value = awaited.load(ordering: .acquiring)
    if let timeline, value > 0 { passage.waits = [TimelineValue(timeline: timeline.handle, value: value)] }
    return passage
  }

  func end(isSubmitted: Bool) {}
}

/// Records the acquisition of images, so that draws see what the other side wrote.
///
/// All stages on either side: draws of one picture by several submissions are kept apart by these barriers alone.
func recordTaking(
  _ passage: Passage, by ours: UInt32, reads: VkPipelineStageFlags2, _ commands: VkCommandBuffer,
  _ arguments: CallArguments
) {
  record(passage, commands, arguments) { image in
    var taking = barrier(
      image.image, from: image.layouts.before, to: VK_IMAGE_LAYOUT_GENERAL,
      from: (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0),
      until: (reads, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT))
    if !image.isOf(ours) { (taking.srcQueueFamilyIndex, taking.dstQueueFamilyIndex) = (image.family, ours) }
    return taking
  }
}

/// Records the release of images, so that all reads end before the other side writes again.
func recordGivingBack(
  _ passage: Passage, by ours: UInt32, reads: VkPipelineStageFlags2, _ commands: VkCommandBuffer,
  _ arguments: CallArguments
) {
  record(passage, commands, arguments) { image in
    var giving = barrier(
      image.image, from: VK_IMAGE_LAYOUT_GENERAL, to: image.layouts.after, from: (reads, 0),
      until: (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0))
    if !image.isOf(ours) { (giving.srcQueueFamilyIndex, giving.dstQueueFamilyIndex) = (ours, image.family) }
    return giving
  }
}

extension PassingImage {
  /// Work on queues of this family needs no change of owner.
  fileprivate func isOf(_ family: UInt32) -> Bool {
    self.family == family || self.family == VK_QUEUE_FAMILY_IGNORED
  }
}

private func record(
  _ passage: Passage, _ commands: VkCommandBuffer, _ arguments: CallArguments,
  _ barrier: (PassingImage) -> VkImageMemoryBarrier2
) {
  let barriers = arguments.reserve(VkImageMemoryBarrier2.self, passage.images.count)
  for (index, image) in passage.images.enumerated() { barriers[index] = barrier(image) }
  record(barriers, passage.images.count, commands)
}
