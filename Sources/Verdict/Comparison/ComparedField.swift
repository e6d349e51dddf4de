/// A fact about a record in which two records must agree to be compared: one row of `ComparedField.all`.
public struct ComparedField: Sendable {
  /// As `--vary` takes it.
  public let name: String
  /// Nil when no scenario of the record depended on it: that agrees with anything.
  package let value: @Sendable (Record) -> String?

  init(_ name: String, _ value: @escaping @Sendable (Record) -> String?) {
    self.name = name
    self.value = value
  }

  /// The clip and the schema are not among them: they never vary.
  public static let all: [ComparedField] = [
    ComparedField("machine") { $0.machine.className },
    ComparedField("device") { $0.device.map { $0.uuid ?? $0.name } },
    ComparedField("driver") { $0.device?.driver },
    ComparedField("ffmpeg") { $0.libraries.ffmpeg.runtime },
    ComparedField("size") { $0.settings.size?.description },
    ComparedField("view") { $0.settings.view.map { "\($0.pan),\($0.tilt),\($0.fov),\($0.roll)" } },
    ComparedField("camera") { record in
      record.settings.cameraSha256.map { "file with SHA-256 \($0)" } ?? record.settings.camera
    },
    ComparedField("projection") { $0.settings.projection },
    ComparedField("bounds") { record in
      guard record.settings.projection != nil else { return nil }
      return record.settings.bounds.map { "\($0.left),\($0.top),\($0.width),\($0.height)" } ?? "whole"
    },
    ComparedField("pose") { $0.settings.pose.map { "\($0.yaw),\($0.pitch),\($0.roll)" } },
    ComparedField("geometry") { $0.settings.geometry },
    ComparedField("stereo") { $0.settings.stereo },
    ComparedField("eye") { $0.settings.eye },
    ComparedField("lens_fov") { $0.settings.lensFov.map { "\($0)" } },
    ComparedField("decoder") { $0.settings.decoder },
    ComparedField("threads") { $0.settings.threads.map { "\($0)" } },
    ComparedField("low_delay") { "\($0.settings.lowDelay)" },
    ComparedField("converted_from") { $0.settings.convertedFrom ?? "none" },
    ComparedField("color_conversion") { $0.settings.colorConversion },
    ComparedField("upload") { $0.settings.upload },
    ComparedField("shading") { $0.settings.shading },
    ComparedField("refresh") { $0.settings.refreshHz.map { "\($0) Hz" } },
    ComparedField("look_ahead") { $0.settings.lookAhead.map { "\($0) frames" } },
    ComparedField("input_events") { $0.settings.inputEventsSha256.map { "file with SHA-256 \($0)" } },
    ComparedField("present") { $0.settings.present },
    ComparedField("present_source") { record in
      let sources = record.scenarios.compactMap(\.presentSource?.rawValue)
      return sources.isEmpty ? nil : Set(sources).sorted().joined(separator: "+")
    },
    ComparedField("duration") { "\($0.settings.durationSeconds) s" },
    ComparedField("seed") { "\($0.settings.seed)" },
    ComparedField("pin") { $0.settings.pin ?? "none" },
    ComparedField("stress") { $0.settings.stress },
    ComparedField("validate") { "\($0.settings.validate)" },
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
  }

  /// Where the sides do not agree, or one does not agree with itself.
  static func differences(base: [Record], head: [Record]) -> [Difference] {
    ComparedField.all.compactMap { field in
      let base = Set(base.compactMap(field.value))
      let head = Set(head.compactMap(field.value))
      guard !base.isEmpty, !head.isEmpty, base.union(head).count > 1 else { return nil }
      func text(_ values: Set<String>) -> String { values.sorted().joined(separator: " and ") }
      return Difference(field: field.name, base: text(base), head: text(head))
    }
  }

  /// Fields that one side alone has several values of.
  static func mixtures(_ records: [Record]) -> Set<String> {
    Set(ComparedField.all.filter { Set(records.compactMap($0.value)).count > 1 }.map(\.name))
  }
}
