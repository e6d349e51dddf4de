import Bench360Player
import Frames
import Window

// The window's shape.
extension Viewer {
  /// Gives the window the shape of the first clip, if that is flat.
  func takeShape(of showing: Showing) {
    guard options.window.takesClipShape else { return }
    options.window.takesClipShape = false
    let geometry = showing.clip.geometry
    guard geometry.projection == .flat, geometry.eye != .both, !window.isFullscreen, !window.isMini else { return }
    let shown = geometry.shownSize(of: showing.clip.info.video.size)
    var room = options.session.targetSize
    if let display = window.monitor?.size {
      room = PictureSize(width: min(room.width, display.width), height: min(room.height, display.height))
    }
    window.resize(to: windowSize(forPicture: shown, in: room))
  }
}

/// The largest size of a picture's shape inside `room`, but wide and high enough for the controls.
package func windowSize(forPicture shown: (width: Double, height: Double), in room: PictureSize) -> PictureSize {
  let scale = min(Double(room.width) / shown.width, Double(room.height) / shown.height)
  guard scale.isFinite, scale > 0 else { return room }
  return PictureSize(
    width: max(min(320, room.width), Int((shown.width * scale).rounded())),
    height: max(min(180, room.height), Int((shown.height * scale).rounded())))
}
