import FoundationEssentials
import Frames

/// One row a frame, after RFC 4180: for analysis beyond percentiles.
public enum FrameTable {
  /// Writes the whole table or nothing, as for a record.
  public static func write(
    _ trials: [TrialTrace], columns: FrameColumns = .bench360, to path: String
  ) throws(Failure) {
    try RecordFile.write(called: "frame table", option: "--frames", to: path) { put in
      try pieces(trials, columns, put)
    }
  }

  /// The same in memory.
  public static func text(_ trials: [TrialTrace], columns: FrameColumns = .bench360) -> String {
    var text = ""
    pieces(trials, columns) { text += $0 }
    return text
  }

  private static func pieces(
    _ trials: [TrialTrace], _ names: FrameColumns, _ put: (String) throws -> Void
  ) rethrows {
    guard names == .bench360 else {
      try put(CSV.line(PresentMonTable.header))
      for (index, trial) in trials.enumerated() {
        try PresentMonTable.rows(trial, position: index + 1) { try put(CSV.line($0)) }
      }
      return
    }
    try put(CSV.line(["scenario", "variant", "trial"] + columns.map(\.name)))
    for trial in trials {
      let origin = trial.start ?? MonotonicTime(nanoseconds: 0)
      let common = [trial.scenario, trial.variant ?? "", String(trial.number)]
      for frame in trial.frames { try put(CSV.line(common + columns.map { $0.cell(frame, origin) })) }
    }
  }

  private struct Column: Sendable {
    var name: String
    /// Empty if unknown, or if there is no such stage.
    var cell: @Sendable (FrameTrace, _ origin: MonotonicTime) -> String
  }

  /// A metric of the record, with the record's decimals.
  private static func metric(_ metric: Metric, _ value: @escaping @Sendable (FrameTrace) -> Double?) -> Column {
    Column(name: metric.name) { frame, _ in value(frame).map { "\(roundedForRecord($0))" } ?? "" }
  }

  /// Milliseconds since the first instant of the trial.
  private static func instant(_ name: String, _ value: @escaping @Sendable (FrameTrace) -> MonotonicTime?) -> Column {
    Column(name: name) { frame, origin in
      value(frame).map { decimal($0.nanoseconds - origin.nanoseconds, places: 6) } ?? ""
    }
  }

  private static let columns: [Column] = [
    Column(name: "frame") { frame, _ in String(frame.index) },
    Column(name: "pts_seconds") { frame, _ in decimal(frame.presentationTime.nanoseconds, places: 9) },
    Column(name: "number_shown") { frame, _ in frame.numberShown.map { String($0) } ?? "" },
    metric(.demux) { $0.decoding.demux.map { Double($0.nanoseconds) / 1e6 } },
    metric(.decodeLatency) { $0.decoding.latencyMilliseconds },
    metric(.uploadCPU) { $0.upload.milliseconds },
    metric(.uploadGPU) { $0.gpu.uploadMilliseconds },
    metric(.renderGPU) { $0.gpu.renderMilliseconds },
    metric(.frameInterval) { $0.display.intervalMilliseconds },
    Column(name: Metric.queueDepth.name) { frame, _ in frame.queueing.depth.map { String($0) } ?? "" },
    instant("read_at_ms") { $0.decoding.demux?.start },
    instant("sent_at_ms") { $0.decoding.decode?.start },
    instant("received_at_ms") { $0.decoding.decode?.end },
    instant("queued_at_ms") { $0.queueing.span?.start },
    instant("taken_at_ms") { $0.queueing.span?.end },
    instant("submitted_at_ms") { $0.flight?.start },
    instant("render_started_at_ms") { $0.gpu.render?.start },
    instant("render_ended_at_ms") { $0.gpu.render?.end },
    instant("completed_at_ms") { $0.flight?.end },
    instant("seen_at_ms") { $0.display.present?.start },
  ]
}
