import Decode
import Frames
import Media
import Verdict

/// How a scenario is measured: the parent's view of its trials, and the work of a trial's process. Other modules use
/// its row of `Scenario`.
protocol MeasuredScenario: Sendable {
  /// The variants it is measured in; nil alone if there is one only.
  var variants: [String?] { get }
  /// The variants that run if the user names none.
  var usualVariants: [String?] { get }
  /// The variants that a suite has time for; nil: all usual ones.
  var suites: [Suite: [String?]] { get }
  /// The variant that fills all caches and serves as a run's warm-up; nil where any scenario would do as well.
  var warmUpVariant: String? { get }
  /// Whether its trials tell what happens, for `--events`.
  var tellsEvents: Bool { get }

  /// How often a variant repeats the clip; nil: it takes the clip as it is.
  func repetitions(variant: String?, of info: MediaInfo) -> Int?
  /// Prepares a trial in the parent just before its process is spawned; kept until the process has ended.
  func prepare(_ request: TrialRequest) throws(Failure) -> TrialPreparation

  /// Measures once, in a process of its own; polls `trial.shouldStop` between frames.
  func run(_ trial: Trial) throws(Failure)
}

extension MeasuredScenario {
  var variants: [String?] { [nil] }
  var usualVariants: [String?] { variants }
  var suites: [Suite: [String?]] { [:] }
  var warmUpVariant: String? { nil }
  var tellsEvents: Bool { false }
  func repetitions(variant: String?, of info: MediaInfo) -> Int? { nil }
  func prepare(_ request: TrialRequest) throws(Failure) -> TrialPreparation { TrialPreparation() }
}

/// A scenario in which another program plays: no trial of `run` has it.
private struct OutsideScenario: MeasuredScenario {
  func run(_ trial: Trial) throws(Failure) {
    throw Failure(
      .usage, "cannot run the scenario", cause: "another program plays in it", remedy: "use 'bench360 observe'")
  }
}

extension Scenario {
  var measured: any MeasuredScenario {
    switch self {
    case .decode: DecodeScenario()
    case .upload: UploadScenario()
    case .render: RenderScenario()
    case .pipeline: PipelineScenario()
    case .play: PlayScenario()
    case .playlist: PlaylistScenario()
    case .ads: AdsScenario()
    case .startup: StartupScenario()
    case .scrub: ScrubScenario()
    case .interaction: InteractionScenario()
    case .stream: StreamScenario()
    case .density: DensityScenario()
    case .observe: OutsideScenario()
    }
  }

  /// The variants it is measured in; nil alone if there is one only.
  public var variants: [String?] { measured.variants }
  /// The variants that run if the user names none.
  public var usualVariants: [String?] { measured.usualVariants }
}

/// The names that `--scenario` accepts.
public enum Scenarios {
  /// The jobs of `scrub` (its usual variants) or `scrub/random/exact` (that one); nil for an unknown name.
  public static func jobs(named name: String) -> [Job]? {
    let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let first = parts.first, let scenario = Scenario.named(first), !scenario.has(.outside) else {
      return nil
    }
    guard parts.count > 1 else { return scenario.usualVariants.map { Job(scenario: scenario, variant: $0) } }
    return scenario.variants.contains(parts[1]) ? [Job(scenario: scenario, variant: parts[1])] : nil
  }

  /// All jobs of a list of names, in its order, each once.
  ///
  /// Throws `.usage`, listing the known names, for an unknown one.
  public static func jobs(named names: [String]) throws(Failure) -> [Job] {
    var chosen: [Job] = []
    for name in names {
      guard let jobs = jobs(named: name) else { throw refusal(of: name) }
      for job in jobs where !chosen.contains(where: { $0.title == job.title }) { chosen.append(job) }
    }
    return chosen
  }

  /// Throws `.usage` where no job tells what happens.
  public static func checkEvents(_ jobs: [Job]) throws(Failure) {
    guard !jobs.contains(where: { $0.scenario.measured.tellsEvents }) else { return }
    let names = Scenario.runnable.filter { $0.measured.tellsEvents }.map(\.name)
    throw Failure(
      .usage, "cannot tell events", cause: "no scenario of the run tells any",
      remedy: "leave --events out, or add one of " + names.joined(separator: ", "))
  }

  private static func refusal(of name: String) -> Failure {
    let scenario = Scenario.named(String(name.prefix { $0 != "/" }))
    let variants = scenario?.variants.compactMap { $0 } ?? []
    let there =
      scenario.map { scenario in variants.map { "\(scenario.name)/\($0)" } } ?? Scenario.runnable.map(\.name)
    if let scenario, scenario.has(.outside) {
      return Failure(
        .usage, "cannot run scenario '\(name)'", cause: "another program plays in it",
        remedy: "use 'bench360 \(scenario.name)'")
    }
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
