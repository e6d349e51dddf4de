import Frames
import RecordSamples
import Testing
import Verdict

/// Every verdict comes with its numbers.
@Suite struct ComparisonSentenceTests {
  /// A case: ten values a side around 100, `step` apart; head lies `shift` and a quarter of a step beyond.
  struct Example: Sendable, CustomTestStringConvertible {
    var shift: Double
    var step = 0.1
    var runs = 10
    var session = "one"
    var alpha = 0.01
    var noise: Double?
    var why: String

    var testDescription: String { why }
  }

  @Test(arguments: [
    Example(
      shift: -5,
      why:
        "5.0 % lower, which is worse, more than the 2 % threshold (98 % interval −5.4 … −4.6 %; p 5.4e-06 "
        + "< 0.01)"),
    Example(
      shift: 5,
      why:
        "5.0 % higher, which is better, more than the 2 % threshold (98 % interval +4.6 … +5.4 %; p "
        + "5.4e-06 < 0.01)"),
    Example(
      shift: -5, noise: 3.25,
      why:
        "5.0 % lower, which is worse, more than the 3.25 % threshold (98 % interval −5.4 … −4.6 %; p "
        + "5.4e-06 < 0.01)"),
    Example(shift: 0, why: "no change beyond the 2 % threshold (98 % interval −0.38 … +0.42 %)"),
    Example(shift: 0, noise: 7.5, why: "no change beyond the 7.5 % threshold (98 % interval −0.38 … +0.42 %)"),
    Example(
      shift: -5, runs: 4,
      why: "4 and 4 trials are too few to reach p below 0.01 with one gated metric: measure more trials (--trials N)"),
    Example(
      shift: -5, runs: 1,
      why: "1 and 1 trials are too few to reach p below 0.01 with one gated metric: measure more trials (--trials N)"),
    Example(
      shift: -3, step: 4,
      why:
        "the interval reaches beyond the 2 % threshold, and the change is not significant (98 % interval "
        + "−18.0 … +14.0 %; p 0.37 ≥ 0.01): measure more trials (--trials N)"),
    Example(
      shift: -1.8, step: 0.22,
      why:
        "1.7 % lower, which is worse: surely there, but perhaps below the 2 % threshold (98 % interval "
        + "−2.6 … −0.87 %; p 3.8e-05 < 0.01): measure more trials (--trials N)"),
    Example(
      shift: 1.8, step: 0.22,
      why:
        "1.9 % higher, which is better: surely there, but perhaps below the 2 % threshold (98 % interval "
        + "+0.98 … +2.7 %; p 1.1e-05 < 0.01): measure more trials (--trials N)"),
    Example(
      shift: -3, step: 4, alpha: 0.4,
      why:
        "2.0 % lower, which is worse, but the interval does not exclude zero (98 % interval −18.0 … +14.0 "
        + "%; p 0.37 < 0.4): measure more trials (--trials N)"),
    Example(
      shift: -5, session: "two",
      why:
        "base and head were measured in different sessions, and how far sessions of the same thing lie "
        + "apart is not known: use 'bench360 ab', give --noise-floor, or measure base in five sessions or "
        + "more"),
  ])
  func theReasonNamesItsNumbers(_ example: Example) throws {
    let base = (0..<example.runs).map { 100 + example.step * (Double($0) - 4.5) }
    let head = base.map { $0 + example.shift + example.step / 4 }
    let comparison = try Sides.compare([Sides.fps(base)], [Sides.fps(head, session: example.session)]) {
      $0.alpha = example.alpha
      $0.noiseFloorPercent = example.noise
    }
    let result = try #require(comparison.results.first)
    #expect(result.why == example.why)
  }

  /// Without a median to divide by, numbers come with their unit.
  @Test func aBaseOfZeroHasNoPercentages() throws {
    let base = Sides.record([Sides.scenario("upload", ["upload_gpu_ms": Array(repeating: 0, count: 10)])])
    let head = Sides.record([Sides.scenario("upload", ["upload_gpu_ms": Sides.spread(0.5)])])
    let comparison = try Sides.compare([base], [head]) { $0.gates = try #require(Gates("upload_gpu_ms")) }
    let result = try #require(comparison.results.first)
    #expect(
      result.why == "0.500 ms higher, which is worse, more than the 0.010 ms threshold (98 % interval 0.498 … 0.502 "
        + "ms; p 5.4e-06 < 0.01)")
    #expect(result.percent(result.estimate.shift) == nil)
  }

  @Test func manyGatedMetricsShareTheLevel() throws {
    let values = ["decode_fps": Sides.spread(100, count: 5), "demux_ms": Sides.spread(1, count: 5)]
    let record = Sides.record([Sides.scenario("decode", values), Sides.scenario("play", values)])
    let comparison = try Sides.compare([record], [record]) { $0.gates = try #require(Gates("decode_fps,demux_ms")) }
    for result in comparison.results {
      #expect(
        result.why == "5 and 5 trials are too few to reach p below 0.01 with 4 gated metrics: measure more "
          + "trials (--trials N)")
    }
  }

  @Test func theAnswerNamesWhatIsNotTheSame() throws {
    let full = try Sides.full()
    #expect(
      full.sentence
        == "head was incorrect: wrong_frame 3 in pipeline of balloon, \"the\" tour.mp4; regression: balloon, "
        + "\"the\" tour.mp4 · decode · decode_fps −5.2 %; improvement: balloon, \"the\" tour.mp4 · pipeline "
        + "· direct · pipeline_fps +5.5 %; inconclusive: balloon, \"the\" tour.mp4 · play · roughness_ms, "
        + "balloon, \"the\" tour.mp4 · startup · cold · ttff_ms, in | <door>.mp4 · decode · decode_fps")
    let same = Sides.fps(Sides.spread(100))
    let alone = try Sides.compare([same], [same])
    #expect(alone.sentence == "same: no change beyond the threshold in the gated metric")
    let other = Sides.fps(Sides.spread(100), clip: "other")
    let two = try Sides.compare([same, other], [same, other])
    #expect(two.sentence == "same: no change beyond the threshold in all 2 gated metrics")
  }
}
