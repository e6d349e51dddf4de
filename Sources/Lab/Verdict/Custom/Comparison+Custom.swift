import FoundationEssentials
import Frames

extension Comparison {
  /// Runs of another program made in turns, A B B A, by the tests that bench360's own records get. A run counts as one
  /// value, the median of its values.
  ///
  /// Throws `.incomparable` if the runs say that they measured different inputs or devices, or have no metric to judge in
  /// common, and `.usage` if a gate names none of theirs.
  public init(
    customBlocks blocks: [(base: [CustomRun], head: [CustomRun])], names: (base: String, head: String),
    options: ComparisonOptions = ComparisonOptions()
  ) throws(Failure) {
    let evidence = CustomEvidence(blocks: blocks)
    try evidence.checkSubject()
    let series = try evidence.series(options.gates)
    created = RecordCoding.timestamp(Date())
    method = .interleaved
    base = Side(name: names.base, records: evidence.base.count, commits: [], labels: [])
    head = Side(name: names.head, records: evidence.head.count, commits: [], labels: [])
    alpha = options.alpha
    varied = []
    results = judge(series, of: .runs, options: options)
    incorrect = []
    warnings = evidence.warnings
  }
}

/// The runs of a comparison of other programs.
private struct CustomEvidence {
  let blocks: [(base: [CustomRun], head: [CustomRun])]
  var base: [CustomRun] { blocks.flatMap(\.base) }
  var head: [CustomRun] { blocks.flatMap(\.head) }

  func checkSubject() throws(Failure) {
    for (field, value) in [("input", \CustomRun.input), ("device", \CustomRun.device)] {
      let (base, head) = (Set(base.compactMap { $0[keyPath: value] }), Set(head.compactMap { $0[keyPath: value] }))
      guard base.union(head).count > 1 else { continue }
      func text(_ values: Set<String>) -> String { values.sorted().map { "'\($0)'" }.joined(separator: " and ") }
      let cause =
        base.count > 1 || head.count > 1
        ? "the runs of \(base.count > 1 ? "base" : "head") say \(field) \(text(base.count > 1 ? base : head))"
        : "base says \(field) \(text(base)), head \(text(head))"
      throw Failure(
        .incomparable, "cannot compare base and head", cause: cause,
        remedy:
          "measure the same \(field) on both sides; where it is the thing tested, leave '\(field)' out of the JSON")
    }
  }

  /// Every metric that both sides have, in base's order.
  func series(_ gates: Gates) throws(Failure) -> [Series] {
    let numbers = unique(base.flatMap(\.metrics))
    let input = base.lazy.compactMap(\.input).first ?? "commands"
    var series: [Series] = []
    for number in numbers {
      try checkUnit(of: number)
      let strata = blocks.map { Stratum(base: values(of: number, $0.base), head: values(of: number, $0.head)) }
      let whole = strata.filter { !$0.base.isEmpty && !$0.head.isEmpty }
      guard !whole.isEmpty else { continue }
      let key = SeriesKey(scenario: number.scenario ?? "command", variant: number.variant, metric: number.name)
      series.append(
        Series(
          input: input, key: key, quantity: number.quantity, strata: whole, isGated: gates.contain(number, key),
          isOneSession: true, noiseFloor: nil))
    }
    guard series.contains(where: \.isGated) else {
      let names = unique(numbers.filter { $0.better == .low || $0.better == .high }).map(\.name)
      throw Failure(
        .incomparable, "cannot compare base and head", cause: "no metric to judge is in both",
        remedy: names.isEmpty
          ? "say which way is better" : "gate one of base's: \(Set(names).sorted().joined(separator: ", "))")
    }
    return series
  }

  private func checkUnit(of number: CustomRun.Number) throws(Failure) {
    guard let other = (base + head).flatMap(\.metrics).first(where: { $0.key == number.key && $0.unit != number.unit })
    else { return }
    throw Failure(
      .incomparable, "cannot compare base and head",
      cause: "'\(number.name)' is in '\(number.unit)' in one run and in '\(other.unit)' in another",
      remedy: "let both commands use one unit")
  }

  private func values(of number: CustomRun.Number, _ runs: [CustomRun]) -> [Double] {
    runs.compactMap { run in run.metrics.first { $0.key == number.key }.flatMap { Distribution.median($0.values) } }
  }

  private func unique(_ numbers: [CustomRun.Number]) -> [CustomRun.Number] {
    var seen: Set<CustomRun.Key> = []
    return numbers.filter { seen.insert($0.key).inserted }
  }

  /// Metrics of one side only.
  var warnings: [Record.Warning] {
    let only = Set(base.flatMap(\.metrics).map(\.key)).symmetricDifference(head.flatMap(\.metrics).map(\.key))
    guard !only.isEmpty else { return [] }
    let names = only.map { [$0.variant, $0.name].compactMap { $0 }.joined(separator: " ") }.sorted()
    return [.init(code: .oneSide, text: "measured on one side only: \(names.joined(separator: ", "))")]
  }
}

extension Gates {
  /// Names of another program's metrics, which are known only when it has run.
  public static func custom(_ list: String?) -> Gates {
    Gates(names: list.map { Set($0.split(separator: ",").map(String.init)) })
  }

  fileprivate func contain(_ number: CustomRun.Number, _ key: SeriesKey) -> Bool {
    guard number.better == .low || number.better == .high else { return false }
    guard let names else { return number.isMain }
    return names.contains(number.name) || names.contains("\(key.scenario)/\(number.name)")
  }
}
