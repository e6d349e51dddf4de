import Support

extension Sampling {
  /// All rows of value indexes, of which `pairwise` takes a part. `counts` has the number of values of each parameter.
  static func product(_ counts: [Int]) -> [[Int]] {
    counts.reduce([[]]) { rows, count in rows.flatMap { row in (0..<count).map { row + [$0] } } }
  }
}
