/// A part of the time to the first picture, as `phases` of records hold it.
///
/// Names are a promise to scripts.
public enum Phase: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
  // The critical path in its order: these add up to `ttff_ms`.
  case spawn, open
  // Of a stream, each from its first request to its last byte.
  case manifest
  case initSegment = "init_segment"
  case firstSegment = "first_segment"
  case probe
  case codecInit = "codec_init"
  case firstDecode = "first_decode"
  case deviceInit = "device_init"
  case pipelineInit = "pipeline_init"
  case firstUpload = "first_upload"
  case firstRender = "first_render"
  case firstPresent = "first_present"
  // Beside the critical path.
  case deviceBeside = "device_beside"

  /// The key in records.
  public var name: String { rawValue }

  /// The phases of `startup` that make up `ttff_ms`, in order; any other phase ran in parallel.
  public static let criticalPath = allCases.filter { $0 != .deviceBeside }

  /// Whether the phase of that name is on the critical path; false for a phase of another build.
  package static func isCritical(_ name: String) -> Bool { Phase(rawValue: name).map(criticalPath.contains) ?? false }

  /// Names in the order of the critical path; other phases come last, in alphabetical order.
  public static func ordered(_ names: some Sequence<String>) -> [String] {
    func place(_ name: String) -> Int {
      Phase(rawValue: name).flatMap(criticalPath.firstIndex) ?? .max
    }
    return names.sorted { (place($0), $0) < (place($1), $1) }
  }
}
