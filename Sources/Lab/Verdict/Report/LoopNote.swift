import Frames

/// The note about a clip that is shorter than a trial, which plays it several times.
struct LoopNote {
  /// `The clip has 60 frames (2 s); each trial of decode played it about 5 times.` Nil where no trial reached the clip's end.
  let sentence: String?

  /// The scenarios that begin the clip again at its end.
  private static let looping: Set<Scenario> = [.decode, .upload, .pipeline, .play]
  /// A trial at the pace of a display may show a frame of the next pass before it ends.
  private static let least = 1.1

  init(_ record: Record) {
    guard let frames = record.input.frames, frames > 0, !record.input.isStill else {
      sentence = nil
      return
    }
    var groups: [(times: String, names: [String])] = []
    for scenario in record.scenarios {
      guard let key = scenario.key, Self.looping.contains(key) else { continue }
      let passes = scenario.trials.compactMap(Self.frames).map { Double($0) / Double(frames) }
      guard let median = Distribution.median(passes), median >= Self.least else { continue }
      let times = ReportText.shortest(median, decimals: median < 3 ? 1 : 0)
      if let index = groups.firstIndex(where: { $0.times == times }) {
        if !groups[index].names.contains(scenario.name) { groups[index].names.append(scenario.name) }
      } else {
        groups.append((times, [scenario.name]))
      }
    }
    guard !groups.isEmpty else {
      sentence = nil
      return
    }
    let length = record.input.durationSeconds.map { " (\(ReportText.shortest($0, decimals: 1)) s)" } ?? ""
    let parts = groups.map { "each trial of \(Self.list($0.names)) played it about \($0.times) times" }
    sentence = "The clip has \(frames) frames\(length); \(parts.joined(separator: "; "))."
  }

  /// The frames that passed in a trial, shown or not. Records of earlier builds count no decoded frames, but have a time of each.
  private static func frames(_ trial: Record.Trial) -> Int? {
    if let decoded = trial.counters[.decodedFrames] ?? nil { return decoded }
    if let shown = trial.counters[.presented] ?? nil {
      return [Metric.dropped, .skipped].reduce(shown) { $0.addingSaturated((trial.counters[$1] ?? nil) ?? 0) }
    }
    return trial.metrics[.decodeLatency].map(\.samples.count)
  }

  private static func list(_ names: [String]) -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}
