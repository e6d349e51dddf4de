import Synchronization

/// Device memory that this process holds. Thread-safe.
///
/// Where the driver tells what the process uses of the device's own heaps (`VK_EXT_memory_budget`), that is taken when
/// memory is allocated: it has what the driver keeps for itself. Elsewhere what was asked for is added up.
public enum MemoryUse {
  private struct State {
    var held = 0
    var peak: Int?
  }

  private static let state = Mutex(State())

  /// Bytes of device-local memory that this process held at most; nil as long as it has allocated none.
  public static var peak: Int? { state.withLock { $0.peak } }

  /// - Parameter told: bytes that the driver says are used now; nil where it tells nothing.
  static func took(_ bytes: Int, told: Int?) {
    state.withLock { state in
      state.held += bytes
      state.peak = max(state.peak ?? 0, told ?? state.held)
    }
  }

  static func gaveBack(_ bytes: Int) {
    state.withLock { $0.held -= bytes }
  }
}
