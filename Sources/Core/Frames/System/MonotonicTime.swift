import Glibc

/// An instant of CLOCK_MONOTONIC in nanoseconds: comparable between the processes of one boot.
public struct MonotonicTime: Hashable, Comparable, Sendable, Codable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// This instant. Any thread.
  public static var now: MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Milliseconds from `earlier` to this instant.
  public func milliseconds(since earlier: MonotonicTime) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e6
  }

  /// Seconds from `earlier` to this instant; negative where that is later.
  public func seconds(since earlier: MonotonicTime) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }

  /// The instant `milliseconds` later; fractions of a nanosecond are truncated.
  public func advanced(byMilliseconds milliseconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: nanoseconds + Int64(milliseconds * 1e6))
  }

  public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }
}
