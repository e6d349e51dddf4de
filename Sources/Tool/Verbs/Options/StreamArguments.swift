import Adaptation
import ArgumentParser
import Run

/// How `run --scenario stream` loads its stream, and over which network.
struct StreamArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What chooses the rungs: \(ControllerChoice.forms) ('bench360 abr' compares them). Several, with commas, are taken by clients "
        + "in turn.", valueName: "name"),
    completion: Completion.controllers)
  var controller = StreamSettings().controller

  @OptionGroup
  var clients: ClientOptions

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

  @Option(
    help: ArgumentHelp(
      "Begin to play here: so many seconds from the start, or a live stream at a date such as 2026-11-22T10:00:00Z.",
      valueName: "seconds|date"))
  var startTime: StartPlace?

  @Option(
    help: ArgumentHelp(
      "Of a live stream, from the moment of a picture to its display. (default: what the stream asks for)",
      valueName: "seconds"))
  var liveLatency: Double?

  @OptionGroup
  var live: LiveServeOptions

  @Option(help: "Where a live stream goes on once its window has slid past the player.")
  var liveFallback = StreamSettings.LiveFallback.windowStart

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
    let controllers = settings.controllers
    for name in controllers where ControllerChoice(name) == nil {
      throw ValidationError("--controller: there is no controller '\(name)'. There are: \(ControllerChoice.forms).")
    }
    guard controllers.count <= clients.count else {
      throw ValidationError(
        "--controller names \(controllers.count) controllers for \(clients.count) player\(clients.count == 1 ? "" : "s"): give "
          + "more --clients, or one controller.")
    }
    try StartPlace.check(startTime, liveLatency: liveLatency)
    guard (0...1000).contains(retries) else { throw ValidationError("--retries must be between 0 and 1000.") }
    guard (0...3600).contains(retryLimit) else {
      throw ValidationError("--retry-limit must be between 0 and 3600 seconds.")
    }
  }

  var settings: StreamSettings {
    var settings = StreamSettings()
    (settings.controller, settings.load, settings.link) = (controller, load.policy, link.settings)
    settings.estimator = load.estimator.row.name
    settings.clients = clients.settings
    (settings.faults, settings.cmcd) = (faults, cmcd?.mode)
    settings.packaging = packaging
    startTime?.apply(to: &settings)
    (settings.liveLatency, settings.liveFallback, settings.serving) = (liveLatency, liveFallback, live.serving)
    (settings.retries.retryLimit, settings.retries.limitSeconds) = (retries, retryLimit)
    return settings
  }
}

extension StreamSettings.Packaging: ExpressibleByArgument {}
extension StreamSettings.LiveFallback: ExpressibleByArgument {}

/// Where playing begins.
enum StartPlace: ExpressibleByArgument {
  case seconds(Double)
  /// ISO 8601.
  case date(String)

  init?(argument: String) {
    if let seconds = Double(argument) {
      self = .seconds(seconds)
    } else if StreamSettings.isDate(argument) {
      self = .date(argument)
    } else {
      return nil
    }
  }

  func apply(to settings: inout StreamSettings) {
    switch self {
    case .seconds(let seconds): settings.startTime = seconds
    case .date(let text): settings.startDate = text
    }
  }

  /// Throws for numbers that no stream has.
  static func check(_ start: StartPlace?, liveLatency: Double?) throws {
    if case .seconds(let seconds)? = start, !(0...1e6).contains(seconds) {
      throw ValidationError("--start-time must be a date, or between 0 and 1000000 seconds.")
    }
    guard liveLatency.map({ (0.1...3600).contains($0) }) ?? true else {
      throw ValidationError("--live-latency must be between 0.1 and 3600 seconds.")
    }
  }
}

/// Where CMCD's keys are written.
enum CMCDMode: String, ExpressibleByArgument, CaseIterable {
  case headers, query

  var mode: StreamSettings.CMCDMode { self == .headers ? .headers : .query }
}
