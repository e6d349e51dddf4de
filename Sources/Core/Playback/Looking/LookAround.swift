import Frames
import Glibc
import Render

/// The user's view direction, and how input changes it: a drag, a wheel, held keys.
///
/// Pure: its input is places in pixels and instants; it knows no window and no clock. Angles are in degrees.
public struct LookAround: Sendable {
  public private(set) var camera: Camera
  /// The view at the start and after a reset.
  public let home: Camera
  /// Whether a view keeps turning when the drag ends (inertia).
  public var hasInertia = true
  private var grip: Grip?
  private var drift: Drift?
  /// Since when each held key turns the view beyond its first step.
  private var held: [Turn: MonotonicTime] = [:]
  /// Keys pressed since the last advance.
  private var pressed: [Turn] = []
  private var last: MonotonicTime?

  /// The effect of keys while they are held down.
  public enum Turn: String, Sendable, Hashable, CaseIterable, Codable {
    case left, right, up, down
    case rollLeft = "roll-left"
    case rollRight = "roll-right"
    case zoomIn = "zoom-in"
    case zoomOut = "zoom-out"
  }

  /// Vertical fields of view that fingers and wheels lead to, as HTY360Player has them; a command may ask for others.
  public static let fieldsOfView = 25.0...95.0
  /// Degrees a second while a key is held, where the view is as wide as it is at first.
  static let turnSpeed = 60.0
  /// Halvings of the field of view a second.
  static let zoomSpeed = 1.0
  /// Seconds of turning that the press of a key is worth at the next refresh, so that a short tap moves a visible step.
  static let firstStep = 0.08
  /// One step of a wheel multiplies the field of view by this.
  static let wheelStep = 0.9
  /// Seconds in which a drift loses all but 1/e of its speed, and the speed at which it ends, in degrees a second.
  static let driftTime = 0.325
  static let leastDrift = 0.5

  public init(home: Camera) {
    camera = home
    self.home = home
  }

  /// Whether the view changes without further input.
  public var isMoving: Bool { drift != nil || !held.isEmpty || !pressed.isEmpty }
  public var isHeld: Bool { grip != nil }
}

/// A drag in progress: the grabbed direction of the world, and the camera's recent movement.
private struct Grip: Sendable {
  var direction: Vector3
  var trail: [(time: MonotonicTime, pan: Double, tilt: Double)] = []

  /// Degrees a second over the last tenth of a second; nil where the hand had come to rest.
  func speed(at now: MonotonicTime) -> (pan: Double, tilt: Double)? {
    let lately = trail.filter { now.seconds(since: $0.time) <= 0.1 }
    guard let first = lately.first, let last = lately.last, now.seconds(since: last.time) < 0.05 else { return nil }
    let time = now.seconds(since: first.time)
    guard time > 0.005 else { return nil }
    return (LookAround.turned(last.pan - first.pan) / time, (last.tilt - first.tilt) / time)
  }
}

private struct Drift: Sendable {
  var pan: Double
  var tilt: Double
}

// Input. Places are in pixels from the top-left corner of the part of the target that shows one eye's view; its size
// is passed along.
extension LookAround {
  /// Grabs the direction seen at a place; inertia stops.
  public mutating func grab(_ x: Double, _ y: Double, in size: PictureSize, at now: MonotonicTime) {
    drift = nil
    grip = Grip(direction: camera.rays(size: size).through(x, y), trail: [(now, camera.pan, camera.tilt)])
  }

  /// The point that was grabbed stays under the hand, as far as the poles allow.
  public mutating func drag(to x: Double, _ y: Double, in size: PictureSize, at now: MonotonicTime) {
    guard var grip else { return }
    aim(at: grip.direction, through: x, y, in: size)
    grip.trail.append((now, camera.pan, camera.tilt))
    if grip.trail.count > 64 { grip.trail.removeFirst(32) }
    self.grip = grip
  }

  /// With inertia, keeps turning at the speed of the end of the drag; else rests.
  public mutating func letGo(at now: MonotonicTime) {
    defer { grip = nil }
    guard hasInertia, let speed = grip?.speed(at: now) else { return }
    drift = Drift(pan: speed.pan, tilt: speed.tilt)
    last = now
  }

  /// - Parameter steps: of a wheel; + comes nearer. The point under the hand stays there.
  public mutating func zoom(_ steps: Double, about x: Double, _ y: Double, in size: PictureSize) {
    let direction = camera.rays(size: size).through(x, y)
    setFieldOfView(camera.fieldOfView * pow(Self.wheelStep, steps))
    aim(at: direction, through: x, y, in: size)
  }

  /// Looks at the point from now on.
  public mutating func recentre(_ x: Double, _ y: Double, in size: PictureSize) {
    drift = nil
    aim(
      at: camera.rays(size: size).through(x, y), through: Double(size.width) / 2, Double(size.height) / 2, in: size)
  }

  /// A key was pressed or released. A press moves the view by a first step, however soon the release follows.
  public mutating func hold(_ turn: Turn, _ isDown: Bool, at now: MonotonicTime) {
    _ = advance(to: now)
    guard isDown else { return held[turn] = nil }
    drift = nil
    pressed.append(turn)
    held[turn] = now.advanced(byMilliseconds: Self.firstStep * 1000)
  }

  /// Whether the key of a turn is down.
  public func holds(_ turn: Turn) -> Bool { held[turn] != nil }

  /// Releases all keys: the window lost the keyboard focus.
  public mutating func releaseAll() {
    (held, pressed) = ([:], [])
    grip = nil
  }

  /// Back to where the view began.
  public mutating func reset() {
    camera = home
    drift = nil
  }

  /// Looks in a direction that came from elsewhere, a sensor or a command; a drift ends.
  public mutating func look(_ camera: Camera) {
    drift = nil
    self.camera = camera
    self.camera.pan = Self.turned(camera.pan)
    self.camera.tilt = min(max(camera.tilt, -90), 90)
    self.camera.roll = Self.turned(camera.roll)
  }
}

// Change over time.
extension LookAround {
  /// Keys that are down and drifts turn the view; whether anything changed.
  public mutating func advance(to now: MonotonicTime) -> Bool {
    defer { last = now }
    guard let last, now > last, isMoving else { return false }
    let before = camera
    let seconds = now.seconds(since: last)
    let (held, first) = (held, pressed)
    pressed = []
    if !held.isEmpty || !first.isEmpty {
      turn { turn in
        let whileDown = held[turn].map { min(max(now.seconds(since: max($0, last)), 0), 0.25) } ?? 0
        return whileDown + Double(first.count { $0 == turn }) * Self.firstStep
      }
    }
    if drift != nil, grip == nil { float(for: seconds) }
    return camera != before
  }

  /// - Parameter seconds: that each key turns the view for.
  private mutating func turn(_ seconds: (Turn) -> Double) {
    func way(_ plus: Turn, _ minus: Turn) -> Double { seconds(plus) - seconds(minus) }
    // As fast across the window however narrow the view is.
    let speed = Self.turnSpeed * camera.fieldOfView / home.fieldOfView
    camera.pan = Self.turned(camera.pan + speed * way(.right, .left))
    camera.tilt = min(max(camera.tilt + speed * way(.up, .down), -90), 90)
    camera.roll = Self.turned(camera.roll + Self.turnSpeed * way(.rollRight, .rollLeft))
    let zoom = way(.zoomIn, .zoomOut)
    if zoom != 0 { setFieldOfView(camera.fieldOfView * pow(2, -Self.zoomSpeed * zoom)) }
  }

  private mutating func float(for seconds: Double) {
    guard var drift else { return }
    let left = exp(-seconds / Self.driftTime)
    let way = Self.driftTime * (1 - left)
    camera.pan = Self.turned(camera.pan + drift.pan * way)
    let tilt = camera.tilt + drift.tilt * way
    camera.tilt = min(max(tilt, -90), 90)
    drift = Drift(pan: drift.pan * left, tilt: camera.tilt == tilt ? drift.tilt * left : 0)
    self.drift = abs(drift.pan) + abs(drift.tilt) < Self.leastDrift ? nil : drift
  }

  /// Wheels stay within the usual; a view that is wider or narrower already is not pushed there.
  private mutating func setFieldOfView(_ wanted: Double) {
    let low = min(Self.fieldsOfView.lowerBound, camera.fieldOfView)
    let high = max(Self.fieldsOfView.upperBound, camera.fieldOfView)
    camera.fieldOfView = min(max(wanted, low), high)
  }
}

// Geometry.
extension LookAround {
  /// Turns the camera, without rolling it, so that a direction of the world is seen at a place; where the poles forbid
  /// that, as near as they allow.
  private mutating func aim(at direction: Vector3, through x: Double, _ y: Double, in size: PictureSize) {
    var upright = camera
    (upright.pan, upright.tilt) = (0, 0)
    // The ray in the axes of a camera that is rolled but neither tilted nor panned.
    let ray = upright.rays(size: size).through(x, y).normalised
    let wanted = direction.normalised
    // Tilting turns y and z: y cos t + z sin t must be the direction's height.
    let reach = (ray.y * ray.y + ray.z * ray.z).squareRoot()
    guard reach > 1e-9 else { return }
    let start = atan2(ray.y, ray.z)
    let rise = asin(min(max(wanted.y / reach, -1), 1))
    let tilts = [rise - start, .pi - rise - start].map { Self.turned($0 * 180 / .pi) }
    let tilt = tilts.min { abs($0 - camera.tilt) < abs($1 - camera.tilt) } ?? camera.tilt
    camera.tilt = min(max(tilt, -90), 90)
    upright.tilt = camera.tilt
    let tilted = upright.rays(size: size).through(x, y)
    guard hypot(tilted.x, tilted.z) > 1e-9, hypot(wanted.x, wanted.z) > 1e-9 else { return }
    camera.pan = Self.turned((atan2(wanted.x, wanted.z) - atan2(tilted.x, tilted.z)) * 180 / .pi)
  }

  /// The same angle from −180 to 180.
  static func turned(_ degrees: Double) -> Double { remainder(degrees, 360) }
}

extension Vector3 {
  fileprivate var normalised: Vector3 { (1 / dot(self).squareRoot()) * self }
}
