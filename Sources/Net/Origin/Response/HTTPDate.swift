import Glibc

/// Dates as HTTP writes them: IMF-fixdate of RFC 9110, section 5.6.7.
package enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// `Sun, 06 Nov 1994 08:49:37 GMT`; years outside 1970 to 9999 are clamped.
  package static func text(secondsSince1970 seconds: Int64) -> String {
    var time = time_t(min(max(0, seconds), 253_402_300_799))
    var parts = tm()
    gmtime_r(&time, &parts)
    let (day, month) = (days[Int(parts.tm_wday)], months[Int(parts.tm_mon)])
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { twoDigits($0) }.joined(separator: ":")
    return "\(day), \(twoDigits(parts.tm_mday)) \(month) \(parts.tm_year + 1900) \(clock) GMT"
  }

  /// Nil for any other form; the obsolete ones are ignored, as a recipient may.
  package static func seconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT", text.utf8.count == 29,
      let day = Int32(words[1]), (1...31).contains(day), let month = months.firstIndex(of: String(words[2])),
      let year = Int32(words[3]), (1970...9999).contains(year)
    else { return nil }
    let clock = words[4].split(separator: ":").compactMap { Int32($0) }
    guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, Int32(month), day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (clock[0], clock[1], clock[2])
    return Int64(timegm(&parts))
  }

  /// This instant, in seconds since 1970.
  static var now: Int64 {
    var instant = timespec()
    clock_gettime(CLOCK_REALTIME, &instant)
    return Int64(instant.tv_sec)
  }

  private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
