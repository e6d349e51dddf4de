import Frames
import Glibc

/// Waits for a state that can be observed: the one place in which tests pause, between two looks.
public enum Patience {
  /// How long a loaded machine may take for anything.
  public static let seconds = 60.0

  /// Looks until `isThere` says so; false where it never did in time.
  public static func until(
    seconds: Double = seconds, every milliseconds: Int = 10, _ isThere: () throws -> Bool
  ) rethrows -> Bool {
    try value(seconds: seconds, every: milliseconds) { try isThere() ? true : nil } ?? false
  }

  /// Passes that time, for a task that ends others then.
  public static func pass() async throws { try await Task.sleep(for: .seconds(seconds)) }

  /// Looks until there is a value; nil where there was none in time.
  public static func value<Value>(
    seconds: Double = seconds, every milliseconds: Int = 10, _ look: () throws -> Value?
  ) rethrows -> Value? {
    let end = MonotonicTime.now.advanced(byMilliseconds: seconds * 1000)
    while true {
      if let value = try look() { return value }
      guard MonotonicTime.now < end else { return nil }
      usleep(UInt32(milliseconds) * 1000)
    }
  }
}
