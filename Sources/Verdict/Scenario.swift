extension Scenario {
  /// What a scenario needs or has, which decides what settings matter to it and what is said of its records.
  package enum Trait: Sendable {
    /// It draws; without a Vulkan device it cannot run.
    case device
    /// The camera moves with media time, as `--camera` says.
    case cameraMotion
    /// It keeps to the refreshes of a display.
    case refreshRate
    /// It decodes ahead of the display.
    case lookAhead
    /// It may play back a file of input events.
    case inputEvents
    /// What it draws can be shown in a window.
    case window
    /// Its variants are settings of other scenarios, side by side: none of them stands for the machine.
    case sideBySide
    /// Its time has parts, in `phases`.
    case phases
  }

  /// What is new on a paced display.
  package enum Pace: Sendable {
    /// The clip's frames, as long as the camera stands still.
    case frames
    /// A view at each refresh.
    case views
  }

  /// A chart of one metric over the scenario's variants.
  package struct Spread: Sendable {
    package let metric: Metric
    package let title: String
    /// What is told of its rows.
    package let note: String

    init(_ metric: Metric, _ title: String, _ note: String) {
      (self.metric, self.title, self.note) = (metric, title, note)
    }
  }

  package struct Row: Sendable {
    package let name: String
    package let summary: String
    /// What comparisons, histories and warnings judge; its polarity is the sign of a change.
    package let main: Metric
    package let traits: Set<Trait>
    package let presents: PresentSource?
    package let trialFactor: Int
    /// Nil where it is not paced.
    package let pace: Pace?
    /// The stage of a frame that it measures by itself.
    package let stage: Bottleneck?
    /// Charts of a report. What a frame's time is, in the order of the run: the first of these that a record has.
    package let frameTimes: [Metric]
    package let distributions: [Metric]
    package let spreads: [Spread]

    init(
      _ name: String, _ summary: String, main: Metric, _ traits: Set<Trait>, presents: PresentSource? = nil,
      trialFactor: Int = 1, pace: Pace? = nil, stage: Bottleneck? = nil, frameTimes: [Metric] = [],
      distributions: [Metric] = [], spreads: [Spread] = []
    ) {
      (self.name, self.summary, self.main, self.traits, self.presents) = (name, summary, main, traits, presents)
      (self.trialFactor, self.pace, self.stage) = (trialFactor, pace, stage)
      (self.frameTimes, self.distributions, self.spreads) = (frameTimes, distributions, spreads)
    }
  }

  /// As `--scenario` and records call it.
  public var name: String { row.name }
  /// A few words for the help text.
  public var summary: String { row.summary }
  /// What it is run for: what a comparison judges unless told otherwise.
  public var mainMetric: Metric { row.main }
  /// It draws; without a Vulkan device it cannot run.
  public var needsDevice: Bool { has(.device) }
  /// What it draws can be shown in a window.
  public var showsInWindow: Bool { has(.window) }
  /// Where display times come from; nil when nothing is presented.
  public var presentSource: PresentSource? { row.presents }
  /// Trials for each trial of the others: what takes a moment is measured more often.
  public var trialFactor: Int { row.trialFactor }

  package func has(_ trait: Trait) -> Bool { row.traits.contains(trait) }

  /// The scenario of that name, or nil when there is none: of a record by another build, or a mistyped argument.
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
  /// What was measured; nil where this build does not know it.
  package var key: Verdict.Scenario? { Verdict.Scenario.named(name) }
}

extension Record {
  /// What it holds of a scenario, variant by variant.
  package func scenarios(_ scenario: Verdict.Scenario) -> [Scenario] { scenarios.filter { $0.key == scenario } }
}
