import ArgumentParser
import Run
import Streaming

/// How `view` plays streams.
struct ViewStreamOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Streams begin here: so many seconds from the start, or live ones at a date such as 2026-11-22T10:00:00Z.",
      valueName: "seconds|date"))
  var startTime: StartPlace?

  @Option(
    help: ArgumentHelp(
      "Of live streams, from the moment of a picture to its display. (default: what the stream asks for)",
      valueName: "seconds"))
  var liveLatency: Double?

  @Option(help: "Where a live stream goes on once its window has slid past the picture.")
  var liveFallback = StreamSettings.LiveFallback.windowStart

  @Option(
    help: """
      What a seek over a break does, which the stream marks (SCTE 35, cues, interstitials): 'watch' leads to the break once, and \
      behind it to the place that was sought; 'free' leads there at once.
      """)
  var seekBreaks = BreakRule.watch

  func validate() throws { try StartPlace.check(startTime, liveLatency: liveLatency) }

  var settings: StreamSettings {
    var settings = StreamSettings.watching
    startTime?.apply(to: &settings)
    (settings.liveLatency, settings.liveFallback) = (liveLatency, liveFallback)
    return settings
  }
}

extension BreakRule: ExpressibleByArgument {}
