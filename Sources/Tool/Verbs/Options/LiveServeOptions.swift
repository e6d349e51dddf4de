import ArgumentParser
import Origin
import Run
import Verdict

/// What makes an origin serve a ladder live.
struct LiveServeOptions: ParsableArguments {
  @Flag(.live)
  var live = false

  @Option(.liveWindow)
  var window: Double?

  @Flag(.liveEvent)
  var keepsAll = false

  @Option(.liveParts)
  var parts: Double?

  @Option(.liveEnd)
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
    try Setting.liveWindow.check(window)
    try Setting.liveParts.check(parts)
    try Setting.liveEnd.check(end)
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
