import Bench360Player
import Frames
import Glibc
import Window

/// Gamepad input: the left stick turns the view, the right one zooms, triggers roll, buttons do
/// what keys do. Pure.
package struct GamepadHand: Sendable {
  /// The effect of one refresh.
  package struct Effect: Sendable, Hashable {
    /// The new camera; nil: unchanged.
    package var camera: SphereView?
    /// The actions of buttons pressed since the last refresh.
    package var actions: [ViewerAction] = []
  }

  private var last: MonotonicTime?
  /// Nil: there was no gamepad. Buttons already held when one appears are ignored.
  private var buttons: Gamepad.Buttons?

  /// Deflection of a stick that counts as centred, as a share of its range.
  static let deadZone = 0.15
  /// Degrees a second at full deflection of a stick, at the home field of view, and of a trigger.
  static let (turnSpeed, rollSpeed) = (120.0, 60.0)
  /// Halvings of the field of view a second.
  static let zoomSpeed = 1.0

  static let actions: [(button: Gamepad.Buttons, action: ViewerAction)] = [
    (.a, .playOrPause), (.b, .resetView), (.leftBumper, .skip(-5)), (.rightBumper, .skip(5)),
  ]

  package init() {}

  /// - Parameters:
  ///   - gamepad: nil if none is connected: all its sticks count as centred.
  ///   - now: the display time of the refresh being drawn.
  package mutating func advance(
    _ gamepad: Gamepad?, to now: MonotonicTime, camera: SphereView, home: SphereView
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

  private static func move(_ camera: SphereView, _ gamepad: Gamepad, home: SphereView, _ seconds: Double) -> SphereView
  {
    var camera = camera
    let turn = answer(gamepad.left)
    let speed = turnSpeed * camera.fieldOfView / home.fieldOfView * seconds
    camera.pan += turn.x * speed
    camera.tilt = min(max(camera.tilt - turn.y * speed, -90), 90)
    camera.roll += (answer(gamepad.rightTrigger) - answer(gamepad.leftTrigger)) * rollSpeed * seconds
    let zoom = -answer(gamepad.right.y) * zoomSpeed * seconds
    if zoom != 0 {
      // As with a wheel: a field of view that a command set beyond the usual range is kept, and not extended.
      let (low, high) = (LookAround.fieldsOfView.lowerBound, LookAround.fieldsOfView.upperBound)
      let wanted = camera.fieldOfView * exp2(-zoom)
      camera.fieldOfView = min(max(wanted, min(low, camera.fieldOfView)), max(high, camera.fieldOfView))
    }
    return camera
  }

  /// Zero inside the dead zone, then the square of the rest of the range: fine near the centre, full at the end.
  static func answer(_ way: Double) -> Double {
    let rest = min(max((abs(way) - deadZone) / (1 - deadZone), 0), 1)
    return way < 0 ? -rest * rest : rest * rest
  }

  /// The same for a stick, by its distance from the centre: the direction is kept.
  static func answer(_ stick: Gamepad.Stick) -> Gamepad.Stick {
    let way = (stick.x * stick.x + stick.y * stick.y).squareRoot()
    guard way > 0 else { return Gamepad.Stick() }
    let factor = answer(way) / way
    return Gamepad.Stick(x: stick.x * factor, y: stick.y * factor)
  }
}
