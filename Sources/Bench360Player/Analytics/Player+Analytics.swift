extension Player {
  /// What happens from now on as lines of JSON, without a line end: `session_begin` first, `session_end` last. Ends with the player, and
  /// when its reader stops. Each call has a session of its own.
  ///
  /// Nothing in a line names the clip, the machine or the user but `Analytics.content`. A reader that is slow makes the player wait for
  /// nothing: lines beyond the capacity are lost, and one tells how many.
  public func analytics(_ options: Analytics = Analytics()) -> AsyncStream<String> {
    let log = AnalyticsLog(options)
    desk.listeners.add(log, isOpening: desk.state.status == .loading)
    return log.lines
  }
}
