import Frames

/// A camera's way through keyframes, as a function of media time.
///
/// Before the first keyframe its values hold; after the last one the last's hold, or with `loops` the path starts again
/// at time 0, so that its period is the last keyframe's time. Angles are plain numbers and not taken round the shorter
/// way: from pan 0 to pan 720 the camera turns round twice.
public struct CameraPath: Sendable, Hashable, Codable {
  /// A moment and where the camera then looks, in degrees as in `Camera`; nil is the value that the path starts from.
  public struct Keyframe: Sendable, Hashable, Codable {
    public var time: MediaTime
    public var pan: Double?
    public var tilt: Double?
    public var roll: Double?
    public var fieldOfView: Double?
    /// How the camera gets from here to the next keyframe.
    public var easing: Easing

    public init(
      time: MediaTime, pan: Double? = nil, tilt: Double? = nil, roll: Double? = nil, fieldOfView: Double? = nil,
      easing: Easing = .linear
    ) {
      self.time = time
      self.pan = pan
      self.tilt = tilt
      self.roll = roll
      self.fieldOfView = fieldOfView
      self.easing = easing
    }

    fileprivate func camera(from start: Camera) -> Camera {
      Camera(
        pan: pan ?? start.pan, tilt: tilt ?? start.tilt, roll: roll ?? start.roll,
        fieldOfView: fieldOfView ?? start.fieldOfView)
    }
  }

  /// At least one, each later than the one before it.
  public let keyframes: [Keyframe]
  public let loops: Bool

  /// Nil when there is no keyframe, or one is negative in time or not later than the one before it.
  public init?(keyframes: [Keyframe], loops: Bool = false) {
    guard let first = keyframes.first, first.time >= .zero,
      zip(keyframes, keyframes.dropFirst()).allSatisfy({ $0.time < $1.time })
    else { return nil }
    self.keyframes = keyframes
    self.loops = loops
  }

  /// The camera at `time`; what no keyframe says is as in `start`. Allocates nothing.
  public func camera(from start: Camera, at time: MediaTime) -> Camera {
    let last = keyframes[keyframes.count - 1]
    let moment = place(time, period: last.time)
    let following = firstLater(than: moment)
    guard following > 0 else { return keyframes[0].camera(from: start) }
    let from = keyframes[following - 1]
    guard following < keyframes.count else { return from.camera(from: start) }
    let to = keyframes[following]
    let span = Double(to.time.nanoseconds - from.time.nanoseconds)
    let progress = from.easing.progress(Double(moment.nanoseconds - from.time.nanoseconds) / span)
    return from.camera(from: start).mixed(with: to.camera(from: start), progress)
  }

  private func place(_ time: MediaTime, period: MediaTime) -> MediaTime {
    guard loops, period > .zero else { return time }
    let rest = time.nanoseconds % period.nanoseconds
    return MediaTime(nanoseconds: rest < 0 ? rest + period.nanoseconds : rest)
  }

  /// Position of the first keyframe after `time`, by halving.
  private func firstLater(than time: MediaTime) -> Int {
    var (low, high) = (0, keyframes.count)
    while low < high {
      let middle = (low + high) / 2
      if keyframes[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Camera {
  fileprivate func mixed(with other: Camera, _ progress: Double) -> Camera {
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * progress }
    return Camera(
      pan: mix(pan, other.pan), tilt: mix(tilt, other.tilt), roll: mix(roll, other.roll),
      fieldOfView: mix(fieldOfView, other.fieldOfView))
  }
}
