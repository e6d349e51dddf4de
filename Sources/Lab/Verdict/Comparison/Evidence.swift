import Frames

/// The records of a comparison, in the blocks within which base and head may be exchanged.
struct Evidence {
  let blocks: [(base: [Record], head: [Record])]
  let isInterleaved: Bool
  let base: [Record]
  let head: [Record]

  init(blocks: [(base: [Record], head: [Record])], isInterleaved: Bool) {
    self.blocks = blocks
    self.isInterleaved = isInterleaved
    base = blocks.flatMap(\.base)
    head = blocks.flatMap(\.head)
  }

  /// The clips that both sides have.
  func commonClips() throws(Failure) -> [ClipEvidence] {
    let inHead = Set(head.map(\.input.identity))
    var seen: Set<String> = []
    let common = base.map(\.input.identity).filter { inHead.contains($0) && seen.insert($0).inserted }
    guard !common.isEmpty else {
      func names(_ records: [Record]) -> String { Set(records.map(\.input.name)).sorted().joined(separator: ", ") }
      throw Failure(
        .incomparable, "cannot compare base and head",
        cause: "they have no clip in common: base measured \(names(base)), head \(names(head)), by the files' hashes",
        remedy: "measure the same file on both sides")
    }
    return common.map { clip in
      ClipEvidence(
        Evidence(
          blocks: blocks.map { block in
            (block.base.filter { $0.input.identity == clip }, block.head.filter { $0.input.identity == clip })
          }, isInterleaved: isInterleaved))
    }
  }

  /// Counters that must be zero but are not.
  var incorrect: [Comparison.Incorrect] {
    [("base", base), ("head", head)].flatMap { side, records in
      var totals: [Comparison.Incorrect] = []
      for record in records {
        for scenario in record.scenarios {
          for counter in [Metric.wrongFrame, .wrongRung, .outOfTolerance] {
            guard let count = scenario.summary.counters[counter] ?? nil, count > 0 else { continue }
            totals.add(
              .init(side: side, input: record.input.name, scenario: scenario.name, counter: counter.name, count: count))
          }
        }
      }
      return totals
    }
  }

  /// The runs' own warnings, each once, and missing data.
  var warnings: [Record.Warning] {
    var warnings: [Record.Warning] = []
    let records = base + head
    for warning in records.flatMap(\.warnings) where !warnings.contains(where: { $0.code == warning.code }) {
      warnings.append(warning)
    }
    let cut = records.filter { !$0.complete }.count
    if cut > 0 {
      warnings.append(
        .init(code: .incomplete, text: "\(cut) of \(records.count) records ended early; their complete trials count"))
    }
    let only = Set(base.map(\.input.identity)).symmetricDifference(head.map(\.input.identity))
    let names = Set(records.filter { only.contains($0.input.identity) }.map(\.input.name)).sorted()
    if !names.isEmpty {
      warnings.append(.init(code: .oneSide, text: "measured on one side only: \(names.joined(separator: ", "))"))
    }
    return warnings
  }
}

extension [Comparison.Incorrect] {
  fileprivate mutating func add(_ new: Comparison.Incorrect) {
    let same = firstIndex {
      ($0.side, $0.input, $0.scenario, $0.counter) == (new.side, new.input, new.scenario, new.counter)
    }
    if let same { self[same].count = self[same].count.addingSaturated(new.count) } else { append(new) }
  }
}

extension Record.Input {
  /// A clip's identity: the file's content, or for URLs the name.
  var identity: String { sha256 ?? name }
}

/// The records of one clip.
struct ClipEvidence {
  private let evidence: Evidence
  private var base: [Record] { evidence.base }
  private var head: [Record] { evidence.head }

  init(_ evidence: Evidence) {
    self.evidence = evidence
  }

  /// The differences between the sides; throws if one of them is not declared to be the thing tested.
  func admittedDifferences(_ options: ComparisonOptions) throws(Failure) -> [Comparison.Difference] {
    let differences = Comparison.differences(base: base, head: head)
    let mixed = Comparison.mixtures(base).union(Comparison.mixtures(head))
    let refused = differences.filter { difference in
      mixed.contains(difference.field) || options.varied.map { !$0.contains(difference.field) } ?? false
    }
    guard !refused.isEmpty else { return differences }
    let list = refused.map { "\($0.field) (\($0.base) against \($0.head))" }.joined(separator: ", ")
    let fields = refused.map(\.field).joined(separator: ",")
    let oneMixes = refused.contains { mixed.contains($0.field) }
    throw Failure(
      .incomparable, "cannot compare the records of '\(base.first?.input.name ?? "")'",
      cause: (oneMixes ? "a side mixes records that differ in " : "base and head differ in ") + list,
      remedy: oneMixes ? "compare one kind at a time" : "give --vary \(fields) if that is the thing tested")
  }

  /// Every metric that both sides have, in the order of the record.
  func series(gates: Gates) -> [Series] {
    var keys: [SeriesKey] = []
    var seen: Set<SeriesKey> = []
    for record in base {
      for scenario in record.scenarios {
        let names = Set(scenario.trials.flatMap(\.metrics.keys)).filter {
          seen.insert(SeriesKey(scenario: scenario.name, variant: scenario.variant, metric: $0)).inserted
        }
        keys += Metric.ordered(names).map {
          SeriesKey(scenario: scenario.name, variant: scenario.variant, metric: $0)
        }
      }
    }
    let isInterleaved = evidence.isInterleaved
    let isSoftware = (base + head).contains { $0.environment.device?.software ?? false }
    let sessions = Set((base + head).map(\.session))
    return keys.compactMap { key in
      guard let metric = Metric.named(key.metric) else { return nil }
      let strata = evidence.blocks.map {
        Stratum(base: key.values($0.base, isInterleaved), head: key.values($0.head, isInterleaved))
      }
      let whole = strata.filter { !$0.base.isEmpty && !$0.head.isEmpty }
      guard !whole.isEmpty else { return nil }
      return Series(
        input: base[0].input.name, key: key, quantity: metric.quantity, strata: whole,
        isGated: gates.contain(metric, scenario: key.scenario, isSoftware: isSoftware),
        isOneSession: isInterleaved || (sessions.count == 1 && sessions.first != .some(nil)),
        noiseFloor: isInterleaved ? nil : key.noiseFloor(base))
    }
  }
}
