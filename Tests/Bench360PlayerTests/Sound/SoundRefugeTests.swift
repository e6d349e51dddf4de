import Bench360Player
import Frames
import Sound
import Testing

/// Where sound goes when its device was unplugged.
@Suite struct SoundRefugeTests {
  private static let format = SoundFormat(sampleRate: 48_000, layout: .stereo)
  private static let lost = Failure(
    .deviceLost, "cannot continue the sound", cause: "the sound device 'A' was unplugged", remedy: "choose another one")

  /// A default device that stops as well is not opened again: there is silence then.
  @Test func theDefaultDeviceIsTriedOnce() {
    let refuge = SoundRefuge(isDevice: true)
    var opened = 0
    func other() -> any AudioOutput {
      refuge.output(Self.format) { format throws(Failure) in
        opened += 1
        return NullOutput(format: format, options: .init())
      }
    }
    _ = (other(), other(), other())
    #expect(opened == 1)
    // A file or the null device has none to go to.
    _ = SoundRefuge(isDevice: false).output(Self.format) { format throws(Failure) in
      opened += 1
      return nil
    }
    #expect(opened == 1)
    let silent = SoundRefuge(isDevice: true).output(Self.format) { _ throws(Failure) in throw Self.lost }
    #expect(silent.name == NullOutput.usualName && silent.format == Self.format)
  }

  @Test func theUserIsToldWhereItGoesOn() {
    #expect(
      SoundRefuge.told(Self.lost, goesOnAt: "B").description
        == "cannot continue the sound: the sound device 'A' was unplugged — it goes on at 'B'")
    #expect(SoundRefuge.told(Self.lost, goesOnAt: NullOutput.usualName) == Self.lost)
    let damaged = Failure(.media, "cannot decode the sound", cause: "it is damaged")
    #expect(SoundRefuge.told(damaged, goesOnAt: "B") == damaged)
  }
}
