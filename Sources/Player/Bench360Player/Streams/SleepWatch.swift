import Frames
import Glibc

/// Notices that the machine has slept: the clock since boot goes on then, the monotonic clock does not. Pure.
package struct SleepWatch: Sendable {
  /// Nanoseconds by which the clock since boot is ahead.
  private var lead: Int64?

  /// Shorter sleeps, in seconds, break no connection.
  private static let least = 2.0

  package init() {}

  /// How long the machine has slept since the last call, in seconds; nil: not at all.
  ///
  /// - Parameters:
  ///   - boot: CLOCK_BOOTTIME, in nanoseconds.
  ///   - monotonic: CLOCK_MONOTONIC, in nanoseconds.
  package mutating func slept(boot: Int64, monotonic: Int64) -> Double? {
    let now = boot - monotonic
    defer { lead = now }
    guard let lead, Double(now - lead) / 1e9 >= Self.least else { return nil }
    return Double(now - lead) / 1e9
  }

  /// CLOCK_BOOTTIME.
  package static var boot: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// `12 s`, `5 min`, `3 h`.
  package static func text(_ seconds: Double) -> String {
    seconds < 100 ? "\(Int(seconds)) s" : seconds < 5400 ? "\(Int(seconds / 60)) min" : "\(Int(seconds / 3600)) h"
  }
}
