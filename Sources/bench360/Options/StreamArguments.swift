import Adaptation
import ArgumentParser
import Run

/// How `run --scenario stream` loads its stream, and over which network.
struct StreamArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What chooses the rungs: \(ControllerChoice.forms) ('bench360 abr' compares them).", valueName: "name"),
    completion: Completion.controllers)
  var controller = StreamSettings().controller

  @OptionGroup
  var load: LoadOptions

  @OptionGroup
  var link: LinkOptions

  @Option(
    help: ArgumentHelp("Faults of the run's own origin, as 'serve' takes them.", valueName: "file.json"),
    completion: .file(extensions: ["json"]))
  var faults: String?

  @Option(help: "Tell servers of each request what the player knows (CMCD, CTA-5004). (default: nothing)")
  var cmcd: CMCDMode?

  @Option(help: "Which presentation of a ladder's folder is played.")
  var packaging = StreamSettings.Packaging.hlsFragmented

  @Option(help: ArgumentHelp("Begin to play here.", valueName: "seconds"))
  var startTime = 0.0

  @Option(help: ArgumentHelp("Requests that fail are made again so many times without progress.", valueName: "n"))
  var retries = StreamSettings().retries.retryLimit

  @Option(help: ArgumentHelp("And for no longer than this.", valueName: "seconds"))
  var retryLimit = StreamSettings().retries.limitSeconds

  @Option(
    help: ArgumentHelp(
      "The input of ITU-T P.1203, for the open itu-p1203 tools; a folder where --output is one.", valueName: "file.json"
    ),
    completion: Completion.records)
  var p1203: String?

  mutating func validate() throws {
    try link.requireCapacity()
    if p1203 == "-" || p1203 == "" { throw ValidationError("--p1203 takes a file.") }
    if ControllerChoice(controller) == nil {
      throw ValidationError(
        "--controller: there is no controller '\(controller)'. There are: \(ControllerChoice.forms).")
    }
    guard (0...1e6).contains(startTime) else {
      throw ValidationError("--start-time must be between 0 and 1000000 seconds.")
    }
    guard (0...1000).contains(retries) else { throw ValidationError("--retries must be between 0 and 1000.") }
    guard (0...3600).contains(retryLimit) else {
      throw ValidationError("--retry-limit must be between 0 and 3600 seconds.")
    }
  }

  var settings: StreamSettings {
    var settings = StreamSettings()
    (settings.controller, settings.load, settings.link) = (controller, load.policy, link.settings)
    settings.estimator = load.estimator.row.name
    (settings.faults, settings.cmcd) = (faults, cmcd?.mode)
    (settings.packaging, settings.startTime) = (packaging, startTime)
    (settings.retries.retryLimit, settings.retries.limitSeconds) = (retries, retryLimit)
    return settings
  }
}

extension StreamSettings.Packaging: ExpressibleByArgument {}

/// Where CMCD's keys are written.
enum CMCDMode: String, ExpressibleByArgument, CaseIterable {
  case headers, query

  var mode: StreamSettings.CMCDMode { self == .headers ? .headers : .query }
}
