/// A fact about a record in which two records must agree to be compared: one row of `ComparedField.all`.
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
  public static let all: [ComparedField] = [
    ComparedField("machine", of: .environment) { $0.environment.machine.className },
    ComparedField("device", of: .environment) { $0.environment.device.map { $0.uuid ?? $0.name } },
    ComparedField("driver", of: .environment) { $0.environment.device?.driver },
    ComparedField("ffmpeg", of: .environment) { $0.environment.libraries.ffmpeg.runtime },
    ComparedField("size") { $0.settings.viewing.size?.description },
    ComparedField("view") { $0.settings.viewing.view.map { "\($0.pan),\($0.tilt),\($0.fov),\($0.roll)" } },
    ComparedField("camera") { record in
      record.settings.viewing.cameraSha256.map { "file with SHA-256 \($0)" } ?? record.settings.viewing.camera
    },
    ComparedField("projection") { $0.settings.geometry.projection },
    ComparedField("bounds") { record in
      guard record.settings.geometry.projection != nil else { return nil }
      return record.settings.geometry.bounds.map { "\($0.left),\($0.top),\($0.width),\($0.height)" } ?? "whole"
    },
    ComparedField("pose") { $0.settings.geometry.pose.map { "\($0.yaw),\($0.pitch),\($0.roll)" } },
    ComparedField("geometry") { $0.settings.geometry.sphere },
    ComparedField("stereo") { $0.settings.geometry.stereo },
    ComparedField("eye") { $0.settings.geometry.eye },
    ComparedField("lens_fov") { $0.settings.geometry.lensFov.map { "\($0)" } },
    ComparedField("decoder") { $0.settings.decoding.decoder },
    ComparedField("threads") { $0.settings.decoding.threads.map { "\($0)" } },
    ComparedField("low_delay") { "\($0.settings.decoding.lowDelay)" },
    ComparedField("converted_from") { $0.settings.decoding.convertedFrom ?? "none" },
    ComparedField("color_conversion") { $0.settings.drawing.colorConversion },
    ComparedField("upload") { $0.settings.drawing.upload },
    ComparedField("shading") { $0.settings.drawing.shading },
    ComparedField("refresh") { $0.settings.pacing.refreshHz.map { "\($0) Hz" } },
    ComparedField("look_ahead") { $0.settings.pacing.lookAhead.map { "\($0) frames" } },
    ComparedField("audio") { record in
      record.scenarios.contains { $0.key?.has(.sound) == true } ? record.settings.pacing.audio ?? "none" : nil
    },
    ComparedField("audio_track") { $0.settings.pacing.audioTrack.map { "stream \($0)" } },
    ComparedField("audio_delay") { "\($0.settings.pacing.audioDelayMs ?? 0) ms" },
    ComparedField("controller") { $0.settings.streaming?.controller },
    ComparedField("estimator") { $0.settings.streaming?.estimator },
    ComparedField("buffer") { record in
      record.settings.streaming.map { "\($0.bufferMinimum),\($0.bufferMaximum),\($0.bufferResume) s" }
    },
    ComparedField("bitrates") { record in
      record.settings.streaming.map { streaming in
        let texts = [streaming.startBitrate, streaming.peakBitrate].map { $0.map { "\($0) bit/s" } ?? "any" }
        return texts.joined(separator: " to ")
      }
    },
    ComparedField("start_time") { $0.settings.streaming.map { $0.live?.startDate ?? "\($0.startTime) s" } },
    ComparedField("live_latency") { record in
      record.settings.streaming.map { $0.live?.latency.map { "\($0) s" } ?? "as the stream asks" }
    },
    ComparedField("retries") { $0.settings.streaming.map { "\($0.retries) in \($0.retryLimit) s" } },
    ComparedField("cmcd") { $0.settings.streaming.map { $0.cmcd ?? "none" } },
    ComparedField("network") { $0.settings.streaming.map { $0.link?.text ?? "not shaped" } },
    ComparedField("faults") { $0.settings.streaming.map { $0.faults ?? "none" } },
    ComparedField("packaging") { $0.settings.streaming?.packaging },
    ComparedField("clients") { record in
      guard record.settings.streaming != nil else { return nil }
      return record.settings.clients.map { "\($0.count) \($0.decoding), \($0.stagger) s apart" } ?? "1 real"
    },
    ComparedField("streams") { record in
      guard record.scenarios.contains(where: { $0.key?.has(.several) == true }) else { return nil }
      return record.settings.streams.map { "\($0)" } ?? "as many as it keeps up with"
    },
    ComparedField("input_events") { $0.settings.viewing.inputEventsSha256.map { "file with SHA-256 \($0)" } },
    ComparedField("ads") { $0.settings.pacing.ads },
    ComparedField("present") { $0.settings.pacing.present },
    ComparedField("present_source", of: .scenarios) { record in
      let sources = record.scenarios.compactMap(\.presentSource?.rawValue)
      return sources.isEmpty ? nil : Set(sources).sorted().joined(separator: "+")
    },
    ComparedField("duration") { "\($0.settings.repetition.durationSeconds) s" },
    ComparedField("seed") { "\($0.settings.repetition.seed)" },
    ComparedField("pin") { $0.settings.pin ?? "none" },
    ComparedField("stress") { $0.settings.stress },
    ComparedField("validate") { "\($0.settings.drawing.validate)" },
  ]

  /// The field of that name, or nil when there is none.
  public static func named(_ name: String) -> ComparedField? {
    all.first { $0.name == name }
  }
}

extension Record.Settings.Streaming.Link {
  fileprivate var text: String {
    let parts = [
      rateMbps.map { "\($0) Mbit/s" }, rttMs.map { "\($0) ms" }, lossPct.map { "\($0) % lost" },
    ].compactMap { $0 }
    return ([network] + parts).joined(separator: ", ")
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
