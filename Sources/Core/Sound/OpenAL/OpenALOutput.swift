public import Frames
import Synchronization

/// A device that OpenAL Soft plays on: by PipeWire, PulseAudio, ALSA or JACK.
///
/// With headphones, what surrounds the listener is turned into two ears by HRTF, and ambisonic channels are turned by OpenAL, so that a
/// turn is heard with its next mix. Without, `StereoMix` decodes them as they are written, and a turn is heard behind the queue. It has no
/// thread of its own besides OpenAL's: `write`, `position` and `takePlayed` refill and empty its queue of 100 ms, so that one of them is to
/// be called more often than that. What is missing is told when samples come again; the end of a clip counts as no underrun.
public final class OpenALOutput: AudioOutput {
  public let name: String
  public let format: SoundFormat
  /// Sample frames between writing and OpenAL's mixer; the device's own latency comes on top.
  public let capacity: Int
  /// Whether OpenAL turns what surrounds the listener into two ears.
  public let usesHRTF: Bool
  private let player: Mutex<OpenALPlayer>
  private let now: @Sendable () -> MonotonicTime

  /// Opens the device; it stands until `play`.
  ///
  /// Throws `.device` where OpenAL Soft is not installed, no device has that name, or the device cannot be opened.
  ///
  /// - Parameters:
  ///   - name: as `SoundDevices.list` has it; nil: the default one.
  ///   - usesHeadphones: HRTF; nil: for ambisonic layouts, and for others where the system says that there are headphones.
  public convenience init(name: String?, format: SoundFormat, usesHeadphones: Bool? = nil) throws(Failure) {
    let usual: Bool? = format.layout.isAmbisonic ? true : nil
    let device = try OpenALDevice(
      name: name, sampleRate: format.sampleRate, usesHeadphones: usesHeadphones ?? usual)
    try self.init(device, format: format) { .now }
  }

  /// Plays into memory by `render`: for tests.
  package convenience init(
    loopback format: SoundFormat, usesHeadphones: Bool, now: @escaping @Sendable () -> MonotonicTime
  ) throws(Failure) {
    let device = try OpenALDevice(loopbackAt: format.sampleRate, usesHeadphones: usesHeadphones)
    try self.init(device, format: format, now: now)
  }

  private init(
    _ device: consuming OpenALDevice, format: SoundFormat, now: @escaping @Sendable () -> MonotonicTime
  ) throws(Failure) {
    (name, usesHRTF, capacity) = (device.name, device.usesHRTF, OpenALPlayer.capacity(format))
    soundLog.debug("opened a sound device", metadata: ["name": "\(device.name)", "hrtf": "\(device.usesHRTF)"])
    (self.format, self.now) = (format, now)
    player = Mutex(try OpenALPlayer(device, format: format))
  }

  public func write(_ samples: UnsafeBufferPointer<Float>) -> Int {
    player.withLock { $0.write(samples, now: now()) }
  }
  public func play() { player.withLock { $0.play(now()) } }
  public func pause() { player.withLock { $0.pause(now()) } }
  public func clear() { player.withLock { $0.clear(now()) } }
  public var position: SoundPosition? { player.withLock { $0.position(now()) } }
  public func takePlayed() -> [PlayedSound] { player.withLock { $0.takePlayed(now()) } }
  public var gain: Float {
    get { player.withLock { $0.gain } }
    set { player.withLock { $0.change(gain: newValue) } }
  }
  /// Nil: OpenAL does not tell when it mixes next.
  @discardableResult public func turn(pan: Double, tilt: Double, roll: Double) -> MonotonicTime? {
    let rotation = AmbisonicRotation(pan: pan, tilt: tilt, roll: roll)
    player.withLock { $0.turn(rotation) }
    return nil
  }
  public var failure: Failure? { player.withLock { $0.failure } }

  /// Of a loopback device: plays so many sample frames; interleaved stereo.
  package func render(_ count: Int) -> [Float] { player.withLock { $0.render(count) } }
}
