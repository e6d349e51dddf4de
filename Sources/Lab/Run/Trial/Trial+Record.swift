import Verdict

extension Record.Trial {
  /// - Parameter started: RFC 3339.
  init(_ outcome: TrialOutcome, started: String) {
    self.init(
      started: started, complete: outcome.isComplete, metrics: results(outcome.samples),
      counters: counts(outcome.counters, ofStream: !outcome.stream.sessions.isEmpty),
      histograms: named(
        outcome.histograms.mapValues { runs in
          Dictionary(uniqueKeysWithValues: runs.map { (String($0.key), $0.value) })
        }),
      phases: Dictionary(uniqueKeysWithValues: outcome.phases.map { ($0.key.name, $0.value) }),
      segments: outcome.segments.enumerated().map { index, segment in
        // Only the last segment can be cut short.
        Record.Segment(segment, isComplete: outcome.isComplete || index + 1 < outcome.segments.count)
      })
    (stream, clients, density) = (outcome.stream.session, outcome.stream.clients, outcome.density.whole)
  }
}

extension Record.Segment {
  fileprivate init(_ segment: TrialSegment, isComplete: Bool) {
    self.init(
      started: RecordCoding.timestamp(segment.started), complete: isComplete, metrics: results(segment.samples),
      counters: named(segment.counters.mapValues { $0 }))
  }
}

private func results(_ samples: [Metric: [Double]]) -> [String: MetricResult] {
  Dictionary(uniqueKeysWithValues: samples.map { ($0.key.name, MetricResult(of: $0.key, samples: $0.value)) })
}

/// As records hold them.
private func named<Value>(_ values: [Metric: Value]) -> [String: Value] {
  Dictionary(uniqueKeysWithValues: values.map { ($0.key.name, $0.value) })
}

private func counts(_ counters: [Metric: Int], ofStream: Bool) -> [String: Int?] {
  // Unknown, not zero, for clips whose frames carry no number.
  let unknown: [Metric: Int?] = ofStream ? [.wrongFrame: nil, .wrongRung: nil] : [.wrongFrame: nil]
  return named(unknown.merging(counters.mapValues { $0 }) { $1 })
}
