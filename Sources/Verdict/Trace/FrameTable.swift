import Foundation
import Frames

/// One row a frame, after RFC 4180: for whoever wants to look closer than percentiles.
public enum FrameTable {
  /// Writes the whole table or nothing, as a record is written.
  public static func write(_ trials: [TrialTrace], to path: String) throws(Failure) {
    try RecordFile.write(called: "frame table", option: "--frames", to: path) { put in
      try pieces(trials, put)
    }
  }

  /// The same in memory.
  public static func text(_ trials: [TrialTrace]) -> String {
    var text = ""
    pieces(trials) { text += $0 }
    return text
  }

  private static func pieces(_ trials: [TrialTrace], _ put: (String) throws -> Void) rethrows {
    try put(CSV.line(["scenario", "variant", "trial"] + columns.map(\.name)))
    for trial in trials {
      let origin = trial.start ?? MonotonicTime(nanoseconds: 0)
      let common = [trial.scenario, trial.variant ?? "", String(trial.number)]
      for frame in trial.frames { try put(CSV.line(common + columns.map { $0.cell(frame, origin) })) }
    }
  }

  private struct Column: Sendable {
    var name: String
    /// Empty where it is not known, or where there is no such stage.
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
    metric(.demux) { $0.demux.map { Double($0.nanoseconds) / 1e6 } },
    metric(.decodeLatency) { $0.decodeLatencyMilliseconds },
    metric(.uploadCPU) { $0.uploadMilliseconds },
    metric(.uploadGPU) { $0.gpuUploadMilliseconds },
    metric(.renderGPU) { $0.gpuRenderMilliseconds },
    metric(.frameInterval) { $0.intervalMilliseconds },
    Column(name: Metric.queueDepth.name) { frame, _ in frame.queueDepth.map { String($0) } ?? "" },
    instant("read_at_ms") { $0.demux?.start },
    instant("sent_at_ms") { $0.decode?.start },
    instant("received_at_ms") { $0.decode?.end },
    instant("queued_at_ms") { $0.queue?.start },
    instant("taken_at_ms") { $0.queue?.end },
    instant("submitted_at_ms") { $0.flight?.start },
    instant("render_started_at_ms") { $0.gpuRender?.start },
    instant("render_ended_at_ms") { $0.gpuRender?.end },
    instant("completed_at_ms") { $0.flight?.end },
    instant("seen_at_ms") { $0.present?.start },
  ]
}
