import Frames

/// The changes of what a screen shows, found by sampling it.
///
/// A change lies between the last sample of the picture before and the first of the picture after it: that interval is known, the moment
/// within it is not.
package struct ScreenLog: SampleLog {
  /// A span of time in which something happened.
  package struct Interval: Hashable, Sendable {
    /// It had not happened when the sample that began at this time was taken.
    package var after: MonotonicTime
    /// It had happened when the sample that ended at this time was complete.
    package var by: MonotonicTime

    /// The estimate of the moment.
    package var middle: MonotonicTime { after.advanced(byMilliseconds: width / 2) }
    /// ms
    package var width: Double { by.milliseconds(since: after) }
  }

  package struct Change: Hashable, Sendable {
    package var time: Interval
    /// The tiles after the change.
    package var tiles: Tiles
  }

  package private(set) var changes: [Change] = []
  package private(set) var sampleCount = 0
  /// The highest number that a tile showed.
  package private(set) var highestNumber: Int?
  /// The longest time from one sample to the next, ms: a frame that stayed for less may have been missed.
  package private(set) var longestGap = 0.0
  /// When the sample before began.
  private var before: MonotonicTime?
  private var cells: [UInt8] = []
  private var tiles = Tiles()

  /// When no tile showed a number any more; nil if one still does, or none ever did.
  package var endOfNumbers: MonotonicTime? {
    let last = changes.lastIndex { change in (0..<CodeGrid.tileCount).contains { change.tiles[$0].isLegible } }
    return last.flatMap { $0 + 1 < changes.count ? changes[$0 + 1].time.by : nil }
  }

  package init() {}

  /// Adds a sample.
  ///
  /// - Parameters:
  ///   - luma: of all cells in the order of `CodeGrid.cellCentres`.
  ///   - begin, end: when reading it began and ended.
  package mutating func add(_ luma: [UInt8], from begin: MonotonicTime, to end: MonotonicTime) {
    sampleCount += 1
    if let before { longestGap = max(longestGap, end.milliseconds(since: before)) }
    defer { before = begin }
    guard luma != cells else { return }
    cells = luma
    let read = CodeGrid.tiles(luma)
    guard read != tiles || changes.isEmpty else { return }
    tiles = read
    for tile in 0..<CodeGrid.tileCount where read[tile].isLegible {
      highestNumber = max(highestNumber ?? 0, Int(read[tile].number))
    }
    changes.append(Change(time: Interval(after: before ?? begin, by: end), tiles: read))
  }
}
