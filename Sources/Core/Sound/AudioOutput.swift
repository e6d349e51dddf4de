import Frames

/// A device that plays samples and tells which of them is heard.
///
/// Sample frames are counted from the first one written since the output was opened or last cleared. Any thread may call any
/// member, and none waits for the device; one thread at a time writes.
public protocol AudioOutput: AnyObject, Sendable {
  /// For people and records: `null`, or the device's own name.
  var name: String { get }
  /// What `write` takes. Channels that the device lacks are mixed into the ones that it has.
  var format: SoundFormat { get }
  /// Sample frames that it holds before they are heard, at most.
  var capacity: Int { get }

  /// Takes as many sample frames as there is room for.
  ///
  /// - Parameter samples: interleaved; whole sample frames.
  /// - Returns: sample frames taken; 0 when it is full.
  func write(_ samples: UnsafeBufferPointer<Float>) -> Int
  /// Plays what is written, now and later, until `pause`.
  func play()
  /// Stands; what is written and not heard stays.
  func pause()
  /// Drops all that is written and not heard, without a click; counting begins again at 0.
  func clear()

  /// Which sample frame is heard at which instant, as the device tells it; nil before the first one is heard.
  var position: SoundPosition? { get }
  /// Periods that were played since the last call, oldest first: the truth where the device knows it, else by its position.
  func takePlayed() -> [PlayedSound]

  /// 0 … 1; a new value is reached by a ramp, without a click.
  var gain: Float { get set }
  /// Turns the listener's head: ambisonic channels stay where they are in the scene. In degrees, as the camera's: pan to the right,
  /// tilt up, roll clockwise.
  ///
  /// - Returns: when the first sample of the new direction is heard; nil where the device does not tell, or stands.
  @discardableResult func turn(pan: Double, tilt: Double, roll: Double) -> MonotonicTime?

  /// Why the device has stopped for good, such as being unplugged; nil while it plays.
  var failure: Failure? { get }
}

/// A place among the sample frames written, at one instant.
public struct SoundPosition: Sendable, Hashable {
  /// With a fraction, where the device tells it that exactly.
  public var sampleFrame: Double
  public var instant: MonotonicTime

  public init(sampleFrame: Double, instant: MonotonicTime) {
    (self.sampleFrame, self.instant) = (sampleFrame, instant)
  }
}

/// A stretch of sound as it was heard.
public struct PlayedSound: Sendable, Hashable {
  /// When its first sample was heard.
  public var instant: MonotonicTime
  /// The first sample frame of ours in it.
  public var first: Int
  /// Sample frames of ours.
  public var count: Int
  /// Sample frames of silence behind them that the device played because none of ours was there.
  public var missing: Int

  public init(instant: MonotonicTime, first: Int, count: Int, missing: Int = 0) {
    (self.instant, self.first, self.count, self.missing) = (instant, first, count, missing)
  }
}
