import ArgumentParser
import Run
import Verdict

/// How many clips `run --scenario density` plays at once.
struct DensityOptions: ParsableArguments {
  @Option(.streams)
  var streams: Int?

  mutating func validate() throws { try Setting.streams.check(streams) }

  var settings: DensitySettings {
    var settings = DensitySettings()
    settings.streams = streams
    return settings
  }

  /// Why it does not go with the rest of the command, in a sentence; nil where it does.
  func conflict(_ jobs: [Job], tracing: TracingOptions) -> String? {
    let several = jobs.filter(\.scenario.playsSeveral)
    if streams != nil, several.isEmpty { return "--streams is of scenario density: add --scenario density." }
    if tracing.isWanted, !several.isEmpty { return "density has no times of frames: leave --trace and --frames out." }
    return nil
  }
}
