import Decode
import Frames
import Media
import Playback
import Render

/// Where to resume a clip after the device was lost, or after the file that followed it could not be opened; and the limit
/// of retries.
package struct Recovery {
  /// The position in a clip.
  package struct Place {
    package let path: String
    package let time: MediaTime
    package let camera: Camera
    package let isPlaying: Bool

    package init(path: String, time: MediaTime, camera: Camera, isPlaying: Bool) {
      (self.path, self.time, self.camera, self.isPlaying) = (path, time, camera, isPlaying)
    }

    package func restore(_ play: PlaySession) {
      if !isPlaying { play.pause() }
      play.seek(SeekRequest(target: time))
    }
  }

  /// Of the last clip.
  private var left: Place?
  /// Where to resume once the device is back.
  private var lost: Place?
  /// The clip is resumed because no other one can be shown.
  private var isGoingBack = false
  /// The instants of device losses within the last minute.
  private var losses: [MonotonicTime] = []

  /// Retries allowed per minute.
  private static let limit = 3

  package init() {}

  /// A clip is closed.
  package mutating func leave(_ place: Place) { left = place }

  /// The device was lost while opening or showing a file: whether to open the device again.
  package mutating func lose(_ path: String?, at now: MonotonicTime) -> Bool {
    losses = losses.filter { now.seconds(since: $0) < 60 } + [now]
    guard losses.count <= Self.limit else { return false }
    if left?.path == path { lost = left }
    return true
  }

  /// A file cannot be shown, and `path` is shown instead: the last clip continues where it was left.
  package mutating func goBack(to path: String?) {
    guard left?.path == path else { return }
    (lost, isGoingBack) = (left, true)
  }

  /// Whether a clip is about to be resumed after `goBack`; until its place is taken.
  package func isGoingBack(to path: String) -> Bool { isGoingBack && lost?.path == path }

  /// Where to resume the clip that is shown now; returned once.
  package mutating func takePlace(in path: String) -> Place? {
    defer { (lost, isGoingBack) = (nil, false) }
    return lost?.path == path ? lost : nil
  }
}
