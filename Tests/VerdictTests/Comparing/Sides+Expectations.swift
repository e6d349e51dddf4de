import Foundation
import Frames
import RecordSamples
import Testing
import Verdict

extension Sides {
  /// What a comparison of these is refused with.
  static func refusal(_ base: [Record], _ head: [Record]) throws -> Failure {
    let failure = try #require(throws: Failure.self) { try Sides.compare(base, head) }
    #expect(failure.kind == .incomparable && failure.remedy != nil)
    return failure
  }

  /// The one metric that is compared.
  static func only(_ comparison: Comparison) throws -> MetricComparison {
    #expect(comparison.results.count == 1)
    return try #require(comparison.results.first)
  }
}
