import Adaptation
import ArgumentParser
import Run
import Verdict

/// How `run --scenario stream` loads its stream, and over which network.
struct StreamArguments: ParsableArguments {
  @Option(.controller, also: "There are: \(ControllerChoice.forms).", completion: Completion.controllers)
  var controller = StreamSettings().controller

  @OptionGroup
  var clients: ClientOptions

  @OptionGroup
  var load: LoadOptions

  @OptionGroup
  var link: LinkOptions

  @Option(.faults)
  var faults: String?

  @Option(.cmcd)
  var cmcd: CMCDMode?

  @Option(.packaging)
  var packaging = StreamSettings.Packaging.hlsFragmented

  @Option(.startTime)
  var startTime: StartPlace?

  @Option(.liveLatency)
  var liveLatency: Double?

  @OptionGroup
  var live: LiveServeOptions

  @Option(.liveFallback)
  var liveFallback = StreamSettings.LiveFallback.windowStart

  @Option(.retries)
  var retries = StreamSettings().retries.retryLimit

  @Option(.retryLimit)
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
    try Setting.retries.check(retries)
    try Setting.retryLimit.check(retryLimit)
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
    try Setting.liveLatency.check(liveLatency)
  }
}

/// Where CMCD's keys are written.
enum CMCDMode: String, ExpressibleByArgument, CaseIterable {
  case headers, query

  var mode: StreamSettings.CMCDMode { self == .headers ? .headers : .query }
}
