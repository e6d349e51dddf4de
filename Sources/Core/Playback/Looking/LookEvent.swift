import Frames
import Render

/// An input event. Places are in pixels from the top-left corner of one eye's view, whose size is passed along.
public enum LookEvent: Sendable, Hashable, Codable {
  case grab(x: Double, y: Double)
  case drag(x: Double, y: Double)
  case letGo
  /// Steps of a wheel, + comes nearer, at the place where the hand is.
  case zoom(steps: Double, x: Double, y: Double)
  case recentre(x: Double, y: Double)
  case hold(LookAround.Turn)
  case release(LookAround.Turn)
  /// The window lost the keyboard focus.
  case releaseAll
  case reset
  /// An absolute direction, from a sensor or a stick.
  case look(Camera)

  /// Whether the event itself redraws the view. Held keys and inertia turn the view as time passes.
  public var redraws: Bool {
    switch self {
    case .grab, .drag, .zoom, .recentre, .reset, .look: true
    case .letGo, .hold, .release, .releaseAll: false
    }
  }

  /// Whether the view may move from now on, though it has not yet.
  var setsOff: Bool {
    switch self {
    case .letGo, .hold: true
    default: false
    }
  }

  /// Whether it only ends an earlier event's effect, such as a drag.
  var ends: Bool {
    switch self {
    case .letGo, .release, .releaseAll: true
    default: false
    }
  }

  /// At the place of another view that lies as far from its edges.
  public func scaled(from: PictureSize, to: PictureSize) -> LookEvent {
    guard from != to, from.width > 0, from.height > 0 else { return self }
    let (across, down) = (Double(to.width) / Double(from.width), Double(to.height) / Double(from.height))
    switch self {
    case .grab(let x, let y): return .grab(x: x * across, y: y * down)
    case .drag(let x, let y): return .drag(x: x * across, y: y * down)
    case .zoom(let steps, let x, let y): return .zoom(steps: steps, x: x * across, y: y * down)
    case .recentre(let x, let y): return .recentre(x: x * across, y: y * down)
    case .letGo, .hold, .release, .releaseAll, .reset, .look: return self
    }
  }
}

extension LookAround {
  /// - Parameters:
  ///   - size: of the eye's view that the event's place lies in.
  ///   - now: the refresh at which it is taken.
  public mutating func perform(_ event: LookEvent, in size: PictureSize, at now: MonotonicTime) {
    switch event {
    case .grab(let x, let y): grab(x, y, in: size, at: now)
    case .drag(let x, let y): drag(to: x, y, in: size, at: now)
    case .letGo: letGo(at: now)
    case .zoom(let steps, let x, let y): zoom(steps, about: x, y, in: size)
    case .recentre(let x, let y): recentre(x, y, in: size)
    case .hold(let turn): hold(turn, true, at: now)
    case .release(let turn): hold(turn, false, at: now)
    case .releaseAll: releaseAll()
    case .reset: reset()
    case .look(let camera): look(camera)
    }
  }
}
