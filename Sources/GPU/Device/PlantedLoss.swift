internal import CVulkan
import Synchronization

/// A device or a surface that seems lost, for tests of what comes after: nothing else can be lost here when it is wanted.
///
/// Of this whole process, but only devices that were opened for a window seem lost: tests of windows run one after the
/// other, and the others beside them draw on.
package enum PlantedLoss {
  /// How many more submissions, or presents, go well; below zero: all do.
  private static let submits = Atomic<Int>(-1)
  private static let presents = Atomic<Int>(-1)

  /// The submission after so many fails as if the device was lost, once.
  package static func loseDevice(afterSubmits count: Int) { submits.store(count, ordering: .relaxed) }
  /// The present after so many fails as if the surface was lost, once.
  package static func loseSurface(afterPresents count: Int) { presents.store(count, ordering: .relaxed) }

  static func submit() -> VkResult? { passes(submits) ? nil : VK_ERROR_DEVICE_LOST }
  static func present() -> VkResult? { passes(presents) ? nil : VK_ERROR_SURFACE_LOST_KHR }

  private static func passes(_ count: borrowing Atomic<Int>) -> Bool {
    guard count.load(ordering: .relaxed) >= 0 else { return true }
    return count.subtract(1, ordering: .relaxed).oldValue > 0
  }
}
