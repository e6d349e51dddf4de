import Frames
import Playback
import Streaming
import Verdict

/// What a player does with a stream, refresh by refresh: states, stalls with their causes, rungs on screen, and the buffer. One thread.
struct StreamWatch {
  private let stream: LoadedStream
  private var states: [StreamSession.StateChange] = [.init(time: 0, state: .joining)]
  private var stalls: [StreamSession.Stall] = []
  private var shown: [StreamSession.RungChange] = []
  private var buffer: [StreamSession.BufferLevel] = []
  private var firstFrame: Double?
  private var stall: (start: Double, cause: StreamSession.Stall.Cause)?
  /// When the first picture of each segment was shown.
  private var segments: [Int: Double] = [:]
  private var played = 0.0

  /// The buffer is written down this often, in seconds.
  private static let bufferInterval = 0.1

  init(_ stream: LoadedStream) { self.stream = stream }

  private var state: StreamSession.State { states[states.count - 1].state }

  /// A refresh is over.
  ///
  /// - Parameters:
  ///   - isWaiting: no decoded frame waits.
  ///   - stalls: lengths of the player's, so far.
  mutating func note(_ tick: PlayTick, stalls lengths: [MediaTime], isWaiting: Bool) {
    let now = stream.now
    if let frame = tick.frame { show(frame.presentationTime, duration: frame.duration, at: now) }
    follow(tick.state, lengths, isWaiting: isWaiting, now)
    if now - (buffer.last?.time ?? -1) >= Self.bufferInterval {
      buffer.append(.init(time: now, seconds: stream.bufferSeconds))
    }
  }

  private mutating func show(_ place: MediaTime, duration: MediaTime, at now: Double) {
    if firstFrame == nil { firstFrame = now }
    played += max(0, duration.seconds)
    guard let loaded = stream.segment(at: place) else { return }
    if segments[loaded.segment] == nil { segments[loaded.segment] = now }
    if shown.last?.rung != loaded.rung {
      shown.append(.init(time: now, rung: loaded.rung, position: place.seconds))
    }
  }

  private mutating func follow(
    _ state: PlaybackState, _ lengths: [MediaTime], isWaiting: Bool, _ now: Double
  ) {
    switch state {
    case .playing:
      endStall(lengths, now)
      change(to: .playing, now)
    case .stalled where stall == nil:
      let cause: StreamSession.Stall.Cause = stream.isStarving ? .network : isWaiting ? .decode : .render
      let start = max(states[states.count - 1].time, now - Self.threshold)
      stall = (start, cause)
      if cause == .network { stream.stalled() }
      change(to: .rebuffering, start)
    case .ended, .endedEarly: change(to: .ended, now)
    case .failed: change(to: .failed, now)
    default: break
    }
  }

  /// A queue that stays empty for so long is a stall: shorter than what makes a player leave frames out, for a stream that is late is
  /// not helped by that.
  static let threshold = 0.08

  private mutating func endStall(_ lengths: [MediaTime], _ now: Double) {
    guard let stall else { return }
    let seconds = lengths.last.map(\.seconds) ?? now - stall.start
    stalls.append(.init(start: stall.start, seconds: min(seconds, now - stall.start), cause: stall.cause))
    self.stall = nil
  }

  private mutating func change(to state: StreamSession.State, _ now: Double) {
    if state != self.state { states.append(.init(time: now, state: state)) }
  }

  /// All of it, at the end.
  ///
  /// - Parameter hasFailed: the stream could not be loaded to its end.
  mutating func session(
    controller: String, hasFailed: Bool, live: [StreamSession.LiveLevel]? = nil
  ) -> StreamSession {
    let now = stream.now
    // The request under way is told too.
    stream.stop()
    endStall([], now)
    if hasFailed {
      if state == .ended, states.count > 1 { states.removeLast() }
      change(to: .failed, now)
    }
    let history = stream.history
    var session = StreamSession(
      format: stream.format == .hls ? .hls : .dash, controller: controller,
      rungs: stream.rungs.map(StreamSession.Rung.init),
      states: states, stalls: stalls, shown: shown, buffer: buffer, firstFrame: firstFrame, end: now, position: played,
      decisions: history.decisions.map { .init(time: $0.time, segment: $0.segment, rung: $0.rung) })
    let requests = history.requests.sorted { $0.times.queued < $1.times.queued }
    session.requests = requests.map { request in
      let isShown = request.kind == .segment && request.rung != nil && request.outcome == .finished
      return StreamSession.Request(request, firstShown: isShown ? request.segment.flatMap { segments[$0] } : nil)
    }
    session.live = live
    if !history.restarts.isEmpty {
      session.restarts = history.restarts.map { .init(time: $0.time, position: $0.start.seconds) }
    }
    return session
  }
}

extension StreamSession.Rung {
  fileprivate init(_ rung: StreamRung) {
    self.init(
      id: rung.id, bitrate: rung.bitrate, codec: rung.codec, width: rung.width, height: rung.height,
      frameRate: rung.frameRate)
  }
}

extension StreamSession.Request {
  init(_ request: StreamRequest, firstShown: Double?) {
    let times = request.times
    self.init(
      kind: Kind(rawValue: request.kind.rawValue) ?? .segment, url: request.url, rung: request.rung,
      segment: request.segment, mediaSeconds: request.seconds, attempt: request.attempt,
      range: request.range.map { Range(first: Int($0.first), last: $0.last.map { Int($0) }) },
      times: Times(
        queued: times.queued, nameLookedUp: times.nameLookedUp, connected: times.connected, secured: times.secured,
        firstByte: times.firstByte, ended: times.ended),
      transfer: Transfer(
        status: times.status, bytes: Int(times.bytes), headerBytes: Int(times.headerBytes), isReused: times.isReused,
        httpVersion: times.httpVersion),
      outcome: .finished, bufferBefore: request.bufferBefore, bufferAfter: request.bufferAfter, firstShown: firstShown)
    switch request.outcome {
    case .finished: break
    case .failed(let cause): (outcome, problem) = (.failed, cause)
    case .abandoned(let lower): (outcome, abandonedFor) = (.abandoned, lower)
    case .cancelled: outcome = .cancelled
    }
  }
}
