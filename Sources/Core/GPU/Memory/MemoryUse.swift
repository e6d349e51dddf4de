import Synchronization

/// Device memory that this process holds. Thread-safe.
///
/// Where the driver reports the process's use of the device's own heaps (`VK_EXT_memory_budget`), each allocation reads
/// the report, which includes the driver's own memory. Elsewhere the requested sizes are added up.
public enum MemoryUse {
  private static let tally = Mutex(MemoryTally())

  /// Bytes of device-local memory that this process held at most; nil as long as it has allocated none.
  public static var peak: Int? { tally.withLock { $0.peak } }

  /// Bytes of all allocations that live now, as they were requested.
  package static var held: Int { tally.withLock { $0.held } }

  /// - Parameter told: bytes that the driver says are used now; nil where it tells nothing.
  static func took(_ bytes: Int, told: Int?) {
    tally.withLock { $0.took(bytes, told: told) }
  }

  static func gaveBack(_ bytes: Int) {
    tally.withLock { $0.gaveBack(bytes) }
  }
}

/// What is held, and was at most.
package struct MemoryTally: Sendable {
  package private(set) var held = 0
  package private(set) var peak: Int?

  package init() {}

  package mutating func took(_ bytes: Int, told: Int?) {
    held += bytes
    peak = max(peak ?? 0, told ?? held)
  }

  package mutating func gaveBack(_ bytes: Int) { held -= bytes }
}
