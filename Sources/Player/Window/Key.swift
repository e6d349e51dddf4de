/// A key by its place on a keyboard of US layout, with GLFW's number. What it types comes as a `character`.
public enum Key: Int32, Sendable, Hashable, CaseIterable {
  case unknown = -1
  case space = 32
  case apostrophe = 39
  case comma = 44
  case minus, period, slash
  case digit0 = 48
  case digit1, digit2, digit3, digit4, digit5, digit6, digit7, digit8, digit9
  case semicolon = 59
  case equal = 61
  case a = 65
  case b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z
  case leftBracket, backslash, rightBracket
  case grave = 96
  /// Between left shift and Z on most keyboards but those of the US.
  case world1 = 161
  case world2
  case escape = 256
  case enter, tab, backspace, insert, delete, right, left, down, up, pageUp, pageDown, home, end
  case capsLock = 280
  case scrollLock, numLock, printScreen, pause
  case f1 = 290
  case f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12
  case keypad0 = 320
  case keypad1, keypad2, keypad3, keypad4, keypad5, keypad6, keypad7, keypad8, keypad9
  case keypadDecimal, keypadDivide, keypadMultiply, keypadSubtract, keypadAdd, keypadEnter, keypadEqual
  case leftShift = 340
  case leftControl, leftAlt, leftCommand, rightShift, rightControl, rightAlt, rightCommand, menu
}
