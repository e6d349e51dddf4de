import ArgumentParser
import Decode
import Frames
import Run
import Sound
import Verdict
import Viewer

/// How `run` plays the sound of clips that have it.
struct SoundOptions: ParsableArguments {
  @Option(.audio)
  var audio: String?

  @Option(.audioTrack)
  var audioTrack = "auto"

  @Option(.audioDelay)
  var audioDelay = 0.0

  mutating func validate() throws {
    if let audio { _ = try output(audio) }
    _ = try track(audioTrack)
    try Setting.audioDelay.check(audioDelay)
  }

  var settings: RunSettings.Sound {
    var settings = RunSettings().sound
    (settings.output, settings.track, settings.delay) = (audio, audioTrack, audioDelay)
    return settings
  }
}

/// How `view` plays sound.
struct ViewSoundOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "'auto', the name of a device that 'bench360 devices' lists, 'off', 'null' (no sound, its timing), or 'file:FILE' (WAV).",
      valueName: "output"))
  var audio = "auto"

  @Option(
    help: ArgumentHelp(
      "'auto', which takes the language of LANG, else the default; a language, or a number from 1.", valueName: "track")
  )
  var audioTrack = "auto"

  @Option(
    help: ArgumentHelp("How loud at first, 0 to 100. (default: the settings file's, else 100)", valueName: "percent"))
  var volume: Double?

  @Flag(help: "Start without sound; the key m turns it on.")
  var mute = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Hear the sound later; negative: earlier. (default: the settings file's, else 0)", valueName: "ms"))
  var audioDelay: Double?

  @Option(
    help: ArgumentHelp(
      "'pause', or 'audio', which plays the sound on, while the window is minimised. (default: the settings file's, else pause)",
      valueName: "pause|audio"))
  var whenMinimised: WhenMinimised?

  enum WhenMinimised: String, ExpressibleByArgument, CaseIterable {
    case pause, audio
  }

  mutating func validate() throws {
    _ = try output(audio)
    _ = try track(audioTrack)
    if let volume, !(0...100).contains(volume) { throw ValidationError("--volume takes 0 to 100.") }
    try Setting.audioDelay.check(audioDelay)
  }

  /// What the viewer opens.
  func wish() throws -> Viewer.SoundWish {
    var wish = Viewer.SoundWish()
    (wish.output, wish.track, wish.isMuted) = (try output(audio), try track(audioTrack), mute)
    return wish
  }

  /// Changes the settings that the command line names.
  func apply(to settings: inout ViewerSettings) {
    if let volume { settings.volume = volume / 100 }
    if let audioDelay { settings.audioDelay = audioDelay / 1000 }
    if let whenMinimised { settings.hearsMinimised = whenMinimised == .audio }
  }
}

private func output(_ text: String) throws -> AudioOutputChoice {
  do throws(Failure) {
    return try AudioOutputChoice(text)
  } catch {
    throw ValidationError("\(error.description).")
  }
}

private func track(_ text: String) throws -> AudioWish {
  guard let wish = AudioWish(text) else {
    throw ValidationError("--audio-track \(text): take auto, off, a language such as en, or a number from 1.")
  }
  return wish
}
