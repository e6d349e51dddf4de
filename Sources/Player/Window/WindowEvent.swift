import Frames

/// An event of a window. Places are in pixels from its top-left corner.
public enum WindowEvent: Sendable, Hashable {
  case key(Key, KeyAction, Modifiers)
  /// A typed character, by the keyboard's layout.
  case character(Unicode.Scalar)
  case pointerMoved(PointerPlace)
  case pointerEntered
  case pointerLeft
  case button(PointerButton, isPressed: Bool, Modifiers)
  /// Steps of a wheel, parts of them from a touchpad: + right and up.
  case scroll(right: Double, up: Double)
  /// Paths of files that were dropped.
  case drop([String])
  /// The framebuffer's new size in pixels; 0 × 0 while minimised.
  case resized(width: Int, height: Int)
  case focused(Bool)
  case minimised(Bool)
  /// The user asked to close the window, which stays open until `close`.
  case closeRequested
}

public struct PointerPlace: Sendable, Hashable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

public enum KeyAction: Int32, Sendable, Hashable {
  case released, pressed, repeated
}

public enum PointerButton: Sendable, Hashable {
  case left, right, middle
  /// 4 and up.
  case other(Int)

  init(_ code: Int32) {
    switch code {
    case 0: self = .left
    case 1: self = .right
    case 2: self = .middle
    default: self = .other(Int(code) + 1)
    }
  }
}

/// Keys that were held down.
public struct Modifiers: OptionSet, Sendable, Hashable {
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let shift = Modifiers(rawValue: 1)
  public static let control = Modifiers(rawValue: 2)
  public static let alt = Modifiers(rawValue: 4)
  public static let command = Modifiers(rawValue: 8)
}
