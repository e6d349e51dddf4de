import ArgumentParser
import Run
import Verdict

/// How many players load the stream of a trial, and what they do with it.
struct ClientOptions: ParsableArguments {
  @Option(.clients)
  var count = 1

  @Option(.decoding)
  var decoding: ClientSettings.Decoding?

  @Option(.stagger)
  var stagger: Double?

  mutating func validate() throws {
    let settings = settings
    let most = ClientSettings.most(settings.decoding)
    guard ClosedRange(from: 1, through: most).contains(count) else {
      throw ValidationError(
        "--clients must be between 1 and \(most) with \(settings.decoding.rawValue) decoding: each has threads and a buffer of its "
          + "own.")
    }
    try Setting.stagger.check(stagger)
    if stagger != nil, count == 1 { throw ValidationError("--stagger is of several clients: add --clients.") }
  }

  var settings: ClientSettings {
    var settings = ClientSettings()
    settings.count = count
    settings.decoding = decoding ?? (count > 1 ? .virtual : .real)
    settings.stagger = stagger ?? settings.stagger
    return settings
  }
}

extension ClientSettings.Decoding: ExpressibleByArgument {}

extension ClientOptions {
  /// Why other options of `run` do not go with these, in a sentence; nil where they do.
  func conflict(sound: SoundOptions, pacing: PacingOptions, tracing: TracingOptions) -> String? {
    let settings = settings
    guard settings.count > 1 || settings.decoding == .virtual else { return nil }
    let players = settings.count > 1 ? "--clients above 1" : "--decoding virtual"
    if let audio = sound.audio, audio != "off" { return "\(players) loads no sound: leave --audio out." }
    if pacing.present == .window { return "\(players) shows no window: leave --present out." }
    if tracing.events != nil, settings.count > 1 { return "\(players) tells no events: leave --events out." }
    if tracing.frames != nil { return "\(players) has no table of frames: leave --frames out." }
    return nil
  }
}
