import GPU
import Synchronization

/// Loses the device or the surface of one window when a test wants it.
final class PlantedLosses: SurfaceLosses {
  /// How many more submissions, or presents, succeed; below zero: all do.
  private let submits = Atomic<Int>(-1)
  private let presents = Atomic<Int>(-1)

  /// The submission after `count` fails, once.
  func loseDevice(afterSubmits count: Int) { submits.store(count, ordering: .relaxed) }
  /// The present after `count` fails, once.
  func loseSurface(afterPresents count: Int) { presents.store(count, ordering: .relaxed) }

  func losesDevice() -> Bool { fails(submits) }
  func losesSurface() -> Bool { fails(presents) }

  private func fails(_ count: borrowing Atomic<Int>) -> Bool {
    guard count.load(ordering: .relaxed) >= 0 else { return false }
    return count.subtract(1, ordering: .relaxed).oldValue == 0
  }
}
