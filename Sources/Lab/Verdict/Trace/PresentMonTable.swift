import Frames

/// The columns of a frame table.
public enum FrameColumns: String, Sendable, CaseIterable {
  /// Every stage of a frame, by the names of the record's metrics.
  case bench360
  /// PresentMon's (2.3), for programs that read its captures: a row for each frame that was submitted for display.
  case presentmon
}

/// A trial's frames under PresentMon's column names. A submission to the GPU stands for the call of Present(), and a
/// trial for a process, by its place in the file. Unknown values are `NA`, as in PresentMon's files.
struct PresentMonTable {
  static let header = [
    "Application", "ProcessID", "SwapChainAddress", "PresentRuntime", "SyncInterval", "PresentFlags", "AllowsTearing",
    "PresentMode", "CPUStartTime", "MsBetweenPresents", "MsInPresentAPI", "MsBetweenDisplayChange", "MsUntilDisplayed",
    "MsRenderPresentLatency", "MsCPUBusy", "MsGPULatency", "MsGPUTime", "MsGPUBusy", "DisplayLatency", "DisplayedTime",
  ]

  /// - Parameter position: of the trial in the file, from 1.
  static func rows(_ trial: TrialTrace, position: Int, _ put: ([String]) throws -> Void) rethrows {
    let origin = trial.start ?? MonotonicTime(nanoseconds: 0)
    var lastShown: MonotonicTime?
    for frame in trial.frames {
      guard let flight = frame.flight else { continue }
      let start = frame.queueing.span?.end ?? flight.start
      let shown = frame.display.present
      let work = [frame.gpu.uploadMilliseconds, frame.gpu.renderMilliseconds].compactMap { $0 }
      let busy = work.isEmpty ? nil : work.reduce(0, +)
      try put(
        ["bench360", "\(position)", "0x0", "Other", "1", "0", "0", "Other"]
          + [
            start.milliseconds(since: origin), frame.display.intervalMilliseconds, nil,
            shown.flatMap { shown in lastShown.map { shown.start.milliseconds(since: $0) } },
            shown?.start.milliseconds(since: flight.start), flight.end.milliseconds(since: flight.start),
            flight.start.milliseconds(since: start), frame.gpu.render?.start.milliseconds(since: start), busy, busy,
            shown?.start.milliseconds(since: start), shown.map { Double($0.nanoseconds) / 1e6 },
          ].map(cell))
      lastShown = shown?.start ?? lastShown
    }
  }

  private static func cell(_ value: Double?) -> String { value.map { "\(roundedForRecord($0))" } ?? "NA" }
}
