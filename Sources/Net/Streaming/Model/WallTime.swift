import FoundationEssentials
import Frames
import Glibc

/// An instant of the calendar, in nanoseconds since 1970-01-01T00:00:00Z without leap seconds.
public struct WallTime: Sendable, Hashable, Comparable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// An ISO 8601 date with time, as `2026-01-31T12:00:00.25+01:00`; without a zone it is UTC. Digits behind the
  /// nanosecond are dropped. Nil for other text, for a day that its month lacks, and outside the years 1700 to 2250.
  public init?(_ text: some Sequence<UInt8>) {
    var reader = DateReader(text)
    guard let nanoseconds = reader.nanoseconds() else { return nil }
    self.nanoseconds = nanoseconds
  }

  public static func < (a: WallTime, b: WallTime) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Saturates.
  public static func + (a: WallTime, b: MediaTime) -> WallTime {
    WallTime(nanoseconds: a.nanoseconds.addingSaturated(b.nanoseconds))
  }

  /// Saturates.
  public static func - (a: WallTime, b: MediaTime) -> WallTime { a + (.zero - b) }

  /// The span from `b` to `a`; saturates.
  public static func - (a: WallTime, b: WallTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds) - MediaTime(nanoseconds: b.nanoseconds)
  }
}

extension WallTime {
  /// The machine's clock.
  package static var machine: WallTime {
    var instant = timespec()
    clock_gettime(CLOCK_REALTIME, &instant)
    return WallTime(nanoseconds: Int64(instant.tv_sec) * 1_000_000_000 + Int64(instant.tv_nsec))
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7); nil for other text.
  init?(httpDate text: String) {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let words = text.prefix(64).split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(where: { $0 == words[2] }) else {
      return nil
    }
    self.init("\(words[3])-\(month < 9 ? "0" : "")\(month + 1)-\(words[1])T\(words[4])Z".utf8)
  }
}

private struct DateReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: some Sequence<UInt8>) { bytes = Array(text.prefix(65)) }

  mutating func nanoseconds() -> Int64? {
    guard bytes.count <= 64, let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      (1700...2250).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year),
      take("T") || take("t") || take(" "), let hour = number(2), take(":"), let minute = number(2),
      hour <= 23, minute <= 59
    else { return nil }
    var second: Int64 = 0
    var fraction: Int64 = 0
    if take(":") {
      guard let read = number(2), read <= 60 else { return nil }
      second = read
      if take(".") || take(",") {
        guard let read = self.fraction() else { return nil }
        fraction = read
      }
    }
    guard let offset = zone(), position == bytes.count else { return nil }
    let days = Self.daysSince1970(year, month, day)
    return (((days * 24 + hour) * 60 + minute - offset) * 60 + second) * 1_000_000_000 + fraction
  }

  private mutating func take(_ character: Character) -> Bool {
    guard position < bytes.count, bytes[position] == character.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func digit() -> Int64? {
    guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
    position += 1
    return Int64(bytes[position - 1] - 0x30)
  }

  private mutating func number(_ count: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  private mutating func fraction() -> Int64? {
    var (value, weight): (Int64, Int64) = (0, 100_000_000)
    guard let first = digit() else { return nil }
    value = first * weight
    while let digit = digit() {
      weight /= 10
      value += digit * weight
    }
    return value
  }

  /// Minutes east of Greenwich.
  private mutating func zone() -> Int64? {
    if position == bytes.count || take("Z") || take("z") { return 0 }
    let sign: Int64 = take("-") ? -1 : 1
    guard sign < 0 || take("+"), let hours = number(2), hours <= 23 else { return nil }
    if position == bytes.count { return sign * hours * 60 }
    _ = take(":")
    guard let minutes = number(2), minutes <= 59 else { return nil }
    return sign * (hours * 60 + minutes)
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Days of the Gregorian calendar, counted in years that begin with March so that the leap day comes last.
  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}
