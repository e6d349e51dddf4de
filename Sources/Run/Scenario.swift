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
  /// It draws; without a Vulkan device it cannot run.
  var needsDevice: Bool { get }
  /// Where display times come from; nil when nothing is presented.
  var presentSource: PresentSource? { get }
  /// Trials for each trial of the others: what takes a moment is measured more often.
  var trialFactor: Int { get }

  /// Measures once, in a process of its own; looks at `trial.shouldStop` between frames.
  func run(_ trial: Trial) throws(Failure)
}

extension Scenario {
  public var variants: [String?] { [nil] }
  public var trialFactor: Int { 1 }
}

/// The table of scenarios, in the order in which they run.
public enum Scenarios {
  public static let all: [any Scenario] = [
    DecodeScenario(), UploadScenario(), RenderScenario(), PipelineScenario(), PlayScenario(),
    StartupScenario(),
  ]

  public static func named(_ name: String) -> (any Scenario)? {
    all.first { $0.name == name }
  }
}
