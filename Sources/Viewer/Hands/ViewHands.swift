import Frames
import Playback
import Render
import Window

/// The hands on a view: a pointer, a head, a gamepad, and where it looks because of them.
struct ViewHands {
  var look = LookAround(home: Camera())
  var pointer = PointerHand()
  var head = HeadHand()
  var gamepad = GamepadHand()
  private(set) var recorder: LookRecorder?
  /// When the refresh began that saw a hand move the view; nil once a view shows it.
  private var moved: MonotonicTime?
  /// From a hand's movement to the last view that showed one.
  private(set) var inputMilliseconds: Double?

  init(_ options: Viewer.Hands) {
    look.hasInertia = options.hasInertia
    recorder = options.isRecorded ? LookRecorder() : nil
  }

  /// Another clip is looked at.
  mutating func startOver(from home: Camera) {
    let hasInertia = look.hasInertia
    look = LookAround(home: home)
    look.hasInertia = hasInertia
  }

  /// Something is done to the view; gives whether the recording has become full by it.
  mutating func act(_ event: LookEvent, in size: PictureSize, at now: MonotonicTime) -> Bool {
    look.perform(event, in: size, at: now)
    guard recorder?.isFull == false else { return false }
    recorder?.add(event, in: size, at: now)
    return recorder?.isFull == true
  }

  mutating func noteMoved() { moved = moved ?? .now }

  /// A view that shows what a hand did is ready.
  mutating func noteSeen() {
    guard let moved else { return }
    inputMilliseconds = MonotonicTime.now.milliseconds(since: moved)
    self.moved = nil
  }
}
