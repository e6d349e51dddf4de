#if BENCH360_PLANTED_DELAY
  import Glibc
#endif

/// A slowdown of known size, to show that `ab` and `compare` find one. There is none in any build but those made with
/// `-Xswiftc -DBENCH360_PLANTED_DELAY`, which take it from the environment: `BENCH360_PLANTED_DECODE=5` and
/// `BENCH360_PLANTED_RENDER=10`, in percent.
package enum PlantedDelay {
  #if BENCH360_PLANTED_DELAY
    private static let decodeShare = share("BENCH360_PLANTED_DECODE")
    package static let renderShare = share("BENCH360_PLANTED_RENDER")

    private static func share(_ variable: String) -> Double {
      getenv(variable).flatMap { Double(String(cString: $0)) }.map { max(0, $0) / 100 } ?? 0
    }

    /// Does the work, then keeps the thread busy for its share of the time that took.
    package static func decode<Result>(_ work: () -> Result) -> Result {
      let start = MonotonicTime.now
      let result = work()
      let end = MonotonicTime.now
      let share = end.milliseconds(since: start) * decodeShare
      while MonotonicTime.now.milliseconds(since: end) < share {}
      return result
    }
  #else
    /// How much of the target is drawn twice.
    package static let renderShare = 0.0

    @inline(__always) package static func decode<Result>(_ work: () -> Result) -> Result { work() }
  #endif
}
