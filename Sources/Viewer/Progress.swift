import Synchronization

/// A thread's progress, and whether it should go on. Any thread.
final class Progress: Sendable {
  private let permille = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)

  /// From 0 to 1.
  var share: Double { Double(permille.load(ordering: .relaxed)) / 1000 }
  var isCancelled: Bool { isStopped.load(ordering: .relaxed) }

  func set(_ share: Double) { permille.store(Int((min(max(share, 0), 1) * 1000).rounded()), ordering: .relaxed) }
  func cancel() { isStopped.store(true, ordering: .relaxed) }
}
