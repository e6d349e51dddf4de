import ArgumentParser
import Run
import Streaming
import Verdict

/// How `view` plays streams.
struct ViewStreamOptions: ParsableArguments {
  @Option(.startTime)
  var startTime: StartPlace?

  @Option(.liveLatency)
  var liveLatency: Double?

  @Option(.liveFallback)
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
