import Decode
import Frames
import Support
import Testing

@Suite struct SeekPlannerTests {
  private static func ms(_ value: Int64) -> MediaTime { MediaTime(nanoseconds: value * 1_000_000) }
  private static let far = MediaTime(nanoseconds: .max)
  private static let sync = [0, 400, 800, 1200].map { ms($0) }

  private static func plan(_ target: Int64, _ before: MediaTime, _ after: MediaTime) -> SeekPlanner.Plan {
    SeekPlanner.plan(
      SeekRequest(target: ms(target), toleranceBefore: before, toleranceAfter: after), syncSamples: sync)
  }

  @Test func exactSeeksDecodeFromTheSyncSampleBefore() {
    #expect(Self.plan(399, .zero, .zero) == .decodeForward(from: .zero))
    #expect(Self.plan(401, .zero, .zero) == .decodeForward(from: Self.ms(400)))
    #expect(Self.plan(9999, .zero, .zero) == .decodeForward(from: Self.ms(1200)))
    #expect(Self.plan(400, .zero, .zero) == .syncSample(Self.ms(400)))
  }

  @Test func theNearestSyncSampleInTheWindowIsTaken() {
    #expect(Self.plan(500, Self.ms(100), .zero) == .syncSample(Self.ms(400)))
    #expect(Self.plan(500, Self.ms(99), .zero) == .decodeForward(from: Self.ms(400)))
    #expect(Self.plan(700, Self.ms(300), Self.ms(100)) == .syncSample(Self.ms(800)))
    #expect(Self.plan(700, .zero, Self.ms(99)) == .decodeForward(from: Self.ms(400)))
    #expect(Self.plan(500, Self.far, Self.far) == .syncSample(Self.ms(400)))
    #expect(Self.plan(99999, Self.far, Self.far) == .syncSample(Self.ms(1200)))
    #expect(Self.plan(-99999, Self.far, Self.far) == .syncSample(.zero))
  }

  @Test func ofTwoEquallyNearTheEarlierIsTaken() {
    #expect(Self.plan(600, Self.ms(200), Self.ms(200)) == .syncSample(Self.ms(400)))
    #expect(Self.plan(600, Self.ms(199), Self.ms(200)) == .syncSample(Self.ms(800)))
    #expect(Self.plan(1000, Self.far, Self.far) == .syncSample(Self.ms(800)))
  }

  @Test func withoutAnIndexDecodingStartsAtTheTarget() {
    let request = SeekRequest(target: Self.ms(500), toleranceBefore: Self.far, toleranceAfter: Self.far)
    #expect(SeekPlanner.plan(request, syncSamples: []) == .decodeForward(from: Self.ms(500)))
    #expect(
      SeekPlanner.plan(SeekRequest(target: Self.ms(5)), syncSamples: [Self.ms(10)]) == .decodeForward(from: Self.ms(5)))
  }

  @Test func extremesDoNotOverflow() {
    for target in [Int64.min, .min + 1, 0, .max] {
      for (before, after) in [(Self.far, Self.far), (.zero, Self.far), (Self.far, .zero), (.zero, .zero)] {
        let request = SeekRequest(
          target: MediaTime(nanoseconds: target), toleranceBefore: before, toleranceAfter: after)
        #expect(request.earliest <= request.target && request.target <= request.latest)
        _ = SeekPlanner.plan(request, syncSamples: Self.sync)
      }
    }
  }

  @Test func plansAgreeWithTheRuleReadLiterally() {
    var random = SeededGenerator(for: "plansAgreeWithTheRuleReadLiterally")
    for _ in 0..<20_000 {
      let sync = Set((0..<Int.random(in: 0..<8, using: &random)).map { _ in Int64.random(in: -5..<60, using: &random) })
        .sorted()
      let x = Int64.random(in: -10..<70, using: &random)
      let (before, after) = (Int64.random(in: 0..<12, using: &random), Int64.random(in: 0..<12, using: &random))
      let request = SeekRequest(
        target: MediaTime(nanoseconds: x), toleranceBefore: MediaTime(nanoseconds: before),
        toleranceAfter: MediaTime(nanoseconds: after))
      // Distances outwards from the target, the earlier side first.
      let expected: SeekPlanner.Plan
      if let distance = (0...12).first(where: { d in
        d <= before && sync.contains(x - Int64(d)) || d <= after && sync.contains(x + Int64(d))
      }) {
        let isEarlier = Int64(distance) <= before && sync.contains(x - Int64(distance))
        expected = .syncSample(MediaTime(nanoseconds: isEarlier ? x - Int64(distance) : x + Int64(distance)))
      } else {
        expected = .decodeForward(from: MediaTime(nanoseconds: sync.filter { $0 <= x }.max() ?? x))
      }
      #expect(SeekPlanner.plan(request, syncSamples: sync.map { MediaTime(nanoseconds: $0) }) == expected)
    }
  }
}
