import Frames

/// The frames that were on a screen, from the changes of its tiles. A pure function of them.
package struct ScreenTimeline: Sendable {
  /// A frame that was on screen as a whole.
  package struct Shown: Hashable, Sendable {
    package var number: Int
    /// Of a ladder's picture.
    package var rung: Int?
    /// When the first tile showed it.
    package var began: ScreenLog.Interval
    /// When all legible tiles showed it.
    package var complete: ScreenLog.Interval

    /// How long its painting took as far as samples tell, in ms; 0 if one sample saw nothing of it and the next saw all.
    package var paint: Double { complete.by.milliseconds(since: began.by) }
  }

  /// In the order in which they were complete. One that was shown again after another is in it again.
  package let shown: [Shown]
  /// Numbers that some tiles showed, and never all.
  package let partial: Set<Int>
  /// Tiles that showed a number for at least half of the time since the first number was seen. Others are covered, or not part of the
  /// picture, and do not count. Empty, or two and more: the check sum of one tile fits noise once in 16,000 times.
  package let legibleTiles: [Int]
  /// Time after the first frame in which no legible tile showed a number, ms.
  package let unreadable: Double
  /// When the observation ended.
  package let end: MonotonicTime

  package init(_ log: ScreenLog, until end: MonotonicTime) {
    self.end = end
    let changes = log.changes
    let legible = Self.legible(changes, until: end)
    legibleTiles = legible
    var shown: [Shown] = []
    var seen: Set<Int> = []
    // When a tile showed each number first, since a frame was complete.
    var firsts: [TileCode: ScreenLog.Interval] = [:]
    var unreadable = 0.0
    for (index, change) in changes.enumerated() {
      let codes = legible.map { change.tiles[$0] }
      let readable = codes.filter(\.isLegible)
      for code in readable {
        seen.insert(Int(code.number))
        if firsts[code] == nil { firsts[code] = change.time }
      }
      let next = index + 1 < changes.count ? changes[index + 1].time.by : end
      if readable.isEmpty, !shown.isEmpty { unreadable += next.milliseconds(since: change.time.by) }
      guard let code = codes.first, code.isLegible, codes.allSatisfy({ $0 == code }) else {
        continue
      }
      if shown.last?.number != Int(code.number) || shown.last?.rung ?? -1 != Int(code.rung) {
        shown.append(
          Shown(
            number: Int(code.number), rung: code.rung < 0 ? nil : Int(code.rung), began: firsts[code] ?? change.time,
            complete: change.time))
      }
      firsts = [:]
    }
    self.shown = shown
    self.unreadable = unreadable
    partial = seen.subtracting(shown.map(\.number))
  }

  private static func legible(_ changes: [ScreenLog.Change], until end: MonotonicTime) -> [Int] {
    let tiles = 0..<CodeGrid.tileCount
    guard let first = changes.firstIndex(where: { change in tiles.contains { change.tiles[$0].isLegible } }) else {
      return []
    }
    let total = end.milliseconds(since: changes[first].time.by)
    let legible = tiles.filter { tile in
      let time = Range(from: first, to: changes.count).reduce(0.0) { sum, index in
        guard changes[index].tiles[tile].isLegible else { return sum }
        let next = index + 1 < changes.count ? changes[index + 1].time.by : end
        return sum + next.milliseconds(since: changes[index].time.by)
      }
      return 2 * time >= total
    }
    return legible.count < 2 ? [] : legible
  }
}
