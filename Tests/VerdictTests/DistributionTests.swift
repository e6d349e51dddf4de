import Foundation
import RecordSamples
import Support
import Testing
import Verdict

@Suite struct DistributionTests {
  @Test func quantilesMatchHandValues() throws {
    let four = try #require(Distribution([4, 1, 3, 2]))
    #expect(four.n == 4 && four.p50 == 2.5 && four.max == 4 && four.min == 1 && four.mean == 2.5)
    #expect(abs(four.p90 - 3.7) < 1e-12)
    #expect(abs(four.p95 - 3.85) < 1e-12)
    let one = try #require(Distribution([7]))
    #expect(one.p50 == 7 && one.p90 == 7 && one.p95 == 7 && one.p99 == nil)
  }

  @Test func p99NeedsAHundredSamples() throws {
    let samples = (1...100).map(Double.init)
    #expect(Distribution(Array(samples.dropLast()))?.p99 == nil)
    let p99 = try #require(Distribution(samples)?.p99)
    #expect(abs(p99 - 99.01) < 1e-9)
  }

  @Test func nothingIsNil() {
    #expect(Distribution([]) == nil)
    #expect(Distribution([.nan, .infinity, -.infinity]) == nil)
    #expect(Distribution.median([]) == nil)
  }

  @Test func samplesThatAreNoNumbersAreRejectedAndCounted() throws {
    let distribution = try #require(Distribution([.nan, 1, .infinity, 3]))
    #expect(distribution.n == 2 && distribution.rejected == 2)
    #expect(distribution.p50 == 2 && distribution.max == 3 && distribution.mean == 2)
  }

  @Test func hugeSamplesStayFinite() throws {
    let distribution = try #require(Distribution([1e308, 1e308, -1e308]))
    #expect(distribution.mean.isFinite && distribution.p50.isFinite && distribution.p90.isFinite)
  }

  struct Fixture: Decodable {
    struct Case: Decodable {
      var samples: [Double]
      var p50, p90, p95, p99, max, mean: Double
    }
    var seed: Int
    var cases: [Case]
  }

  @Test func quantilesMatchNumPy() throws {
    let url = TestFiles.folder().appending(path: "Fixtures/quantiles.json")
    let fixture = try JSONDecoder().decode(Fixture.self, from: Data(contentsOf: url))
    print("quantiles.json was drawn with seed \(fixture.seed)")
    #expect(fixture.cases.count == 8)
    for expected in fixture.cases {
      let n = expected.samples.count
      let actual = try #require(Distribution(expected.samples))
      #expect(actual.n == n)
      let pairs = [
        (actual.p50, expected.p50), (actual.p90, expected.p90), (actual.p95, expected.p95),
        (actual.p99 ?? expected.p99, expected.p99), (actual.max, expected.max), (actual.mean, expected.mean),
      ]
      for (value, judge) in pairs { #expect(abs(value - judge) <= 1e-9 * judge, "n = \(n), seed \(fixture.seed)") }
      #expect((actual.p99 == nil) == (n < 100))
    }
  }

  @Test func resultsKeepFourDecimalsAndTheirOwnStatistics() throws {
    let result = MetricResult(of: .renderGPU, samples: [1.234567, .nan, 2.00004, 1.5])
    #expect(result.unit == "ms" && result.n == 3)
    #expect(result.samples == [1.2346, 2, 1.5])
    #expect(result.max == 2 && result.p50 == 1.5 && result.p99 == nil)
  }

  @Test func unknownResultsHaveNoStatistics() {
    let result = MetricResult(of: .gpuMemory, samples: [])
    #expect(result.n == 0 && result.p50 == nil && result.max == nil && result.mean == nil && result.samples.isEmpty)
  }
}
