import Frames
import Playback

/// How a user looks around. Pure: a seed decides the details; the same seed gives the same events.
package enum LookPattern: String, Sendable, CaseIterable {
  /// Successive drags, each released while moving, so that the view goes on turning.
  case drag
  /// The same on a paused clip.
  case dragPaused = "drag-paused"
  /// A wheel: a few steps in and as many out, at one place after the other.
  case wheel
  /// Holds a key for a while, then the opposite key.
  case keys

  package var isPaused: Bool { self == .dragPaused }

  /// Report interval of a low-speed USB mouse and its jitter, both in milliseconds.
  static let (mouseInterval, mouseJitter) = (8.0, 0.5)

  /// The input events of that many seconds, on a view of this size, at no fixed phase to any display's refreshes.
  package func recording(seconds: Double, size: PictureSize, seed: UInt64) -> LookRecording {
    var writer = Writer(
      milliseconds: seconds * 1000, width: Double(size.width), height: Double(size.height),
      random: SplitMix64(seed: seed))
    writer.wait(ClosedRange(from: 0, through: 2 * Self.mouseInterval))
    while writer.hasTime {
      switch self {
      case .drag, .dragPaused: writer.pull()
      case .wheel: writer.wheel()
      case .keys: writer.keys()
      }
    }
    return LookRecording(size: size, moments: writer.moments)
  }
}

/// Appends gestures one after another; times are in milliseconds.
private struct Writer {
  let milliseconds: Double
  let width: Double
  let height: Double
  var random: SplitMix64
  var moments: [LookRecording.Moment] = []
  private var now = 0.0
  private var gestures = 0

  init(milliseconds: Double, width: Double, height: Double, random: SplitMix64) {
    (self.milliseconds, self.width, self.height, self.random) = (milliseconds, width, height, random)
  }

  var hasTime: Bool { now < milliseconds }

  mutating func wait(_ time: ClosedRange<Double>) { now += .random(in: time, using: &random) }

  private mutating func put(_ event: LookEvent) {
    if hasTime { moments.append(.init(now / 1000, event)) }
  }

  /// From rest to the speed at the release; every second drag goes back.
  mutating func pull() {
    gestures += 1
    let way = gestures.isMultiple(of: 2) ? 1.0 : -1
    let across = width * .random(in: 0.25...0.5, using: &random) * way
    let down = height * .random(in: -0.2...0.2, using: &random)
    let (left, top) = ((width - across) / 2, (height - down) / 2)
    put(.grab(x: left, y: top))
    let steps = Int.random(in: 60...110, using: &random)
    let start = now
    for step in Range(from: 1, to: steps + 1) {
      let jitter = Double.random(
        in: ClosedRange(from: -LookPattern.mouseJitter, through: LookPattern.mouseJitter), using: &random)
      now = start + Double(step) * LookPattern.mouseInterval + jitter
      // Slow at first: (3t² − t³) / 2 ends at 1.5 times the mean speed.
      let t = Double(step) / Double(steps)
      let share = t * t * (3 - t) / 2
      put(.drag(x: left + across * share, y: top + down * share))
    }
    wait(1...6)
    put(.letGo)
    wait(400...900)
  }

  mutating func wheel() {
    let (x, y) = (
      width * .random(in: 0.2...0.8, using: &random), height * .random(in: 0.2...0.8, using: &random)
    )
    let steps = Int.random(in: 3...8, using: &random)
    for way in [1.0, -1] {
      for _ in 0..<steps {
        put(.zoom(steps: way, x: x, y: y))
        wait(20...60)
      }
      wait(150...400)
    }
  }

  mutating func keys() {
    let pairs: [(LookAround.Turn, LookAround.Turn)] = [
      (.left, .right), (.up, .down), (.rollLeft, .rollRight), (.zoomIn, .zoomOut),
    ]
    let pair = pairs[Int.random(in: 0..<pairs.count, using: &random)]
    let time = Double.random(in: 200...600, using: &random)
    for turn in Bool.random(using: &random) ? [pair.0, pair.1] : [pair.1, pair.0] {
      put(.hold(turn))
      now += time
      put(.release(turn))
      wait(100...300)
    }
  }
}
