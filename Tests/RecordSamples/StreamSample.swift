import Frames
import Verdict

extension Sample {
  /// A stream of `seconds` over a link that fails for a while. Nothing in it is random.
  package static func stream(seconds: Double = 60, controller: String = "throughput") -> StreamSession {
    var player = SamplePlayer(controller: controller)
    player.play(until: seconds)
    return player.session
  }

  /// A trial of a stream with all that its session measures.
  package static func trial(of session: StreamSession, ttff milliseconds: Double? = nil) -> Record.Trial {
    let measures = StreamMeasures(session)
    var trial = trial([:])
    for (metric, samples) in measures.samples {
      trial.metrics[metric.name] = MetricResult(of: metric, samples: samples)
    }
    if let milliseconds = milliseconds ?? session.firstFrame.map({ $0 * 1000 + 310 }) {
      trial.metrics[Metric.timeToFirstFrame.name] = MetricResult(of: .timeToFirstFrame, samples: [milliseconds])
    }
    for (metric, count) in measures.counters { trial.counters[metric.name] = count }
    trial.stream = session
    return trial
  }

  /// A record of scenario `stream` with these sessions, a trial each.
  package static func record(of sessions: [StreamSession]) -> Record {
    var record = record(scenarios: [
      Record.Scenario(name: "stream", presentSource: .simulated, trials: sessions.map { trial(of: $0) })
    ])
    record.input = Record.Input(name: "https://cdn.example/tour/master.m3u8")
    record.bytesBeforeMeasuring = 61_440
    record.input.codec = "h264"
    record.warnings = []
    return record
  }
}

/// A player in steps of 50 ms: it loads one segment after the other, ten seconds ahead at most.
private struct SamplePlayer {
  var session: StreamSession

  private static let step = 0.05
  private static let segmentSeconds = 2.0
  private static let latency = 0.04

  private var time = 0.0
  private var loaded = 0.0
  private var estimate = 3e6
  private var segment = 0
  private var download: Download?
  /// Times at which the segments in the buffer begin to be shown are found when they are.
  private var queue: [(place: Double, request: Int)] = []

  private struct Download {
    var rung: Int
    var queued: Double
    var before: Double
    var bits: Double
    var left: Double
    var attempt: Int
  }

  init(controller: String) {
    let bitrates: [(Double, Int)] = [(0.35e6, 360), (1.1e6, 540), (2.6e6, 720), (5.2e6, 1080), (12e6, 2160)]
    session = StreamSession(
      format: .hls, controller: controller,
      rungs: bitrates.enumerated().map { .init(id: "v\($0)", bitrate: $1.0, width: $1.1 * 16 / 9, height: $1.1) },
      end: 0,
      position: 0)
  }

  /// bit/s.
  private var capacity: Double { (22..<41).contains(time) ? 0.1e6 : time < 12 ? 7e6 : 21e6 }

  mutating func play(until end: Double) {
    session.states = [.init(time: 0, state: .joining)]
    for (kind, name, start) in [
      (StreamSession.Request.Kind.manifest, "master.m3u8", 0.0), (.playlist, "v1.m3u8", 0.09), (.key, "key", 0.15),
      (.initialization, "v1/init.mp4", 0.2),
    ] {
      session.requests.append(
        .init(
          kind: kind, url: "https://cdn.example/tour/\(name)", rung: kind == .initialization ? 1 : nil,
          times: .init(
            queued: start, nameLookedUp: start == 0 ? 0.012 : nil, connected: start == 0 ? 0.03 : nil,
            secured: start == 0 ? 0.05 : nil, firstByte: start + (start == 0 ? 0.08 : 0.04), ended: start + 0.05),
          transfer: .init(status: 200, bytes: 1400, headerBytes: 310, isReused: start > 0, httpVersion: "2"),
          outcome: .finished))
    }
    time = 0.25
    while time < end {
      load()
      show()
      if session.buffer.last.map({ time - $0.time > 0.24 }) ?? true {
        session.buffer.append(.init(time: time, seconds: loaded - session.position))
      }
      time += Self.step
    }
    if let download { finish(download, .cancelled, status: 200) }
    if session.states.last?.state == .rebuffering, let start = session.states.last?.time {
      session.stalls.append(.init(start: start, seconds: time - start, cause: .network))
    }
    session.end = time
  }

  private mutating func load() {
    guard var current = download else {
      if loaded - session.position < 10 { begin(attempt: 0, rung: choice) }
      return
    }
    if time < current.queued + Self.latency { return }
    current.left -= capacity * Self.step
    download = current
    let isFaulty = segment == 6 && current.attempt == 0
    if isFaulty {
      finish(current, .failed, status: 503)
      begin(attempt: 1, rung: current.rung)
    } else if current.left <= 0 {
      finish(current, .finished, status: 200)
      estimate = capacity
      queue.append((loaded, session.requests.count - 1))
      loaded += Self.segmentSeconds
      segment += 1
      download = nil
    } else if current.rung > 0, current.left / capacity > loaded - session.position + 4, session.firstFrame != nil {
      finish(current, .abandoned, status: 200)
      begin(attempt: 0, rung: 0)
    }
  }

  private var choice: Int { session.rungs.lastIndex { $0.bitrate < estimate * 0.8 } ?? 0 }

  private mutating func begin(attempt: Int, rung: Int) {
    if attempt == 0 { session.decisions.append(.init(time: time, segment: segment, rung: rung)) }
    let bits = session.rungs[rung].bitrate * Self.segmentSeconds * (0.9 + 0.2 * Double(segment * 7 % 5) / 4)
    download = Download(
      rung: rung, queued: time, before: loaded - session.position, bits: bits, left: bits, attempt: attempt)
  }

  private mutating func finish(_ download: Download, _ outcome: StreamSession.Request.Outcome, status: Int) {
    let bytes = status == 200 ? Int((download.bits - max(0, download.left)) / 8) : 0
    session.requests.append(
      .init(
        kind: .segment, url: "https://cdn.example/tour/v\(download.rung)/\(segment).m4s", rung: download.rung,
        segment: segment, mediaSeconds: Self.segmentSeconds, attempt: download.attempt,
        times: .init(queued: download.queued, firstByte: min(time, download.queued + Self.latency), ended: time),
        transfer: .init(status: status, bytes: bytes, headerBytes: 280, isReused: true, httpVersion: "2"),
        outcome: outcome, problem: outcome == .failed ? "the server answered 503 Service Unavailable" : nil,
        bufferBefore: download.before, bufferAfter: loaded - session.position + (outcome == .finished ? 2 : 0),
        abandonedFor: outcome == .abandoned ? 0 : nil))
  }

  private mutating func show() {
    let state = session.states[session.states.count - 1]
    if state.state != .playing {
      guard loaded - session.position >= 2 else { return }
      session.states.append(.init(time: time, state: .playing))
      if state.state == .rebuffering {
        session.stalls.append(.init(start: state.time, seconds: time - state.time, cause: .network))
      }
      session.firstFrame = session.firstFrame ?? time
    } else if loaded - session.position < Self.step {
      session.states.append(.init(time: time, state: .rebuffering))
      return
    }
    if let next = queue.first, next.place <= session.position + 1e-9 {
      queue.removeFirst()
      session.requests[next.request].firstShown = time
      let rung = session.requests[next.request].rung ?? 0
      if session.shown.last?.rung != rung {
        session.shown.append(.init(time: time, rung: rung, position: session.position))
      }
    }
    session.position += Self.step
  }
}
