import Frames
import TestPicture

import Observe

/// A screen on which numbered frames are painted at known times, sampled at times of the test's choice: no clock runs.
struct PaintedScreen {
  /// One frame's painting. Tiles change one after the other, from the first to the last.
  struct Paint {
    /// When the first tile changes, ms.
    var time: Double
    /// Until the last one does, ms.
    var duration = 0.0
    var number: Int
    /// How many of the nine tiles are painted.
    var tiles = CodeGrid.tileCount

    /// When the last tile changes, ms.
    var end: Double { time + duration }
  }

  /// In the order of time; none begins before the one before has ended.
  var paints: [Paint]
  /// Tiles that a control covers.
  var covered: Set<Int> = []
  /// Times at which the whole screen turns black.
  var blackouts: [Double] = []

  private static let grey = [UInt8](repeating: 128, count: FrameCode.bitCount)
  private static let black = [UInt8](repeating: 0, count: FrameCode.bitCount)

  /// Samples it until `end`, in ms.
  ///
  /// - Parameters:
  ///   - period: from one sample to the next, ms.
  ///   - jitter: up to this much later, ms.
  func log(
    until end: Double, every period: Double = 0.75, jitter: Double = 0,
    using generator: inout some RandomNumberGenerator
  ) -> ScreenLog {
    var changes: [(time: Double, tile: Int, cells: [UInt8])] = []
    for paint in paints {
      let cells = Self.cells(of: paint.number)
      for tile in 0..<paint.tiles {
        let share = Double(tile) / Double(CodeGrid.tileCount - 1)
        changes.append((paint.time + paint.duration * share, tile, cells))
      }
    }
    for time in blackouts { for tile in 0..<CodeGrid.tileCount { changes.append((time, tile, Self.black)) } }
    changes.sort { $0.time < $1.time }
    var log = ScreenLog()
    var luma = (0..<CodeGrid.tileCount).flatMap { covered.contains($0) ? Self.grey : Self.black }
    var (next, time) = (0, 0.0)
    while time < end {
      while next < changes.count, changes[next].time <= time {
        let change = changes[next]
        next += 1
        guard !covered.contains(change.tile) else { continue }
        let start = change.tile * FrameCode.bitCount
        luma.replaceSubrange(start..<(start + FrameCode.bitCount), with: change.cells)
      }
      log.add(luma, from: Self.instant(time), to: Self.instant(time + 0.01))
      time += period + (jitter > 0 ? Double.random(in: 0...jitter, using: &generator) : 0)
    }
    return log
  }

  static func instant(_ milliseconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(milliseconds * 1e6) + 1_000_000_000)
  }

  private static func cells(of number: Int) -> [UInt8] {
    let word = FrameCode.word(for: number)
    return (0..<FrameCode.bitCount).map { word >> UInt32($0) & 1 == 1 ? FrameCode.bright : FrameCode.dark }
  }
}
