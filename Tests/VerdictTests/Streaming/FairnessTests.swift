import Frames
import Support
import Testing
import Verdict

/// How players share a link: Jain's index, the link's use, and several players' measures as one.
@Suite struct FairnessTests {
  /// 1 for equal shares, k/n where k share all evenly, and the same in any unit.
  @Test func jainsIndexIsThatOfItsPaper() {
    var generator = SeededGenerator(for: "Jain's index")
    for _ in 0..<300 {
      let count = Int.random(in: 1...20, using: &generator)
      let having = Int.random(in: 1...count, using: &generator)
      let share = Double.random(in: 1e-6...1e9, using: &generator)
      let even = (0..<count).map { $0 < having ? share : 0 }.shuffled(using: &generator)
      #expect(abs((Fairness.jain(even) ?? 0) - Double(having) / Double(count)) < 1e-12)
      let any = (0..<count).map { _ in Double.random(in: 0...5, using: &generator) }
      let index = Fairness.jain(any) ?? 0
      let (sum, squares) = (any.reduce(0, +), any.reduce(0) { $0 + $1 * $1 })
      #expect(abs(index - sum * sum / (Double(count) * squares)) < 1e-9 && index >= 1 / Double(count) - 1e-9)
      #expect(abs(index - (Fairness.jain(any.map { $0 * 8e6 }) ?? 0)) < 1e-9)
    }
    #expect(abs((Fairness.jain([3, 1]) ?? 0) - 0.8) < 1e-12)
    #expect(Fairness.jain([1e200, 1e200]) == 1)
    for shares in [[], [0, 0], [1, -1], [1, .nan], [1, .infinity]] { #expect(Fairness.jain(shares) == nil) }
  }

  /// Beside a slow twin, which looks at each tenth of a second.
  @Test func aLinkIsUsedWhileOneLoads() {
    var generator = SeededGenerator(for: "a link is used while one loads")
    for _ in 0..<200 {
      let spans = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
        let start = Int.random(in: 0..<100, using: &generator)
        return (start, start + Int.random(in: -2...20, using: &generator))
      }
      let busy = (0..<200).count { tenth in spans.contains { $0.0 <= tenth && tenth < $0.1 } }
      let used = LinkUse.utilisation(
        bytes: 500, passing: [], loading: spans.map { LinkUse.Span(start: Double($0.0) / 10, end: Double($0.1) / 10) }
      ) { Int64(($0 * 1000).rounded()) }
      if busy == 0 { #expect(used == nil) } else { #expect(abs((used ?? 0) - 500 / Double(busy * 100)) < 1e-9) }
    }
  }

  /// Bytes pass in times of their own, too: never more than those times have room for.
  @Test func aLinkIsUsedUpAtMost() {
    var generator = SeededGenerator(for: "a link is used up at most")
    for _ in 0..<500 {
      let rate = Double.random(in: 1...1e6, using: &generator)
      let capacity = { (seconds: Double) in Int64(seconds * rate) }
      func spans(_ count: Int) -> [LinkUse.Span] {
        let ends = (0..<2 * count).map { _ in Double.random(in: 0...20, using: &generator) }.sorted()
        return (0..<count).map { LinkUse.Span(start: ends[2 * $0], end: ends[2 * $0 + 1]) }
      }
      let passing = spans(Int.random(in: 1...8, using: &generator))
      let bytes = passing.reduce(0) { $0 + capacity($1.end) - capacity($1.start) }
      let loading = spans(Int.random(in: 0...8, using: &generator))
      let used = LinkUse.utilisation(bytes: bytes, passing: passing, loading: loading, capacity: capacity)
      #expect(used.map { $0 <= 1 } ?? (bytes == 0))
    }
  }

  @Test func severalAreOneByTheKindOfEachMetric() {
    let first = ClientMeasures.Part(
      samples: [.meanBitrate: [100], .clientStallTime: [5, 7], .rebufferRatio: [0.1]], counters: [.bytesDownloaded: 10],
      phases: [.manifest: 4])
    let second = ClientMeasures.Part(
      samples: [.meanBitrate: [300], .clientStallTime: [9]], counters: [.bytesDownloaded: 5], phases: [:])
    let both = ClientMeasures(pooling: [first, second])
    #expect(both.samples[.meanBitrate] == [200] && both.counters[.bytesDownloaded] == 15)
    // One of them does not know it.
    #expect(both.samples[.rebufferRatio] == [])
    #expect(both.samples[.clientStallTime] == [5, 7, 9] && both.phases[.manifest] == 4)
  }
}
