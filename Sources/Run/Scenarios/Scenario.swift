import Decode
import Frames
import Verdict

/// How a scenario is measured: what its trials are for the parent, and the work for a trial's process. What others need to know of
/// it stands in its row of `Scenario`.
protocol MeasuredScenario: Sendable {
  /// What it is measured in; nil stands alone where there is one way only.
  var variants: [String?] { get }
  /// Those that run when none is named.
  var usualVariants: [String?] { get }
  /// What a suite has time for; nil: all of the usual ones.
  var suites: [Suite: [String?]] { get }
  /// The variant that fills all caches, and so is a run's warm-up; nil where any scenario would do as well.
  var warmUpVariant: String? { get }

  /// How often a variant wants the clip to be shown one time after the other; nil: it takes the clip as it is.
  func repetitions(variant: String?, of info: MediaInfo) -> Int?
  /// What the parent does just before a trial's process is spawned; kept until that has ended.
  func prepare(_ request: TrialRequest) throws(Failure) -> TrialPreparation

  /// Measures once, in a process of its own; looks at `trial.shouldStop` between frames.
  func run(_ trial: Trial) throws(Failure)
}

extension MeasuredScenario {
  var variants: [String?] { [nil] }
  var usualVariants: [String?] { variants }
  var suites: [Suite: [String?]] { [:] }
  var warmUpVariant: String? { nil }
  func repetitions(variant: String?, of info: MediaInfo) -> Int? { nil }
  func prepare(_ request: TrialRequest) throws(Failure) -> TrialPreparation { TrialPreparation() }
}

extension Scenario {
  var measured: any MeasuredScenario {
    switch self {
    case .decode: DecodeScenario()
    case .upload: UploadScenario()
    case .render: RenderScenario()
    case .pipeline: PipelineScenario()
    case .play: PlayScenario()
    case .startup: StartupScenario()
    case .scrub: ScrubScenario()
    case .interaction: InteractionScenario()
    }
  }

  /// What it is measured in; nil stands alone where there is one way only.
  public var variants: [String?] { measured.variants }
  /// Those that run when none is named.
  public var usualVariants: [String?] { measured.usualVariants }
}

/// What `--scenario` can name.
public enum Scenarios {
  /// What `--scenario` means by `scrub` (its usual variants) or `scrub/random/exact` (that one); nil where there is none.
  public static func jobs(named name: String) -> [Job]? {
    let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let first = parts.first, let scenario = Scenario.named(first) else { return nil }
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
    let scenario = Scenario.named(String(name.prefix { $0 != "/" }))
    let variants = scenario?.variants.compactMap { $0 } ?? []
    let there =
      scenario.map { scenario in variants.map { "\(scenario.name)/\($0)" } } ?? Scenario.allCases.map(\.name)
    return Failure(
      .usage, "cannot run scenario '\(name)'",
      cause: scenario == nil ? "there is none of that name" : "it has no such variant",
      remedy: there.isEmpty ? "name it without a variant" : "there are: " + there.joined(separator: ", "))
  }
}

/// One scenario in one variant.
public struct Job: Sendable {
  public let scenario: Scenario
  public let variant: String?

  /// `scrub/random/exact`
  public var title: String { variant.map { "\(scenario.name)/\($0)" } ?? scenario.name }
}
