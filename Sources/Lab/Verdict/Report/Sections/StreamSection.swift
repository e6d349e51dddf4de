import Frames

extension ReportSection {
  /// One trial of a stream on one time axis: states, rungs, throughput, buffer and requests; how far behind life it was; the clients of
  /// a trial that had several.
  static let stream = ReportSection("stream", "The stream over time") { group, layout in
    group.newest.scenarios.filter { $0.key?.has(.network) == true }.prefix(mostVariants).flatMap { scenario in
      guard let trial = StreamTrial.worst(of: scenario) else { return [] as [Markup] }
      let charts = [
        StreamChart(trial, scenario, layout).chart, StreamLiveChart(trial, scenario, layout)?.chart,
        StreamStartChart(trial, scenario, layout)?.chart,
      ]
      return charts.compactMap { $0?.figure } + (ClientTable(scenario)?.markup ?? [])
    }
  }

  private static let mostVariants = 4
}

/// The trial that a chart shows.
struct StreamTrial {
  let session: StreamSession
  /// From 1.
  let number: Int
  let count: Int
  /// Of a trial with several: the client that it was, and how many there were.
  var client: (number: Int, count: Int)?

  /// The one that failed, else the one that stalled longest, else the first; nil where no trial has a session.
  static func worst(of scenario: Record.Scenario) -> StreamTrial? {
    let trials = scenario.trials.enumerated().flatMap { index, trial -> [StreamTrial] in
      let (number, count) = (index + 1, scenario.trials.count)
      if let session = trial.stream { return [StreamTrial(session: session, number: number, count: count)] }
      return (trial.clients ?? []).map { client in
        StreamTrial(
          session: client.session, number: number, count: count,
          client: (client.number, trial.clients?.count ?? 0))
      }
    }
    return trials.max { ($0.badness, -$0.number, -$0.place) < ($1.badness, -$1.number, -$1.place) }
  }

  private var place: Int { client?.number ?? 0 }

  /// `, trial 2 of 3, client 4 of 8`; empty where there is one only.
  var words: String {
    (count == 1 ? "" : ", trial \(number) of \(count)")
      + (client.map { ", client \($0.number) of \($0.count)" } ?? "")
  }

  /// How it was chosen, for a caption; empty where there was no choice.
  var choice: String {
    guard count > 1 || client != nil else { return "" }
    let kind = client == nil ? "trial" : "client"
    guard badness > 0 else { return "No \(kind) failed or stalled; the first one is shown. " }
    return "This \(kind) is shown because it \(badness == .infinity ? "failed" : "stalled longest"). "
  }

  private var badness: Double {
    session.stateSpans.contains { $0.state == .failed } ? .infinity : session.stalls.reduce(0) { $0 + $1.seconds }
  }
}

/// What happened in a session, in words: a chart's description and its table.
struct StreamEvents {
  private let session: StreamSession
  private static let most = 200

  init(_ session: StreamSession) {
    self.session = session
  }

  var description: String {
    let requests = session.requests
    let stalled = session.stalls.reduce(0) { $0 + $1.seconds }
    let rungs = session.rungs.map(\.bitrate)
    let parts = [
      session.firstFrame.map { "first picture after \(ReportText.number($0)) s" } ?? "no picture was shown",
      "\(session.stalls.count) stall\(session.stalls.count == 1 ? "" : "s") of \(ReportText.number(stalled)) s in all",
      "\(session.rungs.count) rungs"
        + (rungs.isEmpty
          ? "" : " from \(Self.megabits(rungs.min() ?? 0)) to \(Self.megabits(rungs.max() ?? 0)) Mbit/s"),
      "\(max(0, session.shown.count - 1)) changes of the rung on screen",
      "\(requests.count) requests (\(requests.count { $0.outcome == .failed }) failed, "
        + "\(requests.count { $0.outcome == .abandoned }) abandoned)",
      session.buffer.map(\.seconds).max().map { "at most \(ReportText.number($0)) s in the buffer" },
    ]
    return "\(ReportText.number(session.end)) s of a stream: " + parts.compactMap { $0 }.joined(separator: ", ") + "."
  }

  /// The first events; a row tells how many follow.
  var table: Table {
    let events = all.sorted { $0.time < $1.time }
    let left = events.count - Self.most
    return Table(
      head: ["s", "what happened"],
      rows: events.prefix(Self.most).map { [ReportText.number($0.time), $0.text] }
        + (left > 0 ? [["…", "\(left) more"]] : []), texts: [1])
  }

  private var all: [(time: Double, text: String)] {
    let causes = Dictionary(session.stalls.map { ($0.start, $0) }) { first, _ in first }
    let states = session.states.map { change in
      let stall = causes[change.time].map { ", by \($0.cause.rawValue), for \(ReportText.number($0.seconds)) s" } ?? ""
      return (time: change.time, text: change.state.rawValue + (change.state == .rebuffering ? stall : ""))
    }
    let shown = session.shown.map { change in
      (time: change.time, text: "rung \(Self.name(change.rung, session)) on screen")
    }
    let requests = session.requests.compactMap { request -> (time: Double, text: String)? in
      let what = request.kind.rawValue + (request.segment.map { " \($0)" } ?? "")
      switch request.outcome {
      case .failed: return (request.times.ended, "\(what) failed" + (request.problem.map { ": \($0)" } ?? ""))
      case .abandoned:
        let other = request.abandonedFor.map { " for rung \(Self.name($0, session))" } ?? ""
        return (request.times.ended, "\(what) abandoned\(other)")
      case .finished, .cancelled: return nil
      }
    }
    return states + shown + requests + (session.firstFrame.map { [($0, "first picture")] } ?? [])
  }

  /// `2 (2.6 Mbit/s)`
  private static func name(_ rung: Int, _ session: StreamSession) -> String {
    "\(rung)" + (session.bitrate(of: rung).map { " (\(megabits($0)) Mbit/s)" } ?? "")
  }

  /// `0.35`, `12`
  static func megabits(_ value: Double) -> String {
    ReportText.shortest(value / 1e6, decimals: value < 1e6 ? 2 : value < 1e8 ? 1 : 0)
  }
}
