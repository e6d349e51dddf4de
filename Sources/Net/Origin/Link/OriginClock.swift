import NIOCore

/// Seconds since the origin's first request, on the monotonic clock. Used on the origin's event loop alone.
final class OriginClock {
  private var zero: NIODeadline?

  /// Begins to count, unless it has begun.
  func start(at instant: NIODeadline) {
    if zero == nil { zero = instant }
  }

  var hasBegun: Bool { zero != nil }

  /// 0 before it has begun.
  var now: Double { seconds(at: .now()) }

  func seconds(at instant: NIODeadline) -> Double {
    guard let zero else { return 0 }
    return Double((instant - zero).nanoseconds) / 1e9
  }

  /// The instant at that time; now where the clock has not begun. Times beyond a thousand years saturate.
  func instant(at seconds: Double) -> NIODeadline {
    guard let zero else { return .now() }
    return zero + .nanoseconds(Int64(min(max(seconds, -1e9), 3e9) * 1e9))
  }
}
