import Decode
import Frames
import Playback
import Render

/// Where a clip goes on after the device was lost, and how often it is tried.
struct Recovery {
  /// Where in a clip the viewer was.
  struct Place {
    let path: String
    let time: MediaTime
    let camera: Camera
    let isPlaying: Bool

    func restore(_ play: PlaySession) {
      if !isPlaying { play.pause() }
      play.seek(SeekRequest(target: time))
    }
  }

  /// Of the clip that was shown last.
  private var left: Place?
  /// Where to go on once the device is back.
  private var lost: Place?
  /// When the device was lost.
  private var losses: [MonotonicTime] = []

  /// So often in a minute it is tried again.
  private static let limit = 3

  /// A clip is not shown any more.
  mutating func leave(_ place: Place) { left = place }

  /// The device was lost while a file was to be shown: whether to open it anew.
  mutating func lose(_ path: String?, at now: MonotonicTime) -> Bool {
    losses = losses.filter { now.seconds(since: $0) < 60 } + [now]
    guard losses.count <= Self.limit else { return false }
    if left?.path == path { lost = left }
    return true
  }

  /// Where to go on in a clip that is shown now; once.
  mutating func takePlace(in path: String) -> Place? {
    defer { lost = nil }
    return lost?.path == path ? lost : nil
  }
}
