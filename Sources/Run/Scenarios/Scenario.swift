import Decode
import Frames
import Verdict

/// One thing that can be measured: data for the parent, work for the trial's process.
///
/// A new one is one file and one row in `Scenarios.all`.
public protocol Scenario: Sendable {
  /// As `--scenario` names it.
  var name: String { get }
  /// A few words for the help text.
  var summary: String { get }
  /// What it is measured in; nil stands alone where there is one way only.
  var variants: [String?] { get }
  /// Those that run when none is named.
  var usualVariants: [String?] { get }
  /// It draws; without a Vulkan device it cannot run.
  var needsDevice: Bool { get }
  /// Where display times come from; nil when nothing is presented.
  var presentSource: PresentSource? { get }
  /// What it draws can be shown in a window.
  var showsInWindow: Bool { get }
  /// Trials for each trial of the others: what takes a moment is measured more often.
  var trialFactor: Int { get }

  /// How often a variant wants the clip to be shown one time after the other; nil: it takes the clip as it is.
  func repetitions(variant: String?, of info: MediaInfo) -> Int?
  /// What the parent does just before a trial's process is spawned; kept until that has ended.
  func prepare(_ request: TrialRequest) throws(Failure) -> TrialPreparation

  /// Measures once, in a process of its own; looks at `trial.shouldStop` between frames.
  func run(_ trial: Trial) throws(Failure)
}

extension Scenario {
  public var variants: [String?] { [nil] }
  public var usualVariants: [String?] { variants }
  public var trialFactor: Int { 1 }
  public var showsInWindow: Bool { false }
  public func repetitions(variant: String?, of info: MediaInfo) -> Int? { nil }
  public func prepare(_ request: TrialRequest) throws(Failure) -> TrialPreparation { TrialPreparation() }
}

/// The table of scenarios, in the order in which they run.
public enum Scenarios {
  public static let all: [any Scenario] = [
    DecodeScenario(), UploadScenario(), RenderScenario(), PipelineScenario(), PlayScenario(),
    StartupScenario(), ScrubScenario(),
    InteractionScenario(),
  ]

  public static func named(_ name: String) -> (any Scenario)? {
    all.first { $0.name == name }
  }

  /// What `--scenario` means by `scrub` (its usual variants) or `scrub/random/exact` (that one); nil where there is none.
  public static func jobs(named name: String) -> [Job]? {
    let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let first = parts.first, let scenario = named(first) else { return nil }
    guard parts.count > 1 else { return scenario.usualVariants.map { Job(scenario: scenario, variant: $0) } }
    return scenario.variants.contains(parts[1]) ? [Job(scenario: scenario, variant: parts[1])] : nil
  }

  /// All that a list names, in its order, each once.
  ///
  /// Throws `.usage`, with what there is, for a name that means nothing.
  public static func jobs(named names: [String]) throws(Failure) -> [Job] {
    var chosen: [Job] = []
    for name in names {
      guard let jobs = jobs(named: name) else { throw refusal(of: name) }
      for job in jobs where !chosen.contains(where: { $0.title == job.title }) { chosen.append(job) }
    }
    return chosen
  }

  private static func refusal(of name: String) -> Failure {
    let scenario = named(String(name.prefix { $0 != "/" }))
    let variants = scenario?.variants.compactMap { $0 } ?? []
    let there =
      scenario.map { scenario in variants.map { "\(scenario.name)/\($0)" } } ?? all.map(\.name)
    return Failure(
      .usage, "cannot run scenario '\(name)'",
      cause: scenario == nil ? "there is none of that name" : "it has no such variant",
      remedy: there.isEmpty ? "name it without a variant" : "there are: " + there.joined(separator: ", "))
  }
}

/// One scenario in one variant.
public struct Job: Sendable {
  public let scenario: any Scenario
  public let variant: String?

  /// `scrub/random/exact`
  public var title: String { variant.map { "\(scenario.name)/\($0)" } ?? scenario.name }
}
