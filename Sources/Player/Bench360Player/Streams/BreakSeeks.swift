import Frames
import Streaming

/// Where seeks lead in a stream with breaks, as players of interstitials and of stitched advertisements have it: a break is watched once
/// before a seek leads over it, and then free. Pure; told of each seek, and of where playing is.
package struct BreakSeeks: Sendable {
  /// Where a seek leads.
  package enum Answer: Sendable, Hashable {
    /// To the place that was sought.
    case free
    /// To the start of a break that lies before the place: playing goes on there from the break's end.
    case first(StreamBreak)
    /// Nowhere: the break that plays forbids it.
    case refused(StreamBreak)
  }

  package var rule: BreakRule
  private var watched: [StreamBreak] = []
  /// Breaks that have been played from their start on, and where playing was last; nil after a seek.
  private var entered: [StreamBreak] = []
  private var last: MediaTime?
  /// The break to which the last seek led, until it plays, and the place that was sought.
  private var held: StreamBreak?
  private var sought: (behind: StreamBreak, place: MediaTime)?

  /// A break is watched from its start if playing begins so near to it, and playing that goes on farther at once is a seek.
  private static let nearness = MediaTime(nanoseconds: 1_000_000_000)
  private static let stride = MediaTime(nanoseconds: 2_000_000_000)
  /// The last ones are remembered.
  private static let watchedLimit = 1_000

  package init(_ rule: BreakRule = .watch) { self.rule = rule }

  /// Whether a break was watched to its end.
  package func hasWatched(_ one: StreamBreak) -> Bool { watched.contains { $0.isSame(as: one) } }

  /// A seek of the user's.
  ///
  /// - Parameter place: where playing is, or where the last seek led.
  package mutating func seek(to target: MediaTime, from place: MediaTime, among breaks: [StreamBreak]) -> Answer {
    guard rule == .watch else { return .free }
    if let one = forbidding(at: place, among: breaks) { return .refused(one) }
    let unwatched = breaks.filter { $0.span != nil && !hasWatched($0) }
    (last, entered, sought) = (nil, [], nil)
    let passed = unwatched.last {
      !$0.allowsJumping && $0.start < target && ($0.start > place - Self.nearness || held?.isSame(as: $0) == true)
    }
    guard target > place, let passed else {
      held = nil
      return .free
    }
    held = passed
    if let end = passed.end, target > end { sought = (passed, target) }
    return .first(passed)
  }

  /// The break that plays and forbids seeks; nil: none does.
  package func forbidding(at place: MediaTime, among breaks: [StreamBreak]) -> StreamBreak? {
    guard rule == .watch else { return nil }
    // One to which a seek led may be left until it plays.
    return breaks.first { !$0.allowsSkipping && $0.contains(place) && held?.isSame(as: $0) != true && !hasWatched($0) }
  }

  /// Playing has come to a place. Returns where it goes on; nil: where it is.
  package mutating func play(to place: MediaTime, among breaks: [StreamBreak]) -> MediaTime? {
    guard rule == .watch else { return nil }
    let goesOn = last.map { place >= $0 && place - $0 <= Self.stride } ?? false
    let before = goesOn ? last ?? place : place
    if !goesOn {
      entered = []
      // A jump that is no seek of the user's over breaks, as to the live edge, ends the way of the last one.
      if last != nil { (held, sought) = (nil, nil) }
    }
    last = place
    if let held, place > held.start + Self.nearness { self.held = nil }
    for one in breaks where one.span != nil {
      // Where playing began within it, it has not been watched to the end.
      let begins = goesOn ? before <= one.start && place >= one.start : one.begins(near: place, Self.nearness)
      if begins, !entered.contains(where: { $0.isSame(as: one) }) { entered.append(one) }
    }
    var next: MediaTime?
    for one in breaks where one.end.map({ place >= $0 }) ?? false {
      guard let index = entered.firstIndex(where: { $0.isSame(as: one) }) else { continue }
      entered.remove(at: index)
      if !hasWatched(one) { watched.append(one) }
      if let sought, sought.behind.isSame(as: one) { (next, self.sought) = (sought.place, nil) }
    }
    if watched.count > Self.watchedLimit { watched.removeFirst() }
    if next != nil { last = nil }
    return next
  }
}

extension StreamBreak {
  /// Nil where the end is not known, or where it takes no time.
  fileprivate var span: Range<MediaTime>? { end.flatMap { $0 > start ? Range(from: start, to: $0) : nil } }

  fileprivate func contains(_ place: MediaTime) -> Bool { span?.contains(place) ?? false }

  /// Its first second.
  fileprivate func begins(near place: MediaTime, _ nearness: MediaTime) -> Bool {
    contains(place) && place <= start + nearness
  }

  /// A live stream may tell of a break anew, with another start or end, and another playlist by another name.
  fileprivate func isSame(as other: StreamBreak) -> Bool {
    if id == other.id { return true }
    guard let span, let its = other.span, span.overlaps(its) else { return false }
    let common = min(span.upperBound, its.upperBound) - max(span.lowerBound, its.lowerBound)
    let length = max(span.upperBound - span.lowerBound, its.upperBound - its.lowerBound)
    return 2 * common.seconds > length.seconds
  }
}
