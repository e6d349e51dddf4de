import Foundation
import Support
import Testing
import Verdict

@Suite struct DrawingTests {
  /// A picture leaves out neither extremes nor marks: held against the samples themselves.
  @Test func decimationKeepsExtremesAndMarks() {
    var random = SeededGenerator(for: "decimationKeepsExtremesAndMarks")
    for _ in 0..<200 {
      let count = Int.random(in: 0...3000, using: &random)
      let limit = Int.random(in: 1...500, using: &random)
      let samples = (0..<count).map { _ in Double.random(in: -5...100, using: &random) }
      let marks = Set(
        (0..<Int.random(in: 0...20, using: &random)).map { _ in Int.random(in: 0...3000, using: &random) })
      let envelope = Envelope(samples, columns: limit) { marks.contains($0) }
      #expect(envelope.count == count && envelope.columns.count == min(count, limit))
      #expect(envelope.low == samples.min() && envelope.high == samples.max())
      // The slow twin: every column from the samples that belong to it.
      let all = Dictionary(grouping: samples.indices) { $0 * envelope.columns.count / count }
      for (column, found) in envelope.columns.enumerated() {
        let members = all[column] ?? []
        let marked = members.filter(marks.contains)
        #expect(found.low == members.map { samples[$0] }.min() && found.high == members.map { samples[$0] }.max())
        #expect(found.marks == marked.count && found.marked == marked.map { samples[$0] }.max())
      }
      #expect(envelope.columns.reduce(0) { $0 + $1.marks } == marks.filter { $0 < count }.count)
    }
  }

  @Test func everySampleIsInABarOrCountedBeyond() throws {
    var random = SeededGenerator(for: "everySampleIsInABarOrCountedBeyond")
    for _ in 0..<200 {
      let count = Int.random(in: 1...2000, using: &random)
      let tail = Double.random(in: 1...50, using: &random)
      var samples = (0..<count).map { _ in pow(Double.random(in: 0.001...1, using: &random), -1 / tail) }
      samples += [.nan, .infinity]
      let bins = try #require(Bins(samples, count: 60))
      #expect(bins.counts.reduce(0, +) + bins.above == count)
      #expect(bins.above == samples.filter { $0.isFinite && $0 > bins.scale.high }.count)
      #expect(bins.largest == samples.filter(\.isFinite).max())
    }
    #expect(Bins([.nan], count: 60) == nil && Bins([], count: 60) == nil)
  }

  @Test func ticksAreRoundAndInside() {
    var random = SeededGenerator(for: "ticksAreRoundAndInside")
    for _ in 0..<500 {
      let low = Double.random(in: -1e4...1e4, using: &random)
      let scale = Scale(low, low + pow(10, Double.random(in: -3...6, using: &random)))
      let ticks = scale.ticks(4)
      #expect((2...8).contains(ticks.count), "\(scale)")
      let slack = (scale.high - scale.low) * 1e-6
      #expect(ticks.allSatisfy { $0 >= scale.low - slack && $0 <= scale.high + slack }, "\(scale)")
      #expect(Set(ticks.map { scale.label($0) }).count == ticks.count, "\(scale) \(ticks)")
    }
    #expect(Scale(0, 10).ticks(4) == [0, 2, 4, 6, 8, 10] && Scale(0, 0.3).label(0.1) == "0.1")
    #expect(Scale(3, 3).high > 3 && Scale(.nan, .infinity).place(.nan) == 0)
  }
}
