import ArgumentParser
import Origin
import Run

/// What makes an origin serve a ladder live.
struct LiveServeOptions: ParsableArguments {
  @Flag(help: "Serve a ladder as a live stream, over and over.")
  var live = false

  @Option(
    name: .customLong("live-window"),
    help: ArgumentHelp("Media that playlists and manifest list (default: 30).", valueName: "seconds"))
  var window: Double?

  @Flag(name: .customLong("live-event"), help: "Segments stay listed for ever (EVENT).")
  var keepsAll = false

  @Option(
    name: .customLong("live-parts"),
    help: ArgumentHelp("Low latency: publish parts of at most so long.", valueName: "seconds"))
  var parts: Double?

  @Option(
    name: .customLong("live-end"),
    help: ArgumentHelp("The stream ends so long after the start. (default: never)", valueName: "seconds"))
  var end: Double?

  func validate() throws {
    guard live else {
      let given = [
        window.map { _ in "--live-window" }, keepsAll ? "--live-event" : nil, parts.map { _ in "--live-parts" },
        end.map { _ in "--live-end" },
      ].compactMap { $0 }
      guard given.isEmpty else { throw ValidationError("\(given.joined(separator: ", ")): add --live.") }
      return
    }
    guard window.map(LiveOptions.Limits.window.contains) ?? true else {
      throw ValidationError("--live-window must be between 2 and 86400 seconds.")
    }
    guard parts.map(LiveOptions.Limits.part.contains) ?? true else {
      throw ValidationError("--live-parts must be between 0.1 and 5 seconds.")
    }
    guard end.map({ $0 >= 0 && $0 <= 1e7 }) ?? true else {
      throw ValidationError("--live-end must be between 0 and 10000000 seconds.")
    }
  }

  /// For an origin of a run's own; nil: files are served as they are.
  var serving: StreamSettings.LiveServing? {
    guard live else { return nil }
    var serving = StreamSettings.LiveServing()
    (serving.window, serving.keepsAll, serving.parts, serving.endsAfter) = (window, keepsAll, parts, end)
    return serving
  }

  /// Nil: files are served as they are.
  var options: LiveOptions? {
    guard live else { return nil }
    var options = LiveOptions()
    options.windowSeconds = window ?? options.windowSeconds
    (options.keepsAll, options.partSeconds, options.endsAfter) = (keepsAll, parts, end)
    return options
  }
}
