import Decode
import Frames
import Media
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

  private static func plan(
    _ request: SeekRequest, held: [ClosedRange<Int64>] = [], next: Int64? = nil, delay: Int = 0
  ) -> SeekPlanner.Plan {
    SeekPlanner.plan(
      request, index: SyncSampleIndex(whole: sync),
      decoded: DecodedFrames(
        held: held.map { .init(start: ms($0.lowerBound), end: ms($0.upperBound)) }, next: next.map(ms), spacing: ms(40),
        delay: delay))
  }

  @Test func whatIsAtHandIsShown() {
    let exact = SeekRequest(target: Self.ms(470))
    #expect(Self.plan(exact, held: [400...440, 440...480, 480...520]) == .show(Self.ms(440)))
    #expect(Self.plan(exact, held: [400...440, 480...520]) == .decodeForward(from: Self.ms(400)))
    let wide = SeekRequest(target: Self.ms(600), toleranceBefore: Self.ms(90), toleranceAfter: Self.ms(90))
    #expect(Self.plan(wide, held: [480...520, 640...680]) == .show(Self.ms(640)))
    #expect(Self.plan(wide, held: [520...560, 680...720]) == .show(Self.ms(520)), "of two the earlier")
    #expect(Self.plan(wide, held: [470...510]) == .decodeForward(from: Self.ms(400)), "it ends where the window starts")
  }

  @Test func theFrameOnTheScreenDoesNotHoldThePictureBack() {
    let any = SeekRequest(target: Self.ms(830), toleranceBefore: Self.far, toleranceAfter: Self.far)
    #expect(Self.plan(any, held: [0...40]) == .syncSample(Self.ms(800)))
    #expect(Self.plan(any, held: [840...880]) == .show(Self.ms(840)))
    #expect(Self.plan(any, held: [820...860]) == .show(Self.ms(820)))
  }

  @Test func decodingGoesOnWhereThatIsNoDearer() {
    let exact = SeekRequest(target: Self.ms(700))
    #expect(Self.plan(exact, next: 600) == .decodeOn)
    #expect(Self.plan(exact, next: 400) == .decodeOn, "as dear")
    #expect(Self.plan(exact, next: 200) == .decodeForward(from: Self.ms(400)))
    #expect(Self.plan(exact, next: 280, delay: 3) == .decodeOn, "what the decoder holds would be lost")
    #expect(Self.plan(exact, next: 240, delay: 3) == .decodeForward(from: Self.ms(400)))
    #expect(Self.plan(exact, next: 720) == .decodeForward(from: Self.ms(400)), "it lies behind")
    let after = SeekRequest(target: Self.ms(700), toleranceAfter: Self.ms(50))
    #expect(Self.plan(after, next: 720) == .decodeOn)
    #expect(Self.plan(after, next: 760) == .decodeForward(from: Self.ms(400)))
  }

  @Test func unknownPlacesAreSearched() {
    let partial = SyncSampleIndex([.zero, Self.ms(400)], until: Self.ms(600))
    #expect(SeekPlanner.plan(SeekRequest(target: Self.ms(500)), index: partial) == .decodeForward(from: Self.ms(400)))
    #expect(SeekPlanner.plan(SeekRequest(target: Self.ms(700)), index: partial) == .search)
    let window = SeekRequest(target: Self.ms(500), toleranceBefore: Self.ms(300), toleranceAfter: Self.ms(300))
    #expect(SeekPlanner.plan(window, index: partial) == .syncSample(Self.ms(400)), "none that is unknown lies nearer")
    let later = SeekRequest(target: Self.ms(590), toleranceBefore: Self.ms(300), toleranceAfter: Self.ms(300))
    #expect(SeekPlanner.plan(later, index: partial) == .search)
    let near = DecodedFrames(next: Self.ms(640), spacing: Self.ms(40))
    #expect(SeekPlanner.plan(SeekRequest(target: Self.ms(700)), index: partial, decoded: near) == .decodeOn)
    #expect(SeekPlanner.plan(SeekRequest(target: Self.ms(9000)), index: partial, decoded: near) == .search)
  }

  /// Small worlds of frames one tick apart: every frame's cost by every way is counted out, frame by frame.
  @Test func noCheaperWayIsLeftOut() {
    var random = SeededGenerator(for: "noCheaperWayIsLeftOut")
    for _ in 0..<20_000 {
      let count = Int.random(in: 4...40, using: &random)
      let sync = Set([0] + (0..<3).map { _ in Int.random(in: 0..<count, using: &random) }).sorted()
      let held = (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0..<count, using: &random) }
      let next = Bool.random(using: &random) ? Int.random(in: 0..<count, using: &random) : nil
      let delay = Int.random(in: 0...3, using: &random)
      let x = Int.random(in: 0..<count, using: &random)
      let (before, after) = (Int.random(in: 0...4, using: &random), Int.random(in: 0...4, using: &random))
      let isExact = before == 0 && after == 0
      let request = SeekRequest(
        target: Self.ms(Int64(x)), toleranceBefore: Self.ms(Int64(before)), toleranceAfter: Self.ms(Int64(after)))
      let plan = SeekPlanner.plan(
        request, index: SyncSampleIndex(whole: sync.map { Self.ms(Int64($0)) }),
        decoded: DecodedFrames(
          held: held.map { .init(start: Self.ms(Int64($0)), end: Self.ms(Int64($0 + 1))) },
          next: next.map { Self.ms(Int64($0)) }, spacing: Self.ms(1), delay: delay))
      // Frames that must come out of the decoder until one that is allowed does; nil where none ever does.
      func cost(from start: Int) -> Int? {
        (start..<max(start, count)).first { isExact ? $0 == x : $0 >= x - before && $0 <= x + after }.map {
          $0 - start + 1
        }
      }
      let inside = { (frame: Int) in frame >= x - before && frame <= x + after }
      let nearestSync = sync.filter(inside).map { abs($0 - x) }.min()
      let nearestHeld = held.filter(inside).map { abs($0 - x) }.min()
      switch plan {
      case .show(let time):
        let frame = Int(time.nanoseconds / 1_000_000)
        #expect(held.contains(frame) && abs(frame - x) == nearestHeld && abs(frame - x) <= nearestSync ?? .max)
      case .syncSample(let time):
        let frame = Int(time.nanoseconds / 1_000_000)
        #expect(sync.contains(frame) && abs(frame - x) == nearestSync && nearestHeld ?? .max > abs(frame - x))
      case .decodeOn, .decodeForward:
        #expect(nearestHeld == nil && nearestSync == nil)
        let on = next.flatMap(cost)
        let start = sync.last { $0 <= x } ?? 0
        let restart = (cost(from: start) ?? .max) + delay
        #expect((plan == .decodeOn) == (on ?? .max <= restart), "\(plan): \(on ?? -1) or \(restart)")
        if plan != .decodeOn { #expect(plan == .decodeForward(from: Self.ms(Int64(start)))) }
      case .search: Issue.record("all is known")
      }
    }
  }
}
