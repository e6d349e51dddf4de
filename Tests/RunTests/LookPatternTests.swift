import Frames
import Playback
import Render
import Run
import Support
import Testing

/// What hands do on a view: made from a seed, and of the shape that its name says.
@Suite struct LookPatternTests {
  private static let size = PictureSize(width: 1280, height: 720)

  @Test(arguments: LookPattern.allCases)
  func handsStayOnTheViewAndFollowFromTheSeed(_ pattern: LookPattern) {
    var random = SeededGenerator(for: "handsStayOnTheViewAndFollowFromTheSeed")
    for _ in 0..<50 {
      let seed = UInt64.random(in: 0...UInt64.max, using: &random)
      let seconds = Double.random(in: 1...30, using: &random)
      let recording = pattern.recording(seconds: seconds, size: Self.size, seed: seed)
      let times = recording.moments.map(\.seconds)
      #expect(times.count > 1 && times.allSatisfy { (0..<seconds).contains($0) })
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(recording == pattern.recording(seconds: seconds, size: Self.size, seed: seed))
      #expect(recording != pattern.recording(seconds: seconds, size: Self.size, seed: seed &+ 1))
      for moment in recording.moments {
        switch moment.event {
        case .grab(let x, let y), .drag(let x, let y), .zoom(_, let x, let y):
          #expect((0...1280).contains(x) && (0...720).contains(y))
        default: break
        }
      }
      // A longer trial goes on where a shorter one ends.
      let longer = pattern.recording(seconds: seconds * 2, size: Self.size, seed: seed)
      #expect(Array(longer.moments.prefix(times.count)) == recording.moments)
    }
  }

  /// 125 times a second, and over the refreshes of any display.
  @Test(arguments: [50.0, 60, 125, 250])
  func aMouseTellsAtAnyPhaseOfTheDisplay(_ rate: Double) {
    let moments = LookPattern.drag.recording(seconds: 20, size: Self.size, seed: 3).moments
    let drags = moments.filter { if case .drag = $0.event { true } else { false } }
    let gaps = zip(drags, drags.dropFirst()).map { $1.seconds - $0.seconds }.filter { $0 < 0.1 }
    let mean = gaps.reduce(0, +) / Double(gaps.count)
    #expect(abs(mean - 0.008) < 1e-4 && gaps.allSatisfy { (0.0069...0.0091).contains($0) })
    let tenths = Dictionary(grouping: drags) { Int(($0.seconds * rate).truncatingRemainder(dividingBy: 1) * 10) }
    #expect(tenths.count == 10, "\(tenths.mapValues(\.count))")
  }

  /// What is let go of goes on, and everything that is begun ends.
  @Test func dragsEndInADrift() {
    let moments = LookPattern.drag.recording(seconds: 12, size: Self.size, seed: 9).moments
    var look = LookAround(home: Camera())
    var ends = 0
    for moment in moments {
      let now = MonotonicTime(nanoseconds: Int64(moment.seconds * 1e9))
      look.perform(moment.event, in: Self.size, at: now)
      switch moment.event {
      case .grab: #expect(look.isHeld)
      case .letGo:
        #expect(!look.isHeld && look.isMoving, "it was moving")
        ends += 1
      default: break
      }
    }
    #expect(ends > 5)
    #expect(LookPattern.dragPaused.recording(seconds: 12, size: Self.size, seed: 9).moments == moments)
  }

  @Test func wheelsAndKeysUndoWhatTheyDo() {
    let wheel = LookPattern.wheel.recording(seconds: 60, size: Self.size, seed: 2).moments
    let steps = wheel.map { moment -> Double in if case .zoom(let steps, _, _) = moment.event { steps } else { 0 } }
    let depths = steps.reduce(into: [0.0]) { $0.append(($0.last ?? 0) + $1) }
    #expect(steps.allSatisfy { abs($0) == 1 } && depths.allSatisfy { (0...8).contains($0) } && depths.contains(3))
    var held: Set<LookAround.Turn> = []
    var turns: Set<LookAround.Turn> = []
    for moment in LookPattern.keys.recording(seconds: 60, size: Self.size, seed: 2).moments {
      switch moment.event {
      case .hold(let turn):
        #expect(held.isEmpty)
        held.insert(turn)
        turns.insert(turn)
      case .release(let turn):
        #expect(held == [turn])
        held = []
      default: Issue.record("no key does that")
      }
    }
    #expect(turns == Set(LookAround.Turn.allCases))
  }
}
