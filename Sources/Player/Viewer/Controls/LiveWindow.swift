import Bench360Player
import Frames

/// What of a live stream can be played, as the controls show it. Pure.
package struct LiveWindow: Sendable, Hashable {
  /// Of the slider, on the stream's axis: whole seconds around what can be played, so that it moves once a second.
  package let start: MediaTime
  package let end: MediaTime
  /// Where the picture is live.
  package let live: MediaTime
  /// How far the picture is behind that, in seconds; 0 or more.
  package let behind: Double
  /// Nothing is added any more.
  package let hasEnded: Bool
  /// The time of day where the axis is 0; nil where the stream does not tell.
  private let zero: WallTime?
  /// The user's clock, in seconds east of Greenwich.
  private let zone: Int

  /// What the badge of the bar says.
  package enum Badge: Sendable, Hashable {
    case live, behind, ended

    package func text(_ words: Words = .english) -> String { words[self == .ended ? .badgeEnded : .badgeLive] }
  }

  /// - Parameters:
  ///   - live: where the picture is live.
  ///   - place: of the picture.
  ///   - now: in seconds since the stream was opened.
  ///   - zone: the user's clock, in seconds east of Greenwich.
  package init(_ edge: LiveEdge, live: MediaTime, place: MediaTime, now: Double, zone: Int) {
    let second: Int64 = 1_000_000_000
    func whole(_ time: MediaTime, up: Bool) -> MediaTime {
      let (quotient, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: second)
      let step: Int64 = up && rest > 0 ? 1 : !up && rest < 0 ? -1 : 0
      return MediaTime(nanoseconds: (quotient + step) * second)
    }
    start = whole(edge.start, up: false)
    end = max(whole(edge.place(at: now), up: true), start + MediaTime(nanoseconds: second))
    self.live = live
    behind = max(0, (live - place).seconds)
    hasEnded = edge.hasEnded
    (zero, self.zone) = (edge.zero, zone)
  }

  package var badge: Badge { hasEnded ? .ended : behind <= LivePace.edgeSeconds ? .live : .behind }

  /// Beside the badge: the time of day of a place, or how far it is behind the live edge.
  package func text(of place: MediaTime, showsBehind: Bool, _ words: Words = .english) -> String {
    showsBehind ? behindText(place, words) : dateText(place, words) ?? behindText(place, words)
  }

  /// Of a place under the pointer: `14:03:22 · −1:12`.
  package func hint(at place: MediaTime, _ words: Words = .english) -> String {
    [dateText(place, words), behindText(place, words)].compactMap { $0 }.joined(separator: " · ")
  }

  /// As wide as any text of this window.
  package func widestText(_ words: Words = .english) -> String {
    guard zero != nil, [start, end].contains(where: { dateText($0, words)?.count != 8 }) else { return "−00:00:00" }
    return words.date(year: "0000", month: "00", day: "00") + " 00:00:00"
  }

  /// `−1:12`; `Live` at the live edge.
  private func behindText(_ place: MediaTime, _ words: Words) -> String {
    let behind = max(.zero, live - place)
    guard behind.seconds > LivePace.edgeSeconds else { return hasEnded ? "−0:00" : words[.live] }
    return "−" + ClockText.text(behind, hours: behind.seconds >= 3600)
  }

  /// `14:03:22`, with the date where that is another than the live edge's; nil where the stream does not tell.
  private func dateText(_ place: MediaTime, _ words: Words) -> String? {
    guard let zero else { return nil }
    let date = ClockText.date(zero.advanced(by: place), zone: zone, words)
    return date.day == ClockText.date(zero.advanced(by: live), zone: zone, words).day
      ? date.time : "\(date.day) \(date.time)"
  }
}

extension ClockText {
  /// A time of day on a clock so many seconds east of Greenwich: `2026-11-24`, `14:03:22`.
  static func date(_ instant: WallTime, zone: Int, _ words: Words) -> (day: String, time: String) {
    let seconds = instant.nanoseconds / 1_000_000_000 - (instant.nanoseconds % 1_000_000_000 < 0 ? 1 : 0) + Int64(zone)
    let days = seconds >= 0 ? seconds / 86400 : -((86399 - seconds) / 86400)
    let time = Int(seconds - days * 86400)
    let (year, month, day) = civil(days)
    return (
      words.date(year: "\(year)", month: two(month), day: two(day)),
      "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
    )
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Of days since 1970-01-01, in the Gregorian calendar; years are counted from March.
  private static func civil(_ days: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let calendarMonth = month < 10 ? month + 3 : month - 9
    return (
      Int(yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)), Int(calendarMonth),
      Int(dayOfYear - (153 * month + 2) / 5 + 1)
    )
  }
}
