import Foundation
import Testing

/// The smallest run of the tests that includes a test. A test without a tier is in all three.
public enum Tier: String, CaseIterable, Comparable, Sendable {
  /// `make quick`: pure logic and small pictures, within a minute.
  case quick
  /// `make test`, which CI runs: every capability once, with windows, sound, sockets and real trials.
  case test
  /// `make test-full`: all cases of what `test` samples.
  case full

  /// The tier of this run, from `BENCH360_TIER`; `test` where it is not set.
  public static let selected =
    ProcessInfo.processInfo.environment["BENCH360_TIER"].flatMap(Tier.init(rawValue:)) ?? .test

  public static func < (left: Tier, right: Tier) -> Bool {
    allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, or all tests of the suite, in smaller runs than `tier`.
  ///
  /// `Scripts/testing/run-tests` reads the comment: it lists what a run left to the full tier.
  public static func tier(_ tier: Tier) -> Self {
    .enabled(if: Tier.selected >= tier, "tier \(tier.rawValue)")
  }
}
