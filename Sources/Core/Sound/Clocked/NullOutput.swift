public import Frames
import Synchronization

/// A device made of a clock, without sound: it takes samples and tells positions as a sound card does, and faults can be planted in it.
///
/// While it plays, it takes a period of samples out of its buffer whenever its clock has passed one; where fewer are there, silence
/// fills the rest and is missing in `takePlayed`. It begins with the first sample that is written since it was opened or cleared, and
/// pausing stops the whole of it at once. It has no thread: each call first plays what the clock is due, so that the same calls at the
/// same instants give the same results. After the last sample it counts what is missing until it is paused or cleared.
public final class NullOutput: AudioOutput {
  /// How the device behaves; spans outside the limits count as the nearest limit.
  public struct Options: Sendable, Hashable {
    /// Taken out of the buffer at a time; up to 1 s.
    public var period = MediaTime(nanoseconds: 10_000_000)
    /// From leaving the buffer to being heard; up to 10 s.
    public var latency = MediaTime(nanoseconds: 40_000_000)
    /// What the buffer holds; two periods to 60 s.
    public var capacity = MediaTime(nanoseconds: 200_000_000)
    /// The device's clock against CLOCK_MONOTONIC in parts per million, positive: fast. The position tells it as it is.
    public var clockDrift = 0.0
    /// A fault: what is heard is later than told by this; negative: earlier. Up to 10 s.
    public var offset = MediaTime.zero
    /// A fault: what is heard is later than told by so many parts per million of the time that the device has run.
    public var drift = 0.0
    /// A fault: silence although samples are there.
    public var underruns: [PlantedUnderrun] = []

    public init() {}
  }

  /// Silence that the device plays although samples are there.
  public struct PlantedUnderrun: Sendable, Hashable {
    /// Since the device began to run, pauses not counted.
    public var at: MediaTime
    public var duration: MediaTime

    public init(at: MediaTime, duration: MediaTime) {
      (self.at, self.duration) = (at, duration)
    }
  }

  /// Interleaved stereo samples, and when they were heard in truth.
  public typealias Tap = @Sendable (_ samples: [Float], _ sound: PlayedSound) -> Void

  public let name: String
  /// Of the device that plays into nothing.
  public static let usualName = "null"
  public let format: SoundFormat
  public let capacity: Int
  private let device: Mutex<ClockedDevice>
  private let now: @Sendable () -> MonotonicTime
  private let onPlayed: Tap?

  /// - Parameters:
  ///   - now: the clock, which runs forward.
  ///   - onPlayed: gets each stretch of a period, silence included, once it was heard, oldest first, in the call of this object that finds
  ///     that out; it must not call this object. Rotation and gain are those of the instant at which the period left the buffer. After
  ///     `clear` comes what fades out. Where no call came for more than 1000 periods, silence has no samples.
  public convenience init(
    format: SoundFormat, options: Options = Options(), now: @escaping @Sendable () -> MonotonicTime = { .now },
    onPlayed: Tap? = nil
  ) {
    self.init(name: Self.usualName, format: format, options: options, now: now, onPlayed: onPlayed)
  }

  init(
    name: String, format: SoundFormat, options: Options, now: @escaping @Sendable () -> MonotonicTime, onPlayed: Tap?
  ) {
    let plan = DevicePlan(options, format: format)
    (self.name, self.format, self.now, self.onPlayed) = (name, format, now, onPlayed)
    capacity = plan.capacity
    device = Mutex(ClockedDevice(format: format, plan: plan, renders: onPlayed != nil))
  }

  public func write(_ samples: UnsafeBufferPointer<Float>) -> Int {
    device.withLock { device in
      let (taken, heard) = device.write(samples, now: now())
      hand(heard)
      return taken
    }
  }

  public func play() { device.withLock { hand($0.play(now())) } }
  public func pause() { device.withLock { hand($0.pause(now())) } }
  /// Stretches that were not taken by `takePlayed` are dropped as well.
  public func clear() { device.withLock { hand($0.clear(now())) } }

  public var position: SoundPosition? {
    device.withLock { device in
      let now = now()
      hand(device.advance(to: now))
      return device.position(now)
    }
  }

  /// Each stretch once it was heard to its end; at most the latest 5,000 to 10,000.
  public func takePlayed() -> [PlayedSound] {
    device.withLock { device in
      hand(device.advance(to: now()))
      return device.takePlayed()
    }
  }

  public var gain: Float {
    get { device.withLock { $0.targetGain } }
    set {
      device.withLock { device in
        hand(device.advance(to: now()))
        device.change(gain: newValue)
      }
    }
  }

  @discardableResult public func turn(pan: Double, tilt: Double, roll: Double) -> MonotonicTime? {
    let rotation = AmbisonicRotation(pan: pan, tilt: tilt, roll: roll)
    return device.withLock { device in
      hand(device.advance(to: now()))
      return device.change(rotation: rotation)
    }
  }

  /// Nil: a clock does not stop.
  public var failure: Failure? { nil }

  /// Inside the lock, so that the order is that of the sound.
  private func hand(_ heard: [ClockedDevice.Heard]) {
    guard let onPlayed else { return }
    for stretch in heard { onPlayed(stretch.samples, stretch.sound) }
  }
}
