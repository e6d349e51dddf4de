import Analytics

extension Player {
  /// What is told of a player, and how. Off until it is asked for.
  public struct Analytics: Sendable {
    public enum Format: String, Sendable {
      /// An event a line, as `results/events.schema.json` describes them.
      case json
      /// OpenTelemetry's: an object `resourceSpans` or `resourceMetrics` a line (OTLP/JSON).
      case otlp
    }

    public var format = Format.json
    /// A name for what is played, told with each clip as it is; nil: nothing tells which one it is.
    public var content: String?
    /// Pictures are summed up so often, in seconds.
    public var framesInterval = 10.0
    /// Lines that wait for their reader; more are lost, and counted.
    public var capacity = 1024

    public init() {}
  }

  /// What happens from now on as lines of JSON, without a line end: `session_begin` first, `session_end` last. Ends with the player, and
  /// when its reader stops. Each call has a session of its own.
  ///
  /// Nothing in a line names the clip, the machine or the user but `Analytics.content`. A reader that is slow makes the player wait for
  /// nothing: lines beyond the capacity are lost, and one tells how many.
  public func analytics(_ options: Analytics = Analytics()) -> AsyncStream<String> {
    let log = AnalyticsLog(AnalyticsOptions(options))
    desk.listeners.add(log, isOpening: desk.state.status == .loading)
    return log.lines
  }
}

extension AnalyticsOptions {
  fileprivate init(_ options: Player.Analytics) {
    self.init()
    format = options.format == .otlp ? .otlp : .json
    (content, framesInterval, capacity) = (options.content, options.framesInterval, options.capacity)
  }
}
