import Frames

/// The changes of a screen that shows a clip without numbers: when pixels of a grid changed, and how far the screen differed from the one
/// before the player then.
package struct PictureLog: SampleLog {
  package struct Change: Hashable, Sendable {
    package var time: ScreenLog.Interval
    /// A quarter of the pixels or more differ from the screen at the start, and they are not all alike: a picture is on screen.
    package var isPicture: Bool
  }

  package private(set) var changes: [Change] = []
  package private(set) var sampleCount = 0
  /// The longest time from one sample to the next, ms.
  package private(set) var longestGap = 0.0
  /// When a picture was on screen first; nil: none was yet.
  package private(set) var firstPicture: MonotonicTime?
  /// The last change so far.
  package var lastChange: MonotonicTime? { changes.last?.time.by }

  private var before: MonotonicTime?
  private var start: [UInt8] = []
  private var pixels: [UInt8] = []

  /// Pixels that differ by less are alike: a gradient of a window's background is no picture.
  private static let contrast = 24

  package init() {}

  /// Pixels in the middles of 24 × 14 parts of a screen: fine enough for a moving mouth, and as cheap to read as the cells of a code.
  package static func pixels(of size: PictureSize) -> [(x: Int, y: Int)] {
    let (columns, rows) = (24, 14)
    return (0..<rows * columns).map { index in
      ((index % columns * 2 + 1) * size.width / (columns * 2), (index / columns * 2 + 1) * size.height / (rows * 2))
    }
  }

  package mutating func add(_ luma: [UInt8], from begin: MonotonicTime, to end: MonotonicTime) {
    sampleCount += 1
    if let before { longestGap = max(longestGap, end.milliseconds(since: before)) }
    defer { before = begin }
    if start.isEmpty { (start, pixels) = (luma, luma) }
    guard luma != pixels else { return }
    pixels = luma
    let changed = zip(luma, start).count { abs(Int($0) - Int($1)) >= Self.contrast }
    let range = Int(luma.max() ?? 0) - Int(luma.min() ?? 0)
    let isPicture = 4 * changed >= luma.count && range >= Self.contrast
    if isPicture, firstPicture == nil { firstPicture = end }
    changes.append(Change(time: ScreenLog.Interval(after: before ?? begin, by: end), isPicture: isPicture))
  }
}
