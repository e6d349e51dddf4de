import Frames
import Playback
import Sound
import Support
import Synchronization
import Testing

/// The thread that plays sound, where its device stops for good.
@Suite struct SoundPlayerTests {
  /// A device that is unplugged when the test says so: the null device under another name.
  private final class Unplugged: AudioOutput {
    private let device: NullOutput
    private let isGone = Atomic<Bool>(false)
    let name: String
    var format: SoundFormat { device.format }
    var capacity: Int { device.capacity }

    init(_ name: String, _ format: SoundFormat) { (self.name, device) = (name, NullOutput(format: format)) }

    func unplug() { isGone.store(true, ordering: .releasing) }

    var failure: Failure? {
      guard isGone.load(ordering: .acquiring) else { return nil }
      return Failure(.deviceLost, "cannot continue the sound", cause: "the sound device '\(name)' was unplugged")
    }
    func write(_ samples: UnsafeBufferPointer<Float>) -> Int { device.write(samples) }
    func play() { device.play() }
    func pause() { device.pause() }
    func clear() { device.clear() }
    var position: SoundPosition? { device.position }
    func takePlayed() -> [PlayedSound] { device.takePlayed() }
    var gain: Float {
      get { device.gain }
      set { device.gain = newValue }
    }
    @discardableResult func turn(pan: Double, tilt: Double, roll: Double) -> MonotonicTime? {
      device.turn(pan: pan, tilt: tilt, roll: roll)
    }
  }

  private static let format = SoundFormat(sampleRate: CountedSound.rate, layout: .stereo)

  /// The sound goes on at the other device, with its volume, and the clock with it.
  @Test func anUnpluggedDeviceIsReplaced() throws {
    let (first, second) = (Unplugged("first", Self.format), Unplugged("second", Self.format))
    let player = SoundPlayer(CountedSound(seconds: 600, layout: .stereo), output: first, fallback: { _ in second })
    defer { player.stop() }
    player.setGain(0.25)
    player.waitUntilReady()
    player.clock.start(at: .zero, instant: .now, rate: 1)
    #expect(Patience.until { player.clock.position(at: .now).seconds > 0.2 })
    #expect(player.failure == nil && player.outputName == "first")
    first.unplug()
    #expect(Patience.until { player.failure != nil })
    #expect(player.failure?.kind == .deviceLost && player.outputName == "second" && second.gain == 0.25)
    let place = player.clock.position(at: .now).seconds
    #expect(Patience.until { player.clock.position(at: .now).seconds > place + 0.3 })
    #expect(Patience.until { second.position != nil })
    // The first failure is the one that is told.
    second.unplug()
    #expect(player.failure?.cause.contains("first") == true)
  }

  /// Without another one the clock runs on.
  @Test func withoutAnotherDeviceThereIsSilence() throws {
    let device = Unplugged("only", Self.format)
    let player = SoundPlayer(CountedSound(seconds: 600, layout: .stereo), output: device)
    defer { player.stop() }
    player.waitUntilReady()
    player.clock.start(at: .zero, instant: .now, rate: 1)
    device.unplug()
    #expect(Patience.until { player.failure != nil })
    let place = player.clock.position(at: .now).seconds
    #expect(Patience.until { player.clock.position(at: .now).seconds > place + 0.3 })
  }
}
