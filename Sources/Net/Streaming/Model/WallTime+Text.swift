import FoundationEssentials
import Frames
import Glibc

extension WallTime {
  /// `2026-11-22T10:00:00.250Z`: UTC, in milliseconds, rounded down.
  package var text: String {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var (whole, nanoseconds) = (time_t(seconds), rest)
    if nanoseconds < 0 { (whole, nanoseconds) = (whole - 1, nanoseconds + 1_000_000_000) }
    var parts = tm()
    gmtime_r(&whole, &parts)
    func padded(_ value: Int32, _ count: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    let date = "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
    let time = "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
    return "\(date)T\(time).\(padded(Int32(nanoseconds / 1_000_000), 3))Z"
  }
}
