import Frames
import Support
import TestPicture
import Testing
import Verdict

import Observe

/// A player whose faults are known, watched on a screen that is sampled without a clock: each fault is found, and none is invented.
@Suite struct PlantedFaultTests {
  private static let clip = ObservedMeasures.Clip(frames: 100_000, rate: 24)
  private static let period = 1000.0 / 24

  /// A schedule with faults, and what must be counted.
  private struct Plan {
    var paints: [PaintedScreen.Paint] = []
    var (presented, dropped, torn, outOfOrder, freezes, repeated) = (0, 0, 0, 0, 0, 0)
    var end = 0.0
  }

  private static func plan(_ count: Int, using generator: inout SeededGenerator) -> Plan {
    var plan = Plan()
    var (time, number) = (500.0, 0)
    func paint(_ number: Int, at time: Double, for duration: Double = 2, tiles: Int = 9) {
      plan.paints.append(.init(time: time, duration: duration, number: number, tiles: tiles))
    }
    while number < count {
      // The first frames and the last one are whole: a fault there has no neighbour to be seen against.
      let isInner = number > 2 && number < count - 4
      switch isInner ? Int.random(in: 0..<60, using: &generator) : 59 {
      case 0:
        plan.dropped += 1
      case 1:
        // Late by less than half of a period: the rounding of intervals does not make a repetition of it.
        paint(number, at: time + Double.random(in: 1..<12, using: &generator))
        plan.presented += 1
      case 2:
        // Longer than a refresh of 16.7 ms, also by samples that are up to 1.3 ms apart.
        paint(number, at: time, for: Double.random(in: 18.5..<20, using: &generator))
        plan.presented += 1
        plan.torn += 1
      case 3:
        paint(number, at: time, tiles: Int.random(in: 1...8, using: &generator))
        plan.torn += 1
      case 4:
        let extra = Int.random(in: 1...9, using: &generator)
        paint(number, at: time)
        plan.presented += 1
        time += Double(extra) * period
      case 5:
        paint(number + 1, at: time)
        paint(number, at: time + period)
        plan.presented += 2
        plan.outOfOrder += 1
        number += 1
        time += period
        // A whole frame behind the pair: the numbers go on from there.
        number += 1
        time += period
        paint(number, at: time)
        plan.presented += 1
      default:
        paint(number, at: time)
        plan.presented += 1
      }
      number += 1
      time += period
    }
    plan.end = time
    let whole = plan.paints.filter { $0.tiles == CodeGrid.tileCount }
    // Each period beyond the one that a frame, and the dropped frames behind it, have.
    plan.repeated = zip(whole, whole.dropFirst()).reduce(0) { sum, pair in
      let (frame, next) = pair
      guard next.number > frame.number else { return sum }
      return sum + max(0, Int(((next.end - frame.end) / period).rounded()) - (next.number - frame.number))
    }
    plan.freezes = zip(whole, whole.dropFirst()).count { $1.end - $0.end >= WatchedScreen.freezeLimit(period: period) }
    return plan
  }

  @Test func everyPlantedFaultIsFoundAndNoneIsInvented() {
    var generator = SeededGenerator(for: #function)
    let plan = Self.plan(Tier.selected == .full ? 100_000 : 3000, using: &generator)
    let log = PaintedScreen(paints: plan.paints).log(until: plan.end, jitter: 0.5, using: &generator)
    let timeline = ScreenTimeline(log, until: PaintedScreen.instant(plan.end))
    let measures = ObservedMeasures(timeline, of: Self.clip, from: .start(PaintedScreen.instant(0)))
    #expect(measures.counters[.presented] == plan.presented)
    #expect(measures.counters[.dropped] == plan.dropped)
    #expect(measures.counters[.torn] == plan.torn)
    #expect(measures.counters[.outOfOrder] == plan.outOfOrder)
    #expect(measures.counters[.freezes] == plan.freezes)
    #expect(measures.counters[.repeated] == plan.repeated)
    #expect(measures.samples[.unreadable] == [0])
  }

  /// The moment at which a frame is whole lies in the interval that is reported, whose width is that of a sampling period.
  @Test func theTrueTimeLiesInTheInterval() throws {
    var generator = SeededGenerator(for: #function)
    let paints = (0..<2000).map { number in
      PaintedScreen.Paint(
        time: 100 + Double(number) * 16.7 + Double.random(in: 0..<5, using: &generator),
        duration: Double.random(in: 0..<8, using: &generator), number: number)
    }
    let log = PaintedScreen(paints: paints).log(until: 34_000, jitter: 0.5, using: &generator)
    let shown = ScreenTimeline(log, until: PaintedScreen.instant(34_000)).shown
    try #require(shown.map(\.number) == Array(0..<2000))
    for (frame, paint) in zip(shown, paints) {
      let (start, end) = (PaintedScreen.instant(paint.time), PaintedScreen.instant(paint.end))
      #expect(frame.complete.after <= end && end <= frame.complete.by, "frame \(paint.number)")
      #expect(frame.began.after <= start && start <= frame.began.by, "frame \(paint.number)")
      #expect(frame.complete.width < 1.3)
    }
  }

  /// One clip's frames at their times.
  private static func steady(_ count: Int, from start: Double = 200) -> [PaintedScreen.Paint] {
    (0..<count).map { .init(time: start + Double($0) * period, number: $0) }
  }

  private func measures(
    _ screen: PaintedScreen, until end: Double
  ) -> (timeline: ScreenTimeline, measures: ObservedMeasures) {
    var generator = SeededGenerator(seed: 1)
    let log = screen.log(until: end, using: &generator)
    let timeline = ScreenTimeline(log, until: PaintedScreen.instant(end))
    return (timeline, ObservedMeasures(timeline, of: Self.clip, from: .start(PaintedScreen.instant(0))))
  }

  @Test func aSteadyPlayerHasNoFaults() throws {
    let (timeline, measures) = measures(PaintedScreen(paints: Self.steady(120)), until: 5300)
    let start = try #require(measures.samples[.timeToFirstFrame]?.first)
    #expect(abs(start - 200) < 1)
    #expect(measures.counters[.presented] == 120 && measures.samples[.lastFrame] == [119])
    for metric in [Metric.dropped, .torn, .outOfOrder, .freezes, .repeated] { #expect(measures.counters[metric] == 0) }
    #expect(measures.samples[.lateness]?.allSatisfy { abs($0) < 1 } == true)
    #expect(measures.samples[.frameInterval]?.allSatisfy { abs($0 - Self.period) < 1 } == true)
    #expect(measures.samples[.paint]?.allSatisfy { $0 == 0 } == true)
    #expect(try #require(measures.samples[.roughness]?.first) < 1)
    #expect(timeline.legibleTiles == Array(0..<9))
  }

  /// A player that begins with its fourth frame has dropped three; what it did not reach is not counted.
  @Test func framesBeforeTheFirstAreDropped() {
    let (_, measures) = measures(PaintedScreen(paints: Array(Self.steady(40).dropFirst(3))), until: 2800)
    #expect(measures.counters[.presented] == 37 && measures.counters[.dropped] == 3)
    #expect(measures.samples[.lastFrame] == [39])
  }

  @Test(arguments: [8.0, 25, 50]) func aLateFrameIsAsLateAsItIs(_ late: Double) throws {
    var paints = Self.steady(60)
    // The frames behind it would come before it: they are not shown.
    let time = paints[30].time + late
    paints.removeAll { $0.number > 30 && $0.time < time }
    paints[30].time = time
    let lateness = try #require(measures(PaintedScreen(paints: paints), until: 2800).measures.samples[.lateness])
    #expect(abs(lateness[30] - late) < 1)
    #expect(lateness.enumerated().allSatisfy { $0.offset == 30 || abs($0.element) < 1 })
  }

  @Test func aCoveredTileDoesNotCount() {
    let (timeline, measures) = measures(PaintedScreen(paints: Self.steady(60), covered: [4, 8]), until: 2800)
    #expect(timeline.legibleTiles == [0, 1, 2, 3, 5, 6, 7])
    #expect(measures.counters[.presented] == 60 && measures.counters[.torn] == 0)
  }

  @Test func aBlackScreenIsTimeWithoutAPicture() throws {
    var paints = Self.steady(60)
    paints.removeAll { (20..<30).contains($0.number) }
    let (_, measures) = measures(PaintedScreen(paints: paints, blackouts: [paints[19].time + 20]), until: 2800)
    let expected = paints[20].time - paints[19].time - 20
    #expect(abs(try #require(measures.samples[.unreadable]?.first) - expected) < 2)
    #expect(measures.counters[.dropped] == 10 && measures.counters[.torn] == 0)
  }

  @Test func aFrozenPictureHasItsStartAndLength() throws {
    var paints = Self.steady(60)
    for index in paints.indices where paints[index].number > 30 { paints[index].time += 400 }
    let freezes = measures(PaintedScreen(paints: paints), until: 3300).measures.freezes
    let freeze = try #require(freezes.first)
    #expect(freezes.count == 1 && freeze.number == 30)
    #expect(abs(freeze.start - paints[30].time / 1000) < 0.002)
    #expect(abs(freeze.seconds - (400 + Self.period) / 1000) < 0.002)
  }

  /// Other pictures than the code show no number: noise, grey, and the desktop's black and white.
  @Test func otherPicturesShowNoNumber() {
    var generator = SeededGenerator(for: #function)
    for value in [UInt8(0), 128, 255] {
      let tiles = CodeGrid.tiles([UInt8](repeating: value, count: CodeGrid.tileCount * FrameCode.bitCount))
      #expect((0..<CodeGrid.tileCount).allSatisfy { !tiles[$0].isLegible })
    }
    // A tile of noise is a number once in 16,000 times; two tiles with the same number are not seen.
    var log = ScreenLog()
    for time in 0..<2000 {
      let noise = (0..<CodeGrid.tileCount * FrameCode.bitCount).map { _ in UInt8.random(in: 0...255, using: &generator)
      }
      log.add(noise, from: PaintedScreen.instant(Double(time)), to: PaintedScreen.instant(Double(time) + 0.01))
    }
    #expect(ScreenTimeline(log, until: PaintedScreen.instant(2000)).shown.isEmpty)
  }

  @Test func nothingIsSeenOnAScreenThatDoesNotChange() {
    let (timeline, measures) = measures(PaintedScreen(paints: []), until: 500)
    #expect(timeline.shown.isEmpty && timeline.legibleTiles.isEmpty)
    #expect(measures.counters[.presented] == 0 && measures.samples[.timeToFirstFrame] == [])
  }
}
