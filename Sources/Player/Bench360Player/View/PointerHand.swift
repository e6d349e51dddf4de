import Frames
import Window

/// Pointer gestures: clicks, double clicks and drags from movements and one button. Pure.
package struct PointerHand: Sendable {
  package enum Gesture: Sendable, Hashable {
    case grab(PointerPlace)
    case drag(PointerPlace)
    case letGo
    /// Replaces a second grab.
    case doubleClick(PointerPlace)
  }

  package private(set) var place = PointerPlace(x: 0, y: 0)
  private var isDown = false
  private var lastClick: (place: PointerPlace, time: MonotonicTime)?

  /// Limits of a double click: milliseconds and pixels between its two clicks.
  static let (soon, near) = (400.0, 8.0)

  package init() {}

  package mutating func moved(to place: PointerPlace) -> Gesture? {
    self.place = place
    return isDown ? .drag(place) : nil
  }

  package mutating func button(_ isPressed: Bool, at now: MonotonicTime) -> Gesture? {
    guard isPressed else {
      defer { isDown = false }
      return isDown ? .letGo : nil
    }
    if let last = lastClick, now.milliseconds(since: last.time) <= Self.soon,
      abs(last.place.x - place.x) <= Self.near, abs(last.place.y - place.y) <= Self.near
    {
      lastClick = nil
      return .doubleClick(place)
    }
    lastClick = (place, now)
    isDown = true
    return .grab(place)
  }
}
