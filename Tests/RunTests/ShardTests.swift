import Foundation
import Frames
import Run
import Support
import Testing
import Verdict

@Suite struct ShardTests {
  @Test(arguments: [
    "", "1", "/", "1/", "/2", "2/2", "-1/2", "+1/2", "1/0", "0/0", "0/100001", "1/2/3", "a/b", "0x1/2", " 0/1", "0/1 ",
  ])
  func isRefused(text: String) { #expect(Shard(text) == nil) }

  @Test func everyCellIsOfOneShardAndShardsAreAlike() {
    for count in 1...40 {
      let shards = (0..<count).compactMap { Shard($0, of: count) }
      #expect(shards.count == count && shards.map(\.description).compactMap { Shard($0) } == shards)
      for cells in [0, 1, 7, 40, 41, 100] {
        let parts = shards.map { shard in (0..<cells).filter { shard.holds($0) } }
        let (all, counts): ([Int], [Int]) = (parts.flatMap { $0 }.sorted(), parts.map(\.count).sorted())
        #expect(all == Array(0..<cells), "\(cells) in \(count)")
        #expect(counts[count - 1] - counts[0] <= 1, "\(cells) in \(count)")
      }
    }
  }

  /// Slow settings recur with some axis, of any period: each shard gets some of them, and none much more than its part.
  @Test func noShardHasAllThatIsSlow() {
    for count in 2...9 {
      for period in 2...20 {
        var slow = [Int](repeating: 0, count: count)
        for cell in stride(from: 0, to: 40 * count * period, by: period) {
          slow[Shard.index(ofCell: cell, of: count)] += 1
        }
        #expect(slow.allSatisfy { (20...65).contains($0) }, "\(count) shards, every \(period)th: \(slow)")
      }
    }
  }

  /// Written down: a job that is started again finds its own records only where shards are what they were.
  @Test func cellsAreOfTheShardsTheyHaveAlwaysBeenOf() {
    #expect((0..<12).map { Shard.index(ofCell: $0, of: 3) } == [0, 1, 2, 1, 2, 0, 0, 1, 2, 1, 2, 0])
  }
}
