import Frames
import Playback
import Render
import Window

// Hands, heads and sticks on the view.
extension Viewer {
  /// What was done to the view, where that was wanted; nil where nothing was.
  public var recording: LookRecording? { recorder?.recording }

  /// Something is done to the view, and kept where somebody wants that.
  ///
  /// - Parameter size: of the eye's view that the event's place lies in; nil: it has none.
  func act(_ event: LookEvent, in size: PictureSize? = nil, at now: MonotonicTime) {
    let size = size ?? showing?.session.renderer.targetSize ?? options.session.targetSize
    look.perform(event, in: size, at: now)
    if event.redraws { isStale = true }
    guard recorder?.isFull == false else { return }
    recorder?.add(event, in: size, at: now)
    if recorder?.isFull == true { say("the recording is full: what is done from now on is not kept") }
  }

  /// What has no events is asked at each refresh.
  func readDevices(_ tick: DisplayTick) {
    if let pose = options.headTracker?.poll() {
      turn(to: head.move(pose, home: look.home, fieldOfView: look.camera.fieldOfView), at: tick.timestamp)
    }
    let effect = gamepadHand.advance(Gamepad.first, to: tick.target, camera: look.camera, home: look.home)
    if let camera = effect.camera { turn(to: camera, at: tick.timestamp) }
    for action in effect.actions { perform(action) }
  }

  /// A head that is held still, and one in front of a flat picture, cost no views.
  private func turn(to camera: Camera, at now: MonotonicTime) {
    guard showing?.session.renderer.geometry.projection.usesCamera == true else { return }
    var there = look
    there.look(camera)
    if there.camera != look.camera { act(.look(camera), at: now) }
  }
}
