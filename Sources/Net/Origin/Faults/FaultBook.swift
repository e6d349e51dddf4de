/// Counts requests and tells which faults happen to each: the same order of requests gives the same faults.
///
/// Used on the origin's event loop alone.
package struct FaultBook {
  /// Paths that are counted; the requests of further ones count as their first.
  static let pathLimit = 100_000

  private let rules: [FaultRule]
  private var countsOfRules: [Int64]
  private var countsOfPaths: [String: Int64] = [:]

  package init(_ rules: [FaultRule]) {
    self.rules = rules
    countsOfRules = rules.map { _ in 0 }
  }

  /// The faults of this request, in the order of their rules. Call it once for each request, as they arrive.
  package mutating func faults(path: String, at seconds: Double) -> [any Fault] {
    let matching = rules.indices.filter { rules[$0].pattern.matches(path) }
    guard !matching.isEmpty else { return [] }
    var nthOfPath: Int64 = 1
    if countsOfPaths.count < Self.pathLimit || countsOfPaths[path] != nil {
      nthOfPath = countsOfPaths[path, default: 0] + 1
      countsOfPaths[path] = nthOfPath
    }
    return matching.compactMap { index in
      countsOfRules[index] += 1
      let rule = rules[index]
      guard rule.window.contains(seconds), rule.nthOfPath?.contains(nthOfPath) ?? true,
        rule.nthInAll?.contains(countsOfRules[index]) ?? true
      else { return nil }
      return rule.fault
    }
  }
}
