extension Scenario {
  /// Needs and properties of a scenario: they decide which settings affect it and how reports describe its records.
  package enum Trait: Sendable {
    /// It draws; without a Vulkan device it cannot run.
    case device
    /// The camera moves with media time, as `--camera` says.
    case cameraMotion
    /// It is paced by the refreshes of a display.
    case refreshRate
    /// It decodes ahead of the display.
    case lookAhead
    /// It may replay a file of input events.
    case inputEvents
    /// Its views can be shown in a window.
    case window
    /// Its variants are settings of other scenarios, side by side: none of them represents the machine.
    case sideBySide
    /// Its time has parts, in `phases`.
    case phases
    /// It plays the clip's sound.
    case sound
    /// It plays ads, as `--ads` says.
    case ads
    /// It loads over a network: its input is the URL of a stream.
    case network
    /// It plays the clip several times at once, as `--streams` says.
    case several
    /// Another program plays, and `observe` watches it: `run` does not measure it.
    case outside
  }

  /// The new content of a refresh on a paced display.
  package enum Pace: Sendable {
    /// The clip's frames, if the camera is still.
    case frames
    /// A view at each refresh.
    case views
  }

  /// A chart of one metric over the scenario's variants.
  package struct Spread: Sendable {
    package let metric: Metric
    package let title: String
    /// The text about its rows.
    package let note: String

    init(_ metric: Metric, _ title: String, _ note: String) {
      (self.metric, self.title, self.note) = (metric, title, note)
    }
  }

  package struct Row: Sendable {
    package let name: String
    package let summary: String
    /// The metric that comparisons, histories and warnings judge; its polarity is the sign of a change.
    package let main: Metric
    /// Metrics that are judged beside the main one where both sides have them: any value but 0 is a fault.
    package let faults: [Metric]
    /// The metrics that an answer gives after the main one, as far as a record has them.
    package let numbers: [Metric]
    package let traits: Set<Trait>
    package let presents: PresentSource?
    package let trialFactor: Int
    /// Nil if it is not paced.
    package let pace: Pace?
    /// The stage of a frame that it measures by itself.
    package let stage: Bottleneck?
    /// Charts of a report. A frame's time, in the order of the run: the first of these that a record has.
    package let frameTimes: [Metric]
    package let distributions: [Metric]
    package let spreads: [Spread]

    init(
      _ name: String, _ summary: String, main: Metric, faults: [Metric] = [], numbers: [Metric] = [],
      _ traits: Set<Trait>,
      presents: PresentSource? = nil, trialFactor: Int = 1, pace: Pace? = nil, stage: Bottleneck? = nil,
      frameTimes: [Metric] = [],
      distributions: [Metric] = [], spreads: [Spread] = []
    ) {
      (self.name, self.summary, self.main) = (name, summary, main)
      (self.faults, self.numbers) = (faults, numbers)
      (self.traits, self.presents) = (traits, presents)
      (self.trialFactor, self.pace, self.stage) = (trialFactor, pace, stage)
      (self.frameTimes, self.distributions, self.spreads) = (frameTimes, distributions, spreads)
    }
  }

  /// The name in `--scenario` and records.
  public var name: String { row.name }
  /// A few words for the help text.
  public var summary: String { row.summary }
  /// The main metrics: a comparison judges them by default.
  public var mainMetric: Metric { row.main }
  /// It draws; without a Vulkan device it cannot run.
  public var needsDevice: Bool { has(.device) }
  /// Its views can be shown in a window.
  public var showsInWindow: Bool { has(.window) }
  /// It plays the clip several times at once.
  public var playsSeveral: Bool { has(.several) }
  /// The source of display times; nil if no view is presented.
  public var presentSource: PresentSource? { row.presents }
  /// Trials for each trial of the others: short scenarios are measured more often.
  public var trialFactor: Int { row.trialFactor }

  package func has(_ trait: Trait) -> Bool { row.traits.contains(trait) }

  /// The scenarios that `run` measures.
  package static var runnable: [Scenario] { allCases.filter { !$0.has(.outside) } }

  /// The scenario of that name, or nil for an unknown one: of a record by another build, or a mistyped argument.
  public static func named(_ name: String) -> Scenario? { byName[name] }

  private static let byName = Dictionary(allCases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

// By its name.
extension Scenario: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let scenario = Scenario.named(name) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "there is no scenario '\(name)'")
    }
    self = scenario
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

extension Record.Scenario {
  /// The scenario; nil if this build does not know it.
  package var key: Verdict.Scenario? { Verdict.Scenario.named(name) }

  /// `pipeline`, or with its variant `scrub/random/exact`.
  package var title: String { variant.map { "\(name)/\($0)" } ?? name }
}

extension Record {
  /// A record's results of a scenario, variant by variant.
  package func scenarios(_ scenario: Verdict.Scenario) -> [Scenario] { scenarios.filter { $0.key == scenario } }
}
