import Decode
import Frames
import Media
import Support
import Testing

/// What packets tell, against what a reader would see that has them all.
@Suite struct SeekScoutTests {
  private static func ticks(_ value: Int) -> MediaTime { MediaTime(nanoseconds: Int64(value)) }

  /// Times in the order of decoding: each group's last frame first, as B-frames have it, or a pyramid, and gaps between.
  private static func packets(_ random: inout SeededGenerator) -> [(time: Int, decoding: Int)] {
    var times: [Int] = []
    var time = 0
    for _ in 0..<Int.random(in: 5...40, using: &random) {
      times.append(time)
      time += Int.random(in: 1...6, using: &random)
    }
    var order = [times[0]]
    var rest = times.dropFirst()
    while !rest.isEmpty {
      let group = rest.prefix(Int.random(in: 1...5, using: &random))
      rest = rest.dropFirst(group.count)
      order += [group.last ?? 0] + group.dropLast().shuffled(using: &random)
    }
    // The latest decoding times that keep every frame at or after its own.
    var least = Int.max
    let decoding = order.reversed().map { time -> Int in
      least = min(least - 1, time)
      return least
    }
    return Array(zip(order, decoding.reversed()))
  }

  @Test(arguments: [true, false])
  func landingsAreCertainBeforeAllIsRead(hasDecodingTimes: Bool) {
    var random = SeededGenerator(for: "landingsAreCertainBeforeAllIsRead \(hasDecodingTimes)")
    var early = 0
    for _ in 0..<5000 {
      let packets = Self.packets(&random)
      let times = packets.map(\.time).sorted()
      let isExact = Bool.random(using: &random)
      let request = SeekRequest(
        target: Self.ticks(.random(in: -2...(times.last ?? 0) + 5, using: &random)),
        toleranceBefore: Self.ticks(isExact ? 0 : .random(in: 0...9, using: &random)),
        toleranceAfter: Self.ticks(isExact ? 0 : .random(in: 0...9, using: &random)))
      var scout = SeekScout(request)
      var read = 0
      while !scout.isCertain, read < packets.count {
        let packet = packets[read]
        scout.saw(
          presentationTime: Self.ticks(packet.time),
          decodingTime: hasDecodingTimes ? Self.ticks(packet.decoding) : nil)
        read += 1
      }
      if read < packets.count { early += 1 }
      let x = Int(request.target.nanoseconds)
      let shown = times.last { $0 <= x } ?? times[0]
      let inWindow = times.first {
        Self.ticks($0) >= request.earliest && Self.ticks($0) <= request.latest
      }
      #expect(scout.landing == Self.ticks(request.isExact ? shown : inWindow ?? shown))
      if request.isExact, let after = times.first(where: { $0 > x }) { #expect(scout.following == Self.ticks(after)) }
    }
    #expect(early > 500, "it needs not read them all")
  }

  /// Reading here and there tells in the end what reading all tells, and never claims more.
  @Test func indexesAreLearned() {
    var random = SeededGenerator(for: "indexesAreLearned")
    for _ in 0..<300 {
      let sync = Set([0] + (0..<8).map { _ in Int.random(in: 1..<100, using: &random) }).sorted()
      let whole = SyncSampleIndex(whole: sync.map(Self.ticks))
      var index = SyncSampleIndex()
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let start = Int.random(in: 0..<100, using: &random)
        index.jumped(toStart: start == 0)
        let end = start + Int.random(in: 1...40, using: &random)
        for time in start..<min(end, 100) {
          index.read(
            presentationTime: Self.ticks(time), decodingTime: Self.ticks(time), isSyncSample: sync.contains(time))
        }
        if end >= 100 { index.ended() }
        index.keepCurrent()
        #expect(index.times.allSatisfy { whole.times.contains($0) })
        #expect(zip(index.spans, index.spans.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        for _ in 0..<20 {
          let tolerances = [0, 3, 20, 1000]
          let request = SeekRequest(
            target: Self.ticks(.random(in: 0..<100, using: &random)),
            toleranceBefore: Self.ticks(tolerances.randomElement(using: &random) ?? 0),
            toleranceAfter: Self.ticks(tolerances.randomElement(using: &random) ?? 0))
          guard index.knowsSyncSamples(around: request) else { continue }
          #expect(SeekPlanner.plan(request, index: index) == SeekPlanner.plan(request, index: whole), "\(request)")
        }
      }
      index.jumped(toStart: true)
      for time in 0..<100 {
        index.read(
          presentationTime: Self.ticks(time), decodingTime: Self.ticks(time), isSyncSample: sync.contains(time))
      }
      index.ended()
      #expect(index.isWhole && index.times == whole.times)
    }
  }
}
