/// A fact about a record in which two records must agree to be compared. Those of settings are in the rows of `Setting`.
public struct ComparedField: Sendable {
  /// As `--vary` takes it.
  public let name: String
  package let kind: Kind
  /// Nil if no scenario of the record depended on it: nil agrees with any value.
  package let value: @Sendable (Record) -> String?

  /// The part of a record that the fact describes.
  package enum Kind: Sendable {
    case environment, settings
    /// It depends on the scenarios that ran: it may differ between records of the same subject.
    case scenarios
  }

  init(_ name: String, of kind: Kind = .settings, _ value: @escaping @Sendable (Record) -> String?) {
    self.name = name
    self.kind = kind
    self.value = value
  }

  /// The clip and the schema are not in this list: they never vary.
  public static let all: [ComparedField] =
    [
      ComparedField("machine", of: .environment) { $0.environment.machine.className },
      ComparedField("device", of: .environment) { $0.environment.device.map { $0.uuid ?? $0.name } },
      ComparedField("driver", of: .environment) { $0.environment.device?.driver },
      ComparedField("ffmpeg", of: .environment) { $0.environment.libraries.ffmpeg.runtime },
    ]
    + Setting.allCases.compactMap(\.comparedField) + [
      ComparedField("players") { record in
        record.settings.observation?.players.map { "\($0.name): \($0.command)" }.sorted().joined(separator: "; ")
      },
      ComparedField("screen") { record in
        record.settings.observation.map { "\($0.source) \($0.screen)" }
      },
      // Consequences of the clip, the device and the settings.
      ComparedField("converted_from") { $0.settings.decoding.convertedFrom ?? "none" },
      ComparedField("color_conversion") { $0.settings.drawing.colorConversion },
      ComparedField("present_source", of: .scenarios) { record in
        let sources = record.scenarios.compactMap(\.presentSource?.rawValue)
        return sources.isEmpty ? nil : Set(sources).sorted().joined(separator: "+")
      },
    ]

  /// The field of that name, or nil when there is none.
  public static func named(_ name: String) -> ComparedField? {
    all.first { $0.name == name }
  }
}

extension Comparison {
  /// A field in which base and head differ.
  public struct Difference: Hashable, Sendable, Codable {
    public var field: String
    /// All values found on that side.
    public var base: String
    public var head: String

    public init(field: String, base: String, head: String) {
      self.field = field
      self.base = base
      self.head = head
    }
  }

  /// Fields in which the sides differ, or one side has several values.
  static func differences(base: [Record], head: [Record]) -> [Difference] {
    ComparedField.all.compactMap { field in
      let base = Set(base.compactMap(field.value))
      let head = Set(head.compactMap(field.value))
      guard !base.isEmpty, !head.isEmpty, base.union(head).count > 1 else { return nil }
      func text(_ values: Set<String>) -> String { values.sorted().joined(separator: " and ") }
      return Difference(field: field.name, base: text(base), head: text(head))
    }
  }

  /// Fields with several values among the records of one side.
  static func mixtures(_ records: [Record]) -> Set<String> {
    Set(ComparedField.all.filter { Set(records.compactMap($0.value)).count > 1 }.map(\.name))
  }
}
