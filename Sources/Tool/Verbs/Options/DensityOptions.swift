import ArgumentParser
import Run

/// How many clips `run --scenario density` plays at once.
struct DensityOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "So many streams of the clip at once, for --scenario density. (default: the most that are in real time are looked for)",
      valueName: "n"))
  var streams: Int?

  mutating func validate() throws {
    guard streams.map({ (1...DensitySettings.most).contains($0) }) ?? true else {
      throw ValidationError("--streams must be between 1 and \(DensitySettings.most).")
    }
  }

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
