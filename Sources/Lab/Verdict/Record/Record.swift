import Frames

/// Everything one run measured on one input, and everything needed to judge it later.
///
/// Encoded by `RecordCoding`, whose keys are these names in snake_case; `results/README.md` describes each, and
/// `results/record.schema.json` is the same for machines. `build` and `environment` are this program's groups: their fields
/// are the record's own there.
public struct Record: Hashable, Sendable {
  /// The schema this build writes. It reads this one and those before it (`upgrade`).
  public static let schema = "bench360/\(schemaVersion)"
  package static let schemaVersion = 2

  public var schema = Record.schema
  /// RFC 3339; see `RecordCoding.timestamp`.
  public var created: String
  /// The subject of the test: a driver, a branch.
  @Nullable public var label: String?
  /// The same in all records of one session, whose trials ran in one go on one machine; nil if unknown.
  @Nullable public var session: String?
  public var build: Build
  /// The arguments as typed, the program first; URLs without their secrets.
  public var command: [String]
  /// False if the run was interrupted, or ended by a failure: a warning says which.
  public var complete: Bool
  public var environment: Environment
  public var input: Input
  /// Of a stream: bytes of bodies that were loaded to describe it, before anything was measured. Absent, not null, of other inputs.
  public var bytesBeforeMeasuring: Int?
  public var settings: Settings
  /// The matrix cell that it was measured for. Absent, not null, if there was no matrix.
  public var cell: Cell?
  public var scenarios: [Scenario]
  /// The bottleneck of `pipeline_fps`; nil if the run cannot tell, as without that scenario.
  @Nullable public var boundBy: Bottleneck?
  public var warnings: [Warning]

  /// Computes `boundBy`, and takes the secrets of URLs out of the command (`redactingSecrets`).
  public init(
    created: String, label: String? = nil, session: String? = nil, build: Build, command: [String], complete: Bool,
    environment: Environment, input: Input, settings: Settings, scenarios: [Scenario], warnings: [Warning] = []
  ) {
    self.created = created
    self.label = label
    self.session = session
    self.build = build
    self.command = command.map(redactingSecrets(ofArgument:))
    self.complete = complete
    self.environment = environment
    self.input = input
    self.settings = settings
    self.scenarios = scenarios
    self.warnings = warnings
    boundBy = StageRates(self).bottleneck
  }

  /// The build of bench360 that measured.
  public struct Build: Hashable, Sendable, Codable {
    public var version: String
    /// Of bench360 itself, or "unknown".
    public var commit: String
    /// Whether there were uncommitted changes; nil for builds from a tarball.
    @Nullable public var dirty: Bool?

    public init(version: String, commit: String = "unknown", dirty: Bool? = nil) {
      self.version = version
      self.commit = commit
      self.dirty = dirty
    }
  }

  /// A cell of a matrix: one input with one choice of settings.
  public struct Cell: Hashable, Sendable, Codable {
    /// SHA-256 of the input's path and the settings as the matrix has them, in lower-case hexadecimal.
    public var id: String
    /// The name of its record, without `.json`.
    public var name: String

    public init(id: String, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// A problem that distorts numbers or limits what they mean, with its remedy.
  public struct Warning: Hashable, Sendable, Codable {
    /// Stable, for scripts: `governor_powersave`.
    public var code: String
    public var text: String
    /// Nil if there is no remedy.
    @Nullable public var remedy: String?

    public init(code: WarningCode, text: String, remedy: String? = nil) {
      self.code = code.rawValue
      self.text = text
      self.remedy = remedy
    }
  }
}

extension Record: Codable {
  private enum CodingKeys: CodingKey {
    case schema, created, label, session, command, complete, input, bytesBeforeMeasuring, settings, cell, scenarios,
      boundBy
    case warnings
  }

  public init(from decoder: any Decoder) throws {
    build = try Build(from: decoder)
    environment = try Environment(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    schema = try container.decode(String.self, forKey: .schema)
    created = try container.decode(String.self, forKey: .created)
    _label = try container.decode(Nullable<String>.self, forKey: .label)
    _session = try container.decode(Nullable<String>.self, forKey: .session)
    command = try container.decode([String].self, forKey: .command)
    complete = try container.decode(Bool.self, forKey: .complete)
    input = try container.decode(Input.self, forKey: .input)
    bytesBeforeMeasuring = try container.decodeIfPresent(Int.self, forKey: .bytesBeforeMeasuring)
    settings = try container.decode(Settings.self, forKey: .settings)
    cell = try container.decodeIfPresent(Cell.self, forKey: .cell)
    scenarios = try container.decode([Scenario].self, forKey: .scenarios)
    _boundBy = try container.decode(Nullable<Bottleneck>.self, forKey: .boundBy)
    warnings = try container.decode([Warning].self, forKey: .warnings)
  }

  public func encode(to encoder: any Encoder) throws {
    try build.encode(to: encoder)
    try environment.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try container.encode(created, forKey: .created)
    try container.encode(_label, forKey: .label)
    try container.encode(_session, forKey: .session)
    try container.encode(command, forKey: .command)
    try container.encode(complete, forKey: .complete)
    try container.encode(input, forKey: .input)
    try container.encodeIfPresent(bytesBeforeMeasuring, forKey: .bytesBeforeMeasuring)
    try container.encode(settings, forKey: .settings)
    try container.encodeIfPresent(cell, forKey: .cell)
    try container.encode(scenarios, forKey: .scenarios)
    try container.encode(_boundBy, forKey: .boundBy)
    try container.encode(warnings, forKey: .warnings)
  }
}
