import Synchronization

/// A thread's progress, and whether it should go on. Any thread.
final class Progress: Sendable {
  private let permille = Atomic<Int>(0)
  /// 0: not known.
  private let left = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)

  /// From 0 to 1.
  var share: Double { Double(permille.load(ordering: .relaxed)) / 1000 }
  var isCancelled: Bool { isStopped.load(ordering: .relaxed) }

  /// Nil: not known.
  var secondsLeft: Int? {
    let left = left.load(ordering: .relaxed)
    return left > 0 ? left : nil
  }

  func set(_ share: Double, secondsLeft: Int? = nil) {
    permille.store(Int((min(max(share, 0), 1) * 1000).rounded()), ordering: .relaxed)
    left.store(secondsLeft ?? 0, ordering: .relaxed)
  }

  func cancel() { isStopped.store(true, ordering: .relaxed) }
}
