/// Looks for the most streams that a machine keeps up with: which number to try next, by what the tries before gave. Pure.
///
/// Close to the limit it is luck whether a try holds. So the numbers on both sides of the limit are tried until two tries agree.
package struct DensitySearch {
  private struct Votes {
    var (held, failed) = (0, 0)

    var isDoubtful: Bool { held == failed }
    var holds: Bool { held > failed }
    var isSettled: Bool { max(held, failed) >= 2 }
  }

  private let limit: Int
  private var votes: [Int: Votes] = [:]
  /// What to try after one: the next numbers lie close to it.
  package var guess = 2

  /// - Parameter limit: no more than this are tried; 1 at least.
  package init(limit: Int) { self.limit = max(1, limit) }

  package mutating func note(_ streams: Int, holds: Bool) {
    if holds {
      votes[streams, default: Votes()].held += 1
    } else {
      votes[streams, default: Votes()].failed += 1
    }
  }

  /// The fewest that fail; nil: none does.
  private var failing: Int? { votes.filter { !$0.value.holds && !$0.value.isDoubtful }.keys.min() }

  /// The most that the machine keeps up with, by the tries so far; 0: none.
  package var most: Int {
    let failing = failing ?? .max
    return votes.filter { $0.value.holds && $0.key < failing }.keys.max() ?? 0
  }

  /// The number to try next; nil: `most` is settled.
  package var next: Int? {
    if let doubtful = votes.filter(\.value.isDoubtful).keys.min() { return doubtful }
    let most = most
    guard let failing else { return most < limit ? above(most) : unsettled(limit) }
    if failing - most > 1 { return (most + failing) / 2 }
    return unsettled(most) ?? unsettled(failing)
  }

  private func unsettled(_ streams: Int) -> Int? {
    guard let votes = votes[streams], !votes.isSettled else { return nil }
    return streams
  }

  /// Steps grow with every number behind the guess that holds.
  private func above(_ most: Int) -> Int {
    guard most > 0 else { return 1 }
    let step = most < guess ? guess - most : 1 << min(16, votes.keys.filter { $0 >= guess }.count - 1)
    return min(limit, most + max(1, step))
  }
}
