internal import CVulkan
import Frames

/// The queues that a device's work is submitted to. Thread-safe: one lock covers them, and decoders that the device is lent to
/// take it as well.
struct DeviceQueues: Sendable {
  struct Queue {
    let handle: VkQueue
    let family: UInt32
    /// How many bits of a timestamp count; 0: the queue has no timestamps.
    let timestampBits: UInt32
  }

  /// Draws, computes, and presents where the device was opened for a window.
  nonisolated(unsafe) let drawing: Queue
  /// Copies beside drawing; nil where no queue is for copies alone.
  nonisolated(unsafe) let copying: Queue?
  let lock = QueueLock()

  /// The families of both, each once.
  var families: [UInt32] { Self.families(drawing.family, copying?.family) }

  static func families(_ drawing: UInt32, _ copying: UInt32?) -> [UInt32] {
    [drawing] + (copying.map { $0 == drawing ? [] : [$0] } ?? [])
  }

  /// - Parameter copies: to the queue for copies, which there must be.
  func submit(_ info: inout VkSubmitInfo2, copies: Bool) -> VkResult {
    let queue = copies ? copying?.handle ?? drawing.handle : drawing.handle
    return lock.withLock { vkQueueSubmit2(queue, 1, &info, nil) }
  }

  func present(_ info: inout VkPresentInfoKHR) -> VkResult {
    lock.withLock { vkQueuePresentKHR(drawing.handle, &info) }
  }

  /// Waits for all that was submitted to the drawing queue and presented.
  func wait() { _ = lock.withLock { vkQueueWaitIdle(drawing.handle) } }
}
