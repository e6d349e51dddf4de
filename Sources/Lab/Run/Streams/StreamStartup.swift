import Frames
import Media
import Playback
import Streaming
import Verdict

/// The phases from the start of a trial's process, or of a client, to the first picture.
struct StreamStartup {
  private let trial: Trial
  private let spawned: MonotonicTime
  private var last: MonotonicTime
  private var stream: LoadedStream?
  private var opened = MonotonicTime.now
  private(set) var hasShown = false

  init(_ trial: Trial) {
    self.trial = trial
    spawned = trial.request.spawned ?? .now
    last = spawned
    end(.spawn, at: .now)
  }

  private mutating func end(_ phase: Phase, at instant: MonotonicTime) {
    let instant = max(instant, last)
    trial.phase(phase, instant.milliseconds(since: last))
    trial.trace?.phase(phase.name, TimeSpan(last, instant))
    last = instant
  }

  /// The manifest is there.
  mutating func opened(_ stream: LoadedStream) {
    self.stream = stream
    end(.manifest, at: .now)
    opened = MonotonicTime.now.advanced(byMilliseconds: -stream.now * 1000)
    trial.stream.opened = opened
    trial.trace?.streamOpened = opened
  }

  mutating func passed(_ phase: OpeningPhase) {
    if phase == .open {
      let requests = stream?.history.requests ?? []
      let headers = requests.filter { $0.rung != nil && $0.kind != .segment }.map(\.times.ended).max()
      if let headers { end(.initSegment, at: min(.now, opened.advanced(byMilliseconds: headers * 1000))) }
      // It may be read before it is whole.
      end(.firstSegment, at: .now)
    } else {
      end(Phase(phase), at: .now)
    }
  }

  /// A refresh is over.
  mutating func shows(_ tick: PlayTick) {
    guard !hasShown, let frame = tick.frame else { return }
    hasShown = true
    if let received = frame.timing.received { end(.firstDecode, at: min(received, .now)) }
    if let view = tick.view { end(.firstRender, at: min(view.completed, .now)) }
    end(.firstPresent, at: .now)
    trial.add(.timeToFirstFrame, last.milliseconds(since: spawned))
  }
}
