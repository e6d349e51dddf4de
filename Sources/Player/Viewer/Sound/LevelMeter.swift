import Bench360Player
import Frames
import Glibc
import Overlay

/// The level of sound that has no picture: a bar for each ear, which falls slowly. Pure.
struct LevelMeter: Sendable {
  /// What is shown, in dB below full scale: left and right.
  private(set) var decibels = [Self.floor, Self.floor]
  private var looked: MonotonicTime?

  /// Below this nothing is shown.
  static let floor = -60.0
  /// Decibels a second.
  private static let fall = 30.0

  /// Shows these peaks, or how far the last ones have fallen; whether that changes anything.
  mutating func advance(to now: MonotonicTime, _ peaks: SoundLevels.Peaks) -> Bool {
    let before = decibels
    let fallen = (looked.map { now.seconds(since: $0) } ?? 0) * Self.fall
    decibels = zip([peaks.left, peaks.right], before).map { max(Self.decibels($0), $1 - fallen) }
    looked = now
    return decibels != before
  }

  private static func decibels(_ peak: Float) -> Double {
    peak > 0 ? min(max(floor, 20 * log10(Double(peak))), 0) : floor
  }

  /// Two bars with a mark each 12 dB, in the middle of an eye's view.
  func draw(in free: Canvas.Box, height: Double, _ colors: ControlColors, on canvas: inout Canvas) {
    let width = min(free.width * 0.7, height * 30)
    let (left, bar) = (free.center.x - width / 2, height)
    for (row, level) in decibels.enumerated() {
      let top = free.center.y + (Double(row) - 1) * bar * 1.5 + bar * 0.25
      canvas.rectangle(.init(left: left, top: top, width: width, height: bar), colors.track, radius: bar / 4)
      let share = 1 - level / Self.floor
      canvas.rectangle(.init(left: left, top: top, width: width * share, height: bar), colors.accent, radius: bar / 4)
      for mark in stride(from: -48.0, to: 0, by: 12) {
        let place = left + width * (1 - mark / Self.floor)
        canvas.rectangle(.init(left: place, top: top, width: 1, height: bar), colors.sheet)
      }
    }
  }
}
