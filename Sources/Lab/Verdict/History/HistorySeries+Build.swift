import Frames

extension HistorySeries {
  /// The series of one metric in a group, one for each scenario, variant and present source that has it.
  package static func all(_ metric: Metric, in group: RecordGroup, scenario: String?) -> [HistorySeries] {
    var keys: [Key] = []
    var seen: Set<Key> = []
    for record in group.records {
      for found in record.scenarios where Key.isAsked(found, scenario) {
        let key = Key(scenario: found.name, variant: found.variant, source: found.presentSource)
        if !key.values(metric, record).isEmpty, seen.insert(key).inserted { keys.append(key) }
      }
    }
    return keys.compactMap { HistorySeries(metric, $0, group) }
  }

  /// Names of the possible histories.
  static func metrics(_ record: Record) -> [String] {
    var names: [String] = []
    for trial in record.scenarios.flatMap(\.trials) {
      for (name, metric) in trial.metrics where metric.p50 != nil { names.append(name) }
      for (name, count) in trial.counters where count != nil { names.append(name) }
    }
    return names.filter { History.problem(with: $0) == nil }
  }

  struct Key: Hashable {
    var scenario: String
    var variant: String?
    var source: PresentSource?

    static func isAsked(_ found: Record.Scenario, _ scenario: String?) -> Bool {
      guard let scenario else { return true }
      return found.name == scenario || found.variant.map { "\(found.name)/\($0)" == scenario } ?? false
    }

    /// One per complete trial.
    func values(_ metric: Metric, _ record: Record) -> [Double] {
      var values: [Double] = []
      for found in record.scenarios
      where Key(scenario: found.name, variant: found.variant, source: found.presentSource) == self {
        for trial in found.trials where trial.complete {
          let count: Double? = if let counted = trial.counters[metric.name] ?? nil { Double(counted) } else { nil }
          let value = metric.kind == .counter ? count : trial.metrics[metric.name]?.p50
          if let value, value.isFinite { values.append(value) }
        }
      }
      return values
    }
  }

  private init?(_ metric: Metric, _ key: Key, _ group: RecordGroup) {
    input = group.newest.input.name
    machine = group.newest.environment.machine.className
    differences = group.differences
    scenario = key.scenario
    self.metric = metric.name
    unit = metric.unit
    better = metric.polarity.rawValue
    points = Self.points(metric, key, group.records)
    changes = []
    variant = key.variant
    presentSource = key.source
    device = group.newest.environment.device?.name
    noise = Noise(points)
    guard !points.isEmpty else { return nil }
    changes = found(metric)
  }

  private static func points(_ metric: Metric, _ key: Key, _ records: [Record]) -> [Point] {
    var order: [String] = []
    var members: [String: [Record]] = [:]
    for record in records where !key.values(metric, record).isEmpty {
      let name = record.build.name
      if members[name] == nil { order.append(name) }
      members[name, default: []].append(record)
    }
    return order.compactMap { name in Point(name, members[name] ?? [], metric, key) }
  }

  /// Tests sessions, cuts between commits.
  private func found(_ metric: Metric) -> [Change] {
    let values = points.flatMap(\.sessions)
    var starts: [Int: Int] = [:]
    var count = 0
    for (index, point) in points.enumerated() {
      starts[count] = index
      count += point.sessions.count
    }
    let cuts = ChangePoints().cuts(in: values) { starts[$0] != nil }
    let borders = [0] + cuts.map(\.index) + [values.count]
    return cuts.enumerated().compactMap { number, cut in
      guard let point = starts[cut.index],
        let before = Distribution.median(Array(values[Range(from: borders[number], to: cut.index)])),
        let after = Distribution.median(Array(values[Range(from: cut.index, to: borders[number + 2])]))
      else { return nil }
      return Change(points[point], at: point, from: before, to: after, p: cut.p, metric.polarity)
    }
  }
}

extension HistorySeries.Point {
  init?(_ commit: String, _ records: [Record], _ metric: Metric, _ key: HistorySeries.Key) {
    guard let first = records.first, let last = records.last else { return nil }
    var order: [String] = []
    var trials: [String: [Double]] = [:]
    for (index, record) in records.enumerated() {
      // Without a session's name, two records may be of different sessions.
      let session = record.session ?? "\u{0}\(index)"
      if trials[session] == nil { order.append(session) }
      trials[session, default: []] += key.values(metric, record)
    }
    sessions = order.compactMap { Distribution.median(trials[$0] ?? []) }
    guard let median = Distribution.median(sessions) else { return nil }
    let all = trials.values.flatMap { $0 }
    self.commit = commit
    created = first.created
    self.last = last.created
    labels = Set(records.compactMap(\.label)).sorted()
    self.records = records.count
    self.trials = all.count
    self.median = median
    (low, high) = Self.interval(all)
  }

  /// The order statistics between which the median lies with 95 % or more, by the sign test (Thompson, "On confidence
  /// ranges for the median and other expectation distributions for populations of unknown distribution form", 1936).
  static func interval(_ values: [Double]) -> (Double?, Double?) {
    let sorted = values.sorted()
    var mass = 1.0
    for _ in sorted { mass /= 2 }
    var tail = 0.0
    var cut = 0
    // Beyond a thousand the mass vanishes; the normal approximation is then exact enough.
    if sorted.count > 1000 {
      let count = Double(sorted.count)
      cut = Int(count / 2 - 0.98 * count.squareRoot())
    } else {
      while cut < sorted.count / 2, tail + mass <= 0.025 {
        tail += mass
        mass *= Double(sorted.count - cut) / Double(cut + 1)
        cut += 1
      }
    }
    return cut == 0 ? (nil, nil) : (sorted[cut - 1], sorted[sorted.count - cut])
  }
}

extension HistorySeries.Noise {
  /// Differences between two sessions of one commit, where there are five of them; else between each commit and the
  /// next, where there are five; else nil.
  ///
  /// Either way the deviation is 1.4826 ÷ √2 × the median of their sizes: the median absolute deviation made consistent
  /// with the normal distribution (Rousseeuw and Croux, "Alternatives to the median absolute deviation", 1993), of
  /// differences whose variance is twice that of one value (von Neumann, "Distribution of the ratio of the mean square
  /// differences whose variance is twice that of one value (von Neumann, "Distribution of the ratio of the mean square
  /// differences, and so hardly their median.
  init?(_ points: [HistorySeries.Point]) {
    let repeated = points.flatMap { point in
      point.sessions.indices.flatMap { first in
        point.sessions[(first + 1)...].map { abs($0 - point.sessions[first]).clampedToFinite }
      }
    }
    let successive = zip(points, points.dropFirst()).map { abs($1.median - $0.median).clampedToFinite }
    let used = repeated.count >= 5 ? repeated : successive
    guard used.count >= 5, let middle = Distribution.median(used) else { return nil }
    source = repeated.count >= 5 ? .sessions : .successive
    differences = used.count
    deviation = (1.4826 / 2.0.squareRoot() * middle).clampedToFinite
    halfBand = (1.96 * deviation).clampedToFinite
  }
}

extension HistorySeries.Change {
  fileprivate init(
    _ point: HistorySeries.Point, at index: Int, from before: Double, to after: Double, p: Double,
    _ polarity: Metric.Polarity
  ) {
    self.point = index
    commit = point.commit
    created = point.created
    self.before = before
    self.after = after
    self.p = p
    direction =
      switch polarity {
      case .neutral: .other
      case .high: after > before ? .better : .worse
      case .low: after < before ? .better : .worse
      case .zero: abs(after) < abs(before) ? .better : .worse
      }
    percent = before == 0 ? nil : (after - before) / abs(before) * 100
  }
}

extension Record.Build {
  /// The history's name for the build that measured.
  package var name: String {
    let known = commit.isEmpty || commit == "unknown" ? "version \(version)" : String(commit.prefix(12))
    return known + (dirty == true ? "+" : "")
  }
}
