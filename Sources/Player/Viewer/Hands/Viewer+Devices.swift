import Bench360Player
import Frames
import Window

// Pointer, head tracker and gamepad.
extension Viewer {
  /// The recorded input events, if recording was requested; nil if there are none.
  package var recording: LookRecording? { hands.recorder?.recording }

  /// Whether clips were shown and all were flat: the user could not look around.
  package var hasShownFlatOnly: Bool { files.hasShownAny && !hands.couldLook }

  /// Applies an event to the view, and records it if requested.
  ///
  /// - Parameter size: of the eye's view that the event's position refers to; nil: it has none.
  func act(_ event: LookEvent, in size: PictureSize? = nil, at now: MonotonicTime) {
    let size = size ?? showing?.clip.size ?? options.session.targetSize
    let hasFilled = hands.act(event, in: size, at: now)
    if event.redraws { isStale = true }
    if hasFilled { say(.recordingIsFull) }
  }

  /// Polls devices without events, at each refresh.
  func readDevices(_ tick: DisplayTick) {
    if let pose = options.hands.headTracker?.poll() {
      let (home, fieldOfView) = (hands.look.home, hands.look.camera.fieldOfView)
      turn(to: hands.head.move(pose, home: home, fieldOfView: fieldOfView), at: tick.timestamp)
    }
    let (camera, home) = (hands.look.camera, hands.look.home)
    let effect = hands.gamepad.advance(Gamepad.first, to: tick.target, camera: camera, home: home)
    if let camera = effect.camera { turn(to: camera, at: tick.timestamp) }
    for action in effect.actions { perform(action) }
  }

  /// A still head, or one in front of a flat picture, causes no redraw.
  private func turn(to camera: SphereView, at now: MonotonicTime) {
    guard showing?.clip.geometry.projection.usesCamera == true else { return }
    var there = hands.look
    there.look(camera)
    if there.camera != hands.look.camera { act(.look(camera), at: now) }
  }
}
