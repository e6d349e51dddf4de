/// Divides bytes of a link between connections as processor sharing does: equal parts, and what one does not need goes
/// to the others.
package enum FairShare {
  /// A part for each demand, at most the demand; together they are the budget, or all demands where those are less.
  ///
  /// - Parameter first: the demand that gets the first of the bytes that cannot be divided; callers rotate it.
  package static func parts(of budget: Int, between demands: [Int], first: Int = 0) -> [Int] {
    var parts = [Int](repeating: 0, count: demands.count)
    var rest = budget
    var open = demands.indices.filter { demands[$0] > 0 }
    while rest > 0, !open.isEmpty {
      let equal = rest / open.count
      if equal == 0 {
        // `open` is in ascending order: the bytes go round from `first`.
        let start = open.firstIndex { $0 >= first } ?? 0
        for step in 0..<rest { parts[open[(start + step) % open.count]] += 1 }
        return parts
      }
      for index in open {
        let part = min(equal, demands[index] - parts[index])
        parts[index] += part
        rest -= part
      }
      open.removeAll { parts[$0] == demands[$0] }
    }
    return parts
  }
}
