import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

@Suite struct HistoryTests {
  @Test func aJumpIsFoundWhereItIs() throws {
    let series = try #require(
      Past.history(Past.records(Past.level(214, count: 14) + Past.level(199, count: 12))).series.first)
    #expect(series.points.count == 26 && series.sessions == 26)
    let change = try #require(series.changes.first)
    #expect(series.changes.count == 1 && change.point == 14 && change.direction == .worse)
    #expect(change.commit == "0014c0ffeec0" && change.created == Past.day(14))
    #expect(abs((change.percent ?? 0) + 7) < 0.3 && change.p < 0.01)
    #expect(series.levels.map(\.points) == [0..<14, 14..<26])
    let sentence = try Past.history(Past.records(Past.level(214, count: 14) + Past.level(199, count: 12))).sentence
    #expect(
      sentence == "decode · decode_fps: commit 0014c0ffeec0: decode_fps −7.0 % (213.9 → 198.9 1/s), worse, "
        + "first seen 2026-01-19")
  }

  /// A level that comes back is found too: cuts in two alone would see as much above as below on either side.
  @Test func aLevelThatComesAndGoesIsFound() throws {
    let values = Past.level(100, count: 12) + Past.level(92, count: 12) + Past.level(100, count: 12)
    let series = try #require(Past.history(Past.records(values)).series.first)
    #expect(series.changes.map(\.point) == [12, 24])
    #expect(series.changes.map(\.direction) == [.worse, .better])
  }

  @Test func whereNothingChangesNothingIsNamed() throws {
    let history = try Past.history(Past.records(Past.level(100, count: 30)))
    #expect(history.series[0].changes.isEmpty && history.sentence == "decode · decode_fps: no change in 30 commits")
    let equal = try Past.history(Past.records(Array(repeating: 60, count: 30)))
    #expect(equal.series[0].changes.isEmpty && equal.series[0].noise?.deviation == 0)
  }

  /// One in a hundred is what the level of significance allows.
  @Test func noiseIsSeldomAChange() throws {
    var random = SeededGenerator(seed: 47)
    let named = try (0..<200).count { _ in
      let values = (0..<20).map { _ in Double.random(in: 98...102, using: &random) }
      return try Past.history(Past.records(values)).series.first?.changes.isEmpty == false
    }
    #expect(named <= 6, "\(named) of 200")
  }

  @Test func fewSessionsSayNothing() throws {
    let values = Past.level(100, count: 4) + Past.level(50, count: 5)
    let history = try Past.history(Past.records(values))
    #expect(history.series[0].changes.isEmpty)
    #expect(history.sentence.contains("9 sessions of 9 commits: too few to tell a change from noise, which takes 10"))
  }

  /// From three sessions on the newest has a place, and what is missing for a decision is named.
  @Test func threeSessionsHaveAnOutlook() throws {
    let sentence = try Past.history(Past.records([100, 102, 90])).sentence
    #expect(
      sentence.hasSuffix(
        "which takes 10; the newest is 90.00 1/s, −10.9 % from the median of the 2 before, outside their range "
          + "100.0 … 102.0; whether that is a change cannot be decided before 7 more sessions"), "\(sentence)")
    #expect(try Past.history(Past.records([100, 102, 101])).sentence.contains("within their range"))
    #expect(try !Past.history(Past.records([100, 90])).sentence.contains("newest"))
    let one = try Past.history((0..<12).map { Past.record([Double(100 + $0)], commit: 0, hour: $0) }).sentence
    #expect(one.hasSuffix("cannot be decided before a second commit"), "\(one)")
  }

  @Test(arguments: ["decode_latency_ms", "cpu_seconds"]) func theTableTellsWhichWayIsBetter(_ metric: String) throws {
    let values = Past.level(100, count: 12) + Past.level(80, count: 12)
    let records = values.enumerated().map { index, value in
      var record = Sides.record([Sides.scenario("decode", [metric: [value]])])
      record.build.commit = Past.commit(index)
      record.created = Past.day(index)
      record.session = nil
      return record
    }
    let change = try #require(Past.history(records, metric: metric).series[0].changes.first)
    #expect(change.direction == (metric == "cpu_seconds" ? .other : .better) && change.point == 12)
  }

  /// A counter is a number per trial too.
  @Test func countersHaveAHistory() throws {
    let records = (0..<12).map { index in
      var record = Sides.record([
        Sides.scenario("play", ["frame_interval_ms": [1]], counters: ["dropped": index < 6 ? 0 : 9])
      ])
      record.build.commit = Past.commit(index)
      record.created = Past.day(index)
      record.session = nil
      return record
    }
    let series = try #require(Past.history(records, metric: "dropped").series.first)
    #expect(series.points.map(\.median) == Array(repeating: 0, count: 6) + Array(repeating: 9, count: 6))
    #expect(series.changes.map(\.point) == [6] && series.changes.first?.percent == nil)
    #expect(series.changes.first?.direction == .other)
  }

  // MARK: Points

  /// Files come in any order, and a commit that is measured again later stays where it was first seen.
  @Test func commitsStandInTheOrderInWhichTheyWereFirstSeen() throws {
    let records = [
      Past.record([3], commit: 2, day: 5), Past.record([1, 2, 9], commit: 0, day: 1),
      Past.record([4], commit: 1, day: 3),
      Past.record([6], commit: 0, day: 9),
    ]
    for order in [records, records.reversed()] {
      let points = try Past.history(order).series[0].points
      #expect(points.map(\.commit) == [0, 1, 2].map { String(Past.commit($0).prefix(12)) })
      #expect(points[0].sessions == [2, 6] && points[0].median == 4 && points[0].trials == 4 && points[0].records == 2)
      #expect(points[0].created == Past.day(1) && points[0].last == Past.day(9))
    }
  }

  /// Records of one session are one value, for what disturbed one disturbed the other.
  @Test func aSessionIsOneValue() throws {
    let records = [
      Past.record([1, 2], commit: 0, session: "a"), Past.record([3], commit: 0, hour: 4, session: "a"),
      Past.record([9], commit: 0, hour: 5, session: "b"), Past.record([7], commit: 0, hour: 6),
    ]
    #expect(try Past.history(records).series[0].points.map(\.sessions) == [[2, 9, 7]])
  }

  @Test func buildsWithoutACommitAreNamedByTheirVersion() throws {
    var unknown = Past.record([1], commit: 0)
    unknown.build.commit = "unknown"
    var dirty = Past.record([2], commit: 1)
    dirty.build.dirty = true
    let points = try Past.history([unknown, dirty, Past.record([3], commit: 1, hour: 9)]).series[0].points
    #expect(points.map(\.commit) == ["version 0.1.0", "0001c0ffeec0+", "0001c0ffeec0"])
  }

  @Test func incompleteTrialsDoNotCount() throws {
    var record = Past.record([1, 2, 30], commit: 0)
    record.scenarios[0].trials[2].complete = false
    #expect(try Past.history([record]).series[0].points[0].median == 1.5)
  }

  /// Binomial tails by hand: below six values no interval of order statistics holds the median with 95 %.
  @Test(arguments: [(5, nil, nil), (6, 1, 6), (8, 1, 8), (9, 2, 8), (20, 6, 15)] as [(Int, Double?, Double?)])
  func theIntervalIsThatOfTheSignTest(count: Int, low: Double?, high: Double?) throws {
    let values = (1...count).map(Double.init).shuffled()
    let point = try #require(Past.history([Past.record(values, commit: 0)]).series[0].points.first)
    #expect(point.low == low && point.high == high)
  }

  // MARK: Noise

  @Test func noiseIsTakenFromSessionsOfOneCommitWhereThereAreSome() throws {
    // Four sessions of one commit: differences 1, 2, 4, 1, 3, 2, of which the median is 2.
    let repeated = [10.0, 11, 12, 14].enumerated().map { Past.record([$1], commit: 0, hour: $0) }
    let noise = try #require(Past.history(repeated + [Past.record([50], commit: 1)]).series[0].noise)
    #expect(noise.source == .sessions && noise.differences == 6)
    #expect(abs(noise.deviation - 1.4826 * 2 / 2.0.squareRoot()) < 1e-9)
    #expect(abs(noise.halfBand - 1.96 * noise.deviation) < 1e-9)
  }

  @Test func elseFromEachCommitToTheNext() throws {
    // Differences 1, 3, 50, 2, 4: the jump does not matter.
    let noise = try #require(Past.history(Past.records([10, 11, 14, 64, 66, 62])).series[0].noise)
    #expect(noise.source == .successive && noise.differences == 5)
    #expect(abs(noise.deviation - 1.4826 * 3 / 2.0.squareRoot()) < 1e-9)
    #expect(try Past.history(Past.records([10, 11, 14, 64, 66])).series[0].noise == nil)
  }

  // MARK: Series

  @Test func whatMayNotBeComparedIsAnotherSeries() throws {
    var other = Past.record([50], commit: 1)
    other.environment.device?.driver = "Mesa 24.0"
    var elsewhere = Past.record([70], commit: 2)
    elsewhere.environment.machine.hostClass = "another"
    let clip = Sides.fps([90], clip: "indoor", session: nil)
    let history = try Past.history([Past.record([10], commit: 0), other, elsewhere, clip])
    #expect(history.series.map(\.points.count) == [1, 1, 1, 1])
    let differences = history.series.map(\.differences)
    #expect(differences.filter { $0 == ["driver Mesa 24.0"] }.count == 1)
    #expect(differences.filter { $0 == ["driver Mesa 22.3.6"] }.count == 1)
    #expect(history.series.contains { $0.machine == "another" && $0.differences.isEmpty })
    #expect(history.series.contains { $0.input == "indoor.mp4" })
  }

  /// A run of `decode` alone knows no device and no view: it contradicts nothing.
  @Test func whatARecordDoesNotDependOnDoesNotPartIt() throws {
    var plain = Past.record([11], commit: 1)
    plain.environment.device = nil
    plain.settings.viewing.size = nil
    let groups = RecordGroup.groups([Past.record([10], commit: 0), plain])
    #expect(groups.count == 1 && groups[0].records.count == 2)
  }

  @Test func scenariosAndVariantsAreSeriesOfTheirOwn() throws {
    let record = Sides.record([
      Sides.scenario("render", ["render_gpu_ms": [4]]),
      Sides.scenario("upload", variant: "copy", ["render_gpu_ms": [5]]),
      Sides.scenario("upload", variant: "direct", ["render_gpu_ms": [6]]),
    ])
    func titles(_ scenario: String?) throws -> [String] {
      try Past.history([record], metric: "render_gpu_ms", scenario: scenario).series.map(\.title)
    }
    #expect(try titles(nil).count == 3)
    #expect(try titles("upload") == ["upload · copy · render_gpu_ms", "upload · direct · render_gpu_ms"])
    #expect(try titles("upload/direct") == ["upload · direct · render_gpu_ms"])
  }

  @Test func refusals() throws {
    let records = [Past.record([1], commit: 0)]
    func failure(_ metric: String, _ scenario: String? = nil) -> Failure? {
      do throws(Failure) {
        _ = try History(RecordGroup.groups(records), metric: metric, scenario: scenario)
        return nil
      } catch { return error }
    }
    #expect(failure("phases")?.kind == .usage && failure("drop_runs")?.kind == .usage)
    #expect(failure("fps")?.description == "cannot show the history of 'fps': there is no metric 'fps'")
    #expect(
      failure("ttff_ms")?.description
        == "cannot show the history of 'ttff_ms': no record has it — they have decode_fps")
    #expect(failure("decode_fps", "pipeline")?.kind == .input)
  }
}
