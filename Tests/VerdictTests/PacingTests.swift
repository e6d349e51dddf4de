import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Expected values are computed by hand from the definitions in `Roughness`.
@Suite struct PacingTests {
  /// Frames of a rate, seen at these refreshes of 60 a second, counted from the first.
  private static func views(_ rate: Double, at refreshes: [Double], first: Int = 0) -> [SeenView] {
    refreshes.enumerated().map { number, refresh in
      let seen = MonotonicTime(nanoseconds: 86_400_000_000_000 + Int64((refresh * 1e9 / 60).rounded()))
      return SeenView(
        frame: first + number, time: MediaTime(seconds: Double(first + number) / rate), moment: .zero, due: seen,
        ready: seen, seen: seen)
    }
  }

  /// By hand: of 200 intervals the longest two, 50 and 30 ms, have a mean of 40 ms.
  @Test func lowsAreThoseOfTheLongestIntervals() {
    let intervals = [50.0, 30] + Array(repeating: 10.0, count: 198)
    #expect(Self.isNear(DisplayMeasures.low(0.01, of: intervals.shuffled()), 25))
    #expect(DisplayMeasures.low(0.001, of: intervals) == nil)
    #expect(Self.isNear(DisplayMeasures.low(0.001, of: intervals + Array(repeating: 10, count: 800)), 20))
    #expect(DisplayMeasures.low(0.01, of: Array(repeating: 10, count: 99)) == nil)
    #expect(Self.isNear(DisplayMeasures.low(0.01, of: Array(repeating: 10, count: 100)), 100))
    #expect(DisplayMeasures.low(0.01, of: Array(repeating: 0, count: 100)) == nil)
  }

  private static func isNear(_ a: Double?, _ b: Double) -> Bool { a.map { abs($0 - b) < 1e-4 } ?? false }

  private static func times(_ rate: Double, count: Int) -> [MediaTime] {
    (0..<count).map { MediaTime(seconds: Double($0) / rate) }
  }

  struct Ideal: Sendable {
    var rate: Double
    var refresh: Int32
    var roughness: Double
    var freezing: Double
  }

  static let ideals = [
    // Two and three refreshes by turns: 8⅓ ms too long, then as much too short. Every other sum is 8⅓, the others 0:
    // 8⅓ ⁄ √2.
    Ideal(rate: 24, refresh: 60, roughness: 5.892557, freezing: 8.333333),
    // Every sixth frame falls out: 3⅓ too long four times, then 13⅓ too short. Sums 3⅓ · (1, 2, 3, 4, 0): 3⅓ · √6.
    Ideal(rate: 60, refresh: 50, roughness: 8.164966, freezing: 3.333333),
    // Refreshes 0, 3, 5, 8, 10, 12: 10 too long or 6⅔ too short. Sums 10, 3⅓, 13⅓, 6⅔, 0: 10 · √⅔.
    Ideal(rate: 25, refresh: 60, roughness: 8.164966, freezing: 10),
    Ideal(rate: 30, refresh: 60, roughness: 0, freezing: 0),
    Ideal(rate: 50, refresh: 50, roughness: 0, freezing: 0),
    Ideal(rate: 24, refresh: 144, roughness: 0, freezing: 0),
  ]

  @Test(arguments: ideals)
  func idealsAreThoseOfTheCadence(_ test: Ideal) {
    for count in [Int(test.rate) + 1, Int(test.rate) * 3 + 1] {
      let ideal = Roughness.ideal(times: Self.times(test.rate, count: count), refresh: Ratio(test.refresh, 1))
      #expect(
        Self.isNear(ideal?.milliseconds, test.roughness) && Self.isNear(ideal?.freezingMilliseconds, test.freezing))
    }
  }

  @Test func aFrameThatComesLateIsOneRoughSum() {
    var refreshes = (0...30).map { Double($0 * 2) }
    refreshes[10] += 1
    let roughness = Roughness(Self.views(30, at: refreshes))
    #expect(Self.isNear(roughness?.milliseconds, 16.666667 / 30.0.squareRoot()))
    #expect(Self.isNear(roughness?.freezingMilliseconds, 16.666667))
  }

  @Test func aDroppedFramesTimeBelongsToTheOneBeforeIt() {
    var views = Self.views(30, at: (0...30).map { Double($0 * 2) })
    views.remove(at: 10)
    #expect(Roughness(views) == Roughness(Self.views(30, at: (0...30).map { Double($0 * 2) })))
  }

  @Test func stallsAreLeftOut() {
    let refreshes = (0...30).map { (frame: Int) -> Double in frame < 10 ? Double(frame * 2) : Double(frame * 2 + 40) }
    var views = Self.views(30, at: refreshes)
    #expect((Roughness(views)?.freezingMilliseconds ?? 0) > 600)
    views[10].followsStall = true
    #expect(Self.isNear(Roughness(views)?.milliseconds, 0) && Self.isNear(Roughness(views)?.freezingMilliseconds, 0))
  }

  /// A millisecond too long each time: sums 1 … 30 in each of three seconds, whose mean square is 31 · 61 ⁄ 6.
  @Test func sumsBeginAnewWithEverySecond() {
    let drift = (0...90).map { Double($0) * 2.06 }
    #expect(Self.isNear(Roughness(Self.views(30, at: drift))?.milliseconds, (31.0 * 61 / 6).squareRoot()))
  }

  @Test func thePercentileIsOfSeconds() {
    // Twenty-one seconds; in one of them every frame comes a refresh late by turns.
    let refreshes = (0...630).map { (frame: Int) -> Double in
      let late = (30..<60).contains(frame) ? frame % 2 : 0
      return Double(frame * 2 + late)
    }
    let views = Self.views(30, at: refreshes)
    let rough = Roughness(views)?.milliseconds ?? 0
    #expect(rough == 0, "one of 21 is above the 95th percentile: \(rough)")
  }

  @Test func viewsOfTheSameFrameAreNoFrames() {
    var views = Self.views(30, at: (0...60).map(Double.init))
    for index in views.indices {
      views[index].isNew = index % 2 == 0
      views[index].frame /= 2
      views[index].time = MediaTime(seconds: Double(index / 2) / 30)
    }
    #expect(Self.isNear(Roughness(views)?.milliseconds, 0))
    #expect(DisplayMeasures.intervals(views).count == 60 && DisplayMeasures.overruns(views).count == 31)
  }

  @Test func tooLittleIsUnknown() {
    #expect(Roughness([SeenView]()) == nil && Roughness(Self.views(30, at: [0])) == nil)
    #expect(Roughness.ideal(times: [], refresh: Ratio(60, 1)) == nil)
    #expect(Roughness.ideal(times: Self.times(30, count: 9), refresh: Ratio(0, 1)) == nil)
    #expect(Self.isNear(Roughness(Self.views(30, at: [0, 3, 4]))?.milliseconds, 16.666667 / 2.0.squareRoot()))
  }

  /// Sums of differences telescope: in all cases they are how far a second's frames lie from their place in it.
  @Test func sumsAreOffsetsFromTheSecondsStart() {
    var generator = SeededGenerator()
    for _ in 0..<100 {
      var (time, refresh) = (0.0, 0.0)
      let views = (0...25).map { number -> SeenView in
        defer {
          time += 0.04
          refresh += Double(Int.random(in: 1...5, using: &generator))
        }
        var view = Self.views(1, at: [refresh], first: number)[0]
        view.time = MediaTime(seconds: time)
        return view
      }
      let squares = views.dropFirst().map { view in
        pow(view.seen.milliseconds(since: views[0].seen) - view.time.milliseconds, 2)
      }
      let expected = (squares.reduce(0, +) / 25).squareRoot()
      #expect(Self.isNear(Roughness(views)?.milliseconds, expected), "seed \(generator.seed)")
    }
  }

  /// Nothing that is shown at its first refresh is ever a whole refresh from its place.
  @Test func idealsStayBelowARefresh() {
    var generator = SeededGenerator()
    for _ in 0..<200 {
      var time = MediaTime.zero
      let times = (0..<200).map { _ in
        time = time + MediaTime(nanoseconds: .random(in: 1_000_000...90_000_000, using: &generator))
        return time
      }
      let hertz = Int32.random(in: 24...240, using: &generator)
      let ideal = Roughness.ideal(times: times, refresh: Ratio(hertz, 1))?.milliseconds ?? .infinity
      #expect(ideal < 1000 / Double(hertz), "seed \(generator.seed)")
    }
  }

  @Test func dropsAreCountedByTheirRuns() {
    func runs(_ text: String) -> [Int: Int] { DisplayMeasures.dropRuns(text.map { $0 == "x" }) }
    #expect(runs("..x..xx.x...xxx") == [1: 2, 2: 1, 3: 1])
    #expect(runs("....") == [:] && runs("") == [:] && runs("xx") == [2: 1])
  }

  @Test func theCameraMovesAsFarAsTimeDoes() {
    var views = Self.views(60, at: [0, 1, 3, 33, 34])
    for (index, moment) in [0.0, 1, 2, 3, 4].enumerated() { views[index].moment = MediaTime(seconds: moment / 60) }
    views[3].followsStall = true
    let errors = DisplayMeasures.animationErrors(views).map { ($0 * 1000).rounded() / 1000 }
    #expect(errors == [0, -16.667, 0])
    #expect(DisplayMeasures.intervals(views).map { ($0 * 60 / 1000).rounded() } == [1, 2, 30, 1])
  }

  @Test func overrunsAreOfFirstViews() {
    var views = Self.views(30, at: [0, 1, 2])
    views[0].ready = views[0].due.advanced(byMilliseconds: -5)
    views[1].isNew = false
    views[2].ready = views[2].due.advanced(byMilliseconds: 2.5)
    #expect(DisplayMeasures.overruns(views) == [-5, 2.5])
  }

  @Test func histogramsArePrintedByValue() throws {
    var record = Sample.record()
    record.scenarios = record.scenarios.filter { $0.name == "play" }
    record.scenarios[0].trials[0].histograms = ["drop_runs": ["10": 1, "2": 3, "1": 12]]
    let text = try ReportFormat.table.render(record)
    #expect(text.contains("  histogram drop_runs 12 of 1 · 3 of 2 · 1 of 10\n"))
    #expect(try ReportFormat.markdown.render(record).contains("histogram: drop_runs 12 of 1 · 3 of 2 · 1 of 10"))
    record.scenarios[0].trials[0].histograms = ["drop_runs": [:]]
    #expect(try !ReportFormat.table.render(record).contains("histogram"))
  }
}
