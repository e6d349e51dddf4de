import Foundation

extension Array {
  /// One element in `share`, and at least one: the part of a long list of cases that `make test` runs, where the full tier runs the list.
  ///
  /// Every run takes the same elements, so that a failure repeats; `BENCH360_SEED` chooses others. The order is kept.
  public func sample(oneIn share: Int) -> [Element] {
    guard !isEmpty else { return [] }
    var generator = SeededGenerator(seed: Sampling.seed)
    let chosen = indices.shuffled(using: &generator).prefix(Swift.max(1, (count + share - 1) / share))
    return chosen.sorted().map { self[$0] }
  }
}

/// Which of many cases are tested.
public enum Sampling {
  static var seed: UInt64 { ProcessInfo.processInfo.environment["BENCH360_SEED"].flatMap { UInt64($0) } ?? 47 }

  /// A covering array of strength two: rows of value indexes in which every pair of values of two parameters occurs.
  ///
  /// `counts` has the number of values of each parameter. Greedy: each row takes, from some random candidates, the one that covers most
  /// pairs that no row before it has. The same rows in every run; `BENCH360_SEED` gives others.
  public static func pairwise(_ counts: [Int]) -> [[Int]] {
    precondition(counts.count >= 2 && counts.allSatisfy { $0 > 0 }, "two parameters with values are needed")
    struct Pair: Hashable {
      var first: Int, firstValue: Int, second: Int, secondValue: Int
    }
    func pairs(of row: [Int]) -> [Pair] {
      row.indices.flatMap { first in
        row.indices.dropFirst(first + 1).map {
          Pair(first: first, firstValue: row[first], second: $0, secondValue: row[$0])
        }
      }
    }
    var generator = SeededGenerator(seed: seed)
    var missing: Set<Pair> = []
    for first in counts.indices {
      for second in counts.indices.dropFirst(first + 1) {
        for firstValue in 0..<counts[first] {
          for secondValue in 0..<counts[second] {
            missing.insert(Pair(first: first, firstValue: firstValue, second: second, secondValue: secondValue))
          }
        }
      }
    }
    var rows: [[Int]] = []
    while !missing.isEmpty {
      // The least pair of the set, because a set's own order differs from run to run.
      let pair = missing.min {
        ($0.first, $0.second, $0.firstValue, $0.secondValue) < ($1.first, $1.second, $1.firstValue, $1.secondValue)
      }
      guard let pair else { break }
      let candidates = (0..<30).map { _ in
        var row = counts.map { Int.random(in: 0..<$0, using: &generator) }
        (row[pair.first], row[pair.second]) = (pair.firstValue, pair.secondValue)
        return row
      }
      let covered = candidates.map { row in pairs(of: row).count(where: missing.contains) }
      let best = covered.indices.max { covered[$0] < covered[$1] } ?? 0
      rows.append(candidates[best])
      missing.subtract(pairs(of: candidates[best]))
    }
    return rows
  }
}
