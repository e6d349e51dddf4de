import Bench360Player
import Frames
import Window

/// The input devices of a view: pointer, head tracker, gamepad, and the camera that they set.
struct ViewHands {
  var look = LookAround(home: SphereView())
  var pointer = PointerHand()
  var head = HeadHand()
  var gamepad = GamepadHand()
  private(set) var recorder: LookRecorder?
  /// A view that the user can turn was shown.
  var couldLook = false
  /// The start of the refresh that saw input move the view; nil once a view shows it.
  private var moved: MonotonicTime?
  /// From the input to the last view that showed one.
  private(set) var inputMilliseconds: Double?

  init(_ options: Viewer.Hands, hasInertia: Bool) {
    look.hasInertia = hasInertia
    recorder = options.isRecorded ? LookRecorder() : nil
  }

  /// Resets for another clip.
  mutating func startOver(from home: SphereView) {
    let hasInertia = look.hasInertia
    look = LookAround(home: home)
    look.hasInertia = hasInertia
  }

  /// Applies an event to the view; returns whether it filled the recording.
  mutating func act(_ event: LookEvent, in size: PictureSize, at now: MonotonicTime) -> Bool {
    look.perform(event, in: size, at: now)
    guard recorder?.isFull == false else { return false }
    recorder?.add(event, in: size, at: now)
    return recorder?.isFull == true
  }

  mutating func noteMoved() { moved = moved ?? .now }

  /// A view that shows the input is ready.
  mutating func noteSeen() {
    guard let moved else { return }
    inputMilliseconds = MonotonicTime.now.milliseconds(since: moved)
    self.moved = nil
  }
}
