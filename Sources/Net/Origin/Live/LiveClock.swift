import Dispatch
import Glibc

/// The wall clock of a live origin, in nanoseconds since 1970: the machine's, or one that a test begins where it likes and lets run
/// faster. A value, from any thread.
public struct LiveClock: Sendable {
  private let zero: Int64
  private let monotonicZero: UInt64
  /// Seconds of this clock in one of the machine's.
  private let speed: Double

  /// - Parameters:
  ///   - nanoseconds: what it shows now; nil: the machine's wall clock.
  ///   - speed: more than 0.
  public init(startingAt nanoseconds: Int64? = nil, speed: Double = 1) {
    zero = nanoseconds ?? Self.machine
    monotonicZero = DispatchTime.now().uptimeNanoseconds
    self.speed = max(speed, 1e-6)
  }

  public var now: Int64 {
    let passed = Double(DispatchTime.now().uptimeNanoseconds - monotonicZero)
    return zero + Int64(speed == 1 ? passed : passed * speed)
  }

  /// Seconds of the machine until it shows that; 0 where it does.
  func seconds(until nanoseconds: Int64) -> Double { max(0, Double(nanoseconds - now) / speed / 1e9) }

  private static var machine: Int64 {
    var instant = timespec()
    clock_gettime(CLOCK_REALTIME, &instant)
    return Int64(instant.tv_sec) * 1_000_000_000 + Int64(instant.tv_nsec)
  }
}

/// Dates as ISO 8601 writes them, in UTC.
package enum LiveDate {
  /// `2026-11-22T10:00:00.250Z`, rounded to milliseconds.
  package static func text(_ nanoseconds: Int64) -> String {
    let milliseconds = (nanoseconds + 500_000) / 1_000_000
    var time = time_t(milliseconds / 1000)
    var parts = tm()
    gmtime_r(&time, &parts)
    return padded(Int(parts.tm_year) + 1900, 4) + "-" + padded(Int(parts.tm_mon) + 1, 2) + "-"
      + padded(Int(parts.tm_mday), 2) + "T" + padded(Int(parts.tm_hour), 2) + ":" + padded(Int(parts.tm_min), 2) + ":"
      + padded(Int(parts.tm_sec), 2) + "." + padded(Int(milliseconds % 1000), 3) + "Z"
  }

  static func padded(_ number: Int, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
