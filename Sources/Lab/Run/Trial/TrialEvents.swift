import Ads
import Analytics
import FoundationEssentials
import Frames
import Playback

/// Where a trial tells what happens while it plays, and how.
struct EventOutput: Sendable, Codable {
  var path: String
  var format: AnalyticsLines.Format
  /// Told with what is opened.
  var content: String
}

/// Tells what happens while a trial plays, for `run --events`; does nothing where that was not asked for. One thread.
final class TrialEvents {
  private let file: AnalyticsFile?
  private var last: (state: PlaybackState, isShown: Bool, at: MonotonicTime)?

  /// From one look at what plays to the next, in milliseconds, unless its state has changed.
  private static let interval = 50.0

  /// Calls with the events of a trial, before it opens what it plays. They end when the call returns, or with what it throws.
  static func tell(
    of trial: Trial, _ play: (TrialEvents) throws(Failure) -> Void
  ) throws(Failure) {
    let events = try TrialEvents(trial.request.events)
    defer { events.file?.end() }
    events.opens()
    do throws(Failure) {
      try play(events)
      if let failure = trial.failure { events.file?.log.fail(failure.kind) }
    } catch {
      if error.kind != .cancelled { events.file?.log.fail(error.kind) }
      throw error
    }
  }

  private init(_ wish: EventOutput?) throws(Failure) {
    guard let wish else {
      file = nil
      return
    }
    guard let opened = try? OpenFile(writing: wish.path, appends: true) else {
      throw Failure(.output, "cannot tell the events of a trial", cause: "its parent's file cannot be opened")
    }
    var options = AnalyticsOptions()
    (options.format, options.content) = (wish.format, wish.content)
    file = AnalyticsFile(options, to: opened) { _ in }
  }

  /// A clip or stream begins to be opened, or a prepared one follows; another one is over.
  func opens() {
    last = nil
    file?.log.load()
  }

  /// What became of an ad in the clip that plays.
  func note(_ turn: AdTurn) { file?.log.note(turn) }

  /// After each refresh.
  ///
  /// - Parameter adding: what only the scenario knows.
  func look(_ play: PlaySession, _ tick: PlayTick, adding: (inout PlayerSample) -> Void = { _ in }) {
    guard let file else { return }
    let isShown = tick.frame != nil || last?.isShown ?? false
    if let last, last.state == tick.state, last.isShown == isShown,
      tick.called.milliseconds(since: last.at) < Self.interval
    {
      return
    }
    last = (tick.state, isShown, tick.called)
    var sample = PlayerSample(play, tick)
    adding(&sample)
    file.log.observe(sample)
  }
}
