import Frames
import Media
import Synchronization

/// What is told of a player, and how.
package struct AnalyticsOptions: Sendable {
  package var format = AnalyticsLines.Format.json
  /// A name for what is played, told with each clip as it is; nil: nothing tells which one it is.
  package var content: String?
  /// Pictures are summed up so often, in seconds.
  package var framesInterval = 10.0
  /// Lines that wait for their reader; more are lost, and counted.
  package var capacity = 1024

  package init() {}
}

/// The one place where what happens to a player becomes lines: looks at it come in, lines go out to one reader. Holds nothing that names
/// a clip, a machine or a user but what the caller says.
///
/// Any thread, none of which waits: past the capacity the newest lines are lost until the reader has come.
package final class AnalyticsLog: Sendable {
  /// Ends with the log.
  package let lines: AsyncStream<String>
  private let listener: AsyncStream<String>.Continuation
  private let state: Mutex<State>
  private let now: @Sendable () -> AnalyticsInstant
  private let options: AnalyticsOptions

  private struct State {
    var tracker: AnalyticsTracker
    var writer: AnalyticsLines
    var sequence = 0
    var lost = 0
    var hasEnded = false
  }

  /// Begins a session.
  ///
  /// - Parameters:
  ///   - session: 16 bytes, hexadecimal; nil: by chance.
  ///   - now: the clocks.
  package init(
    _ options: AnalyticsOptions, session: String? = nil, now: @escaping @Sendable () -> AnalyticsInstant = { .now }
  ) {
    (self.options, self.now) = (options, now)
    (lines, listener) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingOldest(max(1, options.capacity)))
    state = Mutex(
      State(
        tracker: AnalyticsTracker(framesSeconds: options.framesInterval),
        writer: AnalyticsLines(options.format, session: session ?? Self.identifier())))
    tell { $0.begin(at: $1) }
  }

  deinit { end() }

  private static func identifier() -> String {
    (0..<16).map { _ in
      let byte = UInt8.random(in: 0...255)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// A clip begins to be opened.
  package func load() { tell { [content = options.content] in $0.load(content: content, at: $1) } }
  /// How the clip is doing, at each refresh.
  package func observe(_ sample: PlayerSample) { tell { $0.observe(sample, at: $1) } }
  package func fail(_ kind: Failure.Kind) { tell { $0.fail(kind, at: $1) } }
  package func beginAd(_ number: Int) { tell { $0.beginAd(number, at: $1) } }
  package func endAd(_ outcome: String) { tell { $0.endAd(outcome, at: $1) } }
  package func failAd(_ code: Int) { tell { $0.failAd(code, at: $1) } }
  package func unload() { tell { $0.unload(at: $1) } }

  /// The session is over, and `lines` with it.
  package func end() {
    tell { $0.end(at: $1) }
    state.withLock { $0.hasEnded = true }
    listener.finish()
  }

  /// Called once the reader wants no more.
  package func onEnd(_ call: @escaping @Sendable () -> Void) { listener.onTermination = { _ in call() } }

  private func tell(_ change: (inout AnalyticsTracker, AnalyticsInstant) -> [AnalyticsEvent]) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      let now = self.now()
      for event in change(&state.tracker, now) { write(event, &state) }
    }
  }

  private func write(_ event: AnalyticsEvent, _ state: inout State) {
    guard let began = state.tracker.began else { return }
    func put(_ event: AnalyticsEvent) -> Int {
      state.sequence += 1
      let lines = state.writer.lines(event, sequence: state.sequence, state.tracker.sums, since: began)
      return lines.count { line in
        if case .dropped = listener.yield(line) { true } else { false }
      }
    }
    if state.lost > 0 {
      let note = AnalyticsEvent(name: .lost, at: event.at, fields: [.init("lines", .integer(state.lost))])
      if put(note) > 0 { state.sequence -= 1 } else { state.lost = 0 }
    }
    state.lost += put(event)
  }
}
