import Foundation
import Support
import Verdict

/// Records over commits. Nothing in them depends on the machine.
package enum Past {
  /// `2026-01-05T03:00:00Z` and so many days later.
  package static func day(_ number: Int, hour: Int = 3) -> String {
    let start = 1_767_582_000.0
    return RecordCoding.timestamp(
      Date(timeIntervalSince1970: start + Double(number) * 86_400 + Double(hour - 3) * 3600))
  }

  /// Forty digits that begin with the number.
  package static func commit(_ number: Int) -> String {
    String(format: "%04d", number) + String(repeating: "c0ffee", count: 6)
  }

  /// A record of `decode` with one `decode_fps` per trial.
  package static func record(
    _ rates: [Double], commit number: Int, day: Int? = nil, hour: Int = 3, session: String? = nil
  ) -> Record {
    var record = Sides.fps(rates, session: session)
    record.build.commit = commit(number)
    record.created = Past.day(day ?? number, hour: hour)
    return record
  }

  /// One record of one trial for each value, each of a commit of its own.
  package static func records(_ values: [Double]) -> [Record] {
    values.enumerated().map { record([$1], commit: $0) }
  }

  /// `center` and a spread of half a percent that is the same each time.
  package static func level(_ center: Double, count: Int) -> [Double] {
    (0..<count).map { center * (1 + Double($0 * 7 % 11 - 5) / 1000) }
  }

  package static func history(_ records: [Record], metric: String = "decode_fps", scenario: String? = nil) throws
    -> History
  {
    try History(RecordGroup.groups(records), metric: metric, scenario: scenario)
  }
}

extension SeededGenerator {
  /// Mean 0, standard deviation 1: the sum of twelve even numbers, less six.
  package mutating func bell() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
  }
}
