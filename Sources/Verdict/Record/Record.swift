import Frames

/// Everything one run measured on one input, and everything needed to judge it later.
///
/// Encoded by `RecordCoding`, whose keys are these names in snake_case; `results/README.md` describes each, and
/// `results/record.schema.json` is the same for machines.
public struct Record: Hashable, Sendable, Codable {
  /// The schema this build writes and reads.
  public static let schema = "bench360/\(schemaVersion)"
  static let schemaVersion = 1

  public var schema = Record.schema
  /// RFC 3339; see `RecordCoding.timestamp`.
  public var created: String
  /// Names the thing tested: a driver, a branch.
  @Nullable public var label: String?
  /// The same in all records of one session, whose trials ran in one go on one machine; nil when that is not known.
  @Nullable public var session: String?
  public var version: String
  /// Of bench360 itself, or "unknown".
  public var commit: String
  /// Whether the build had changes that were not committed; nil from a tarball.
  @Nullable public var dirty: Bool?
  /// The arguments as typed, the program first; URLs without their secrets.
  public var command: [String]
  /// False when the run was interrupted, or ended by a failure: a warning says which.
  public var complete: Bool
  public var machine: Machine
  /// Nil when no scenario needed one.
  @Nullable public var device: Device?
  public var libraries: Libraries
  public var input: Input
  public var settings: Settings
  /// The cell of a matrix that it was measured for. Absent, not null, where there was no matrix.
  public var cell: Cell?
  public var scenarios: [Scenario]
  /// What bounds `pipeline_fps`; nil when the run cannot tell, as without that scenario.
  @Nullable public var boundBy: Bottleneck?
  public var warnings: [Warning]

  /// Computes `boundBy`, and takes the secrets of URLs out of the command (`redactingSecrets`).
  public init(
    created: String, label: String? = nil, session: String? = nil, version: String, commit: String = "unknown",
    dirty: Bool? = nil,
    command: [String], complete: Bool, machine: Machine, device: Device?, libraries: Libraries, input: Input,
    settings: Settings, scenarios: [Scenario], warnings: [Warning] = []
  ) {
    self.created = created
    self.label = label
    self.session = session
    self.version = version
    self.commit = commit
    self.dirty = dirty
    self.command = command.map(redactingSecrets(ofArgument:))
    self.complete = complete
    self.machine = machine
    self.device = device
    self.libraries = libraries
    self.input = input
    self.settings = settings
    self.scenarios = scenarios
    self.warnings = warnings
    boundBy = StageRates(self).bottleneck
  }

  /// A cell of a matrix: one input with one choice of settings.
  public struct Cell: Hashable, Sendable, Codable {
    /// SHA-256 of the input's path and the settings as the matrix has them, in lower-case hexadecimal.
    public var id: String
    /// What its record is called, without `.json`.
    public var name: String

    public init(id: String, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// Something that spoils numbers or narrows what they mean, and what to do about it.
  public struct Warning: Hashable, Sendable, Codable {
    /// Stable, for scripts: `governor_powersave`.
    public var code: String
    public var text: String
    /// Nil when nothing can be done.
    @Nullable public var remedy: String?

    public init(code: WarningCode, text: String, remedy: String? = nil) {
      self.code = code.rawValue
      self.text = text
      self.remedy = remedy
    }
  }
}
