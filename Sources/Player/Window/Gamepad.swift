internal import CGLFW

/// The state of a gamepad, in GLFW's common layout. A value; read on the main thread only.
public struct Gamepad: Sendable, Hashable {
  public var name: String
  public var left = Stick()
  public var right = Stick()
  /// From 0, at rest, to 1.
  public var leftTrigger = 0.0
  public var rightTrigger = 0.0
  public var buttons: Buttons = []

  /// From −1 to 1: + right and, as places in windows are, + down.
  public struct Stick: Sendable, Hashable {
    public var x: Double
    public var y: Double

    public init(x: Double = 0, y: Double = 0) {
      self.x = x
      self.y = y
    }
  }

  /// The buttons that are down.
  public struct Buttons: OptionSet, Sendable, Hashable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    // GLFW's numbers of them are the places of their bits.
    public static let a = Buttons(rawValue: 1 << 0)
    public static let b = Buttons(rawValue: 1 << 1)
    public static let x = Buttons(rawValue: 1 << 2)
    public static let y = Buttons(rawValue: 1 << 3)
    public static let leftBumper = Buttons(rawValue: 1 << 4)
    public static let rightBumper = Buttons(rawValue: 1 << 5)
    public static let back = Buttons(rawValue: 1 << 6)
    public static let start = Buttons(rawValue: 1 << 7)
  }

  public init(name: String) { self.name = name }

  /// The first connected gamepad with a known layout; nil where there is none. Requires `WindowSystem.start` or a
  /// window.
  public static var first: Gamepad? {
    (GLFW_JOYSTICK_1...GLFW_JOYSTICK_LAST).lazy.compactMap(Gamepad.init(joystick:)).first
  }

  /// Nil where no joystick is connected, or GLFW does not know its layout.
  private init?(joystick: Int32) {
    var state = GLFWgamepadstate()
    guard glfwGetGamepadState(joystick, &state) == GLFW_TRUE else { return nil }
    name = glfwGetGamepadName(joystick).map { String(cString: $0) } ?? ""
    let axes = state.axes
    (left.x, left.y) = (Self.axis(axes.0), Self.axis(axes.1))
    (right.x, right.y) = (Self.axis(axes.2), Self.axis(axes.3))
    // GLFW has triggers at rest at −1.
    (leftTrigger, rightTrigger) = ((Self.axis(axes.4) + 1) / 2, (Self.axis(axes.5) + 1) / 2)
    let down = state.buttons
    for (place, isDown) in [down.0, down.1, down.2, down.3, down.4, down.5, down.6, down.7].enumerated()
    where isDown == GLFW_PRESS {
      buttons.insert(Buttons(rawValue: 1 << UInt16(place)))
    }
  }

  private static func axis(_ value: Float) -> Double { value.isFinite ? min(max(Double(value), -1), 1) : 0 }
}
