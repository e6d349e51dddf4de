import Frames
import Glibc
import Playback
import Render
import Window

/// Hands on a gamepad: the left stick turns the view, the right one comes nearer and goes back, triggers roll, buttons do
/// what keys do. Pure.
public struct GamepadHand: Sendable {
  /// What comes of one refresh.
  public struct Effect: Sendable, Hashable {
    /// Where the view looks now; nil: where it did.
    public var camera: Camera?
    /// Those whose button went down.
    public var actions: [ViewerAction] = []
  }

  private var last: MonotonicTime?
  /// Nil: there was no gamepad. What is down when one appears was pressed for somebody else.
  private var buttons: Gamepad.Buttons?

  /// How far a stick may hang out of its middle and mean nothing, as a share of its way.
  static let deadZone = 0.15
  /// Degrees a second at the end of a stick's way, in a view as wide as at home, and of a trigger's.
  static let (turnSpeed, rollSpeed) = (120.0, 60.0)
  /// Halvings of the field of view a second.
  static let zoomSpeed = 1.0

  static let actions: [(button: Gamepad.Buttons, action: ViewerAction)] = [
    (.a, .playOrPause), (.b, .resetView), (.leftBumper, .skip(-5)), (.rightBumper, .skip(5)),
  ]

  public init() {}

  /// - Parameters:
  ///   - gamepad: nil where none is connected: all its sticks are let go of.
  ///   - now: the refresh at which what is drawn is seen.
  public mutating func advance(
    _ gamepad: Gamepad?, to now: MonotonicTime, camera: Camera, home: Camera
  ) -> Effect {
    var effect = Effect()
    let seconds = last.map { min(max(now.seconds(since: $0), 0), 0.25) } ?? 0
    last = now
    defer { buttons = gamepad?.buttons }
    guard let gamepad else { return effect }
    let moved = Self.move(camera, gamepad, home: home, seconds)
    if moved != camera { effect.camera = moved }
    if let before = buttons {
      let pressed = gamepad.buttons.subtracting(before)
      effect.actions = Self.actions.filter { pressed.contains($0.button) }.map(\.action)
    }
    return effect
  }

  private static func move(_ camera: Camera, _ gamepad: Gamepad, home: Camera, _ seconds: Double) -> Camera {
    var camera = camera
    let turn = answer(gamepad.left)
    let speed = turnSpeed * camera.fieldOfView / home.fieldOfView * seconds
    camera.pan += turn.x * speed
    camera.tilt = min(max(camera.tilt - turn.y * speed, -90), 90)
    camera.roll += (answer(gamepad.rightTrigger) - answer(gamepad.leftTrigger)) * rollSpeed * seconds
    let zoom = -answer(gamepad.right.y) * zoomSpeed * seconds
    if zoom != 0 {
      // As with a wheel: what a command asked for beyond the usual is not taken away, nor made more of.
      let (low, high) = (LookAround.fieldsOfView.lowerBound, LookAround.fieldsOfView.upperBound)
      let wanted = camera.fieldOfView * exp2(-zoom)
      camera.fieldOfView = min(max(wanted, min(low, camera.fieldOfView)), max(high, camera.fieldOfView))
    }
    return camera
  }

  /// Nothing inside the dead zone, then the square of the rest of the way: fine near the middle, full at the end.
  static func answer(_ way: Double) -> Double {
    let rest = min(max((abs(way) - deadZone) / (1 - deadZone), 0), 1)
    return way < 0 ? -rest * rest : rest * rest
  }

  /// The same for a stick, by how far it is from its middle: it goes where it points.
  static func answer(_ stick: Gamepad.Stick) -> Gamepad.Stick {
    let way = (stick.x * stick.x + stick.y * stick.y).squareRoot()
    guard way > 0 else { return Gamepad.Stick() }
    let factor = answer(way) / way
    return Gamepad.Stick(x: stick.x * factor, y: stick.y * factor)
  }
}
