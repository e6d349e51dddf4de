extension Record {
  /// Makes a record of an earlier schema one of this build's: counts and samples whose metric is defined otherwise since then become
  /// unknown, so that nothing compares two meanings of one name.
  mutating func upgrade(from version: Int) {
    schema = Record.schema
    let changed = Metric.allCases.filter { $0.since > version }.map(\.name)
    guard !changed.isEmpty else { return }
    for index in scenarios.indices { scenarios[index].forget(changed) }
  }
}

extension Record.Scenario {
  fileprivate mutating func forget(_ names: [String]) {
    trials = trials.map { trial in
      var trial = trial
      trial.forget(names)
      trial.segments = trial.segments.map { segment in
        var segment = segment
        segment.forget(names)
        return segment
      }
      return trial
    }
    for name in names {
      summary.metrics[name] = nil
      if summary.counters[name] != nil { summary.counters[name] = .some(nil) }
    }
  }
}

/// A trial or a segment of one.
private protocol Measurements {
  var metrics: [String: MetricResult] { get set }
  var counters: [String: Int?] { get set }
  var histograms: [String: [String: Int]] { get set }
}

extension Record.Trial: Measurements {}
extension Record.Segment: Measurements {}

extension Measurements {
  /// Counts become unknown, distributions and histograms absent.
  fileprivate mutating func forget(_ names: [String]) {
    for name in names {
      metrics[name] = nil
      histograms[name] = nil
      if counters[name] != nil { counters[name] = .some(nil) }
    }
  }
}
