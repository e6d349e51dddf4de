import Verdict

/// An option of `run` that a matrix may set: one row of `MatrixSetting.all`.
package struct MatrixSetting: Sendable {
  /// As `run` calls it, without its hyphens.
  package let name: String
  let kind: Kind

  enum Kind: Sendable {
    case text, number
    /// True or false; false means absent.
    case flag
    /// A file, relative to the matrix's folder unless the path is absolute or a URL.
    case file
    /// A file if it ends in `.json`, else a name.
    case nameOrFile
  }

  /// The setting affects only scenarios with this trait; nil: it may affect any.
  private let trait: Scenario.Trait?
  /// A flag with which the setting affects every scenario.
  private let companion: String?

  private init(_ name: String, _ kind: Kind, _ trait: Scenario.Trait? = nil, with companion: String? = nil) {
    (self.name, self.kind, self.trait, self.companion) = (name, kind, trait, companion)
  }

  /// All settings that can affect a number. The caller chooses record paths and printed output.
  package static let all: [MatrixSetting] = [
    .init("ads", .file, .ads),
    .init("audio", .text, .sound),
    .init("audio-delay", .number, .sound),
    .init("audio-track", .text, .sound),
    .init("bounds", .text, .device),
    .init("buffer", .text, .network),
    .init("camera", .nameOrFile, .cameraMotion),
    .init("clients", .number, .network),
    .init("cmcd", .text, .network),
    .init("controller", .text, .network),
    .init("decoder", .text),
    .init("decoding", .text, .network),
    // A required device may also decode.
    .init("device", .text, .device, with: "require-gpu"),
    .init("duration", .number),
    .init("estimator", .text, .network),
    .init("expect", .text),
    .init("eye", .text, .device),
    .init("faults", .file, .network),
    .init("geometry", .text, .device),
    .init("input-events", .file, .inputEvents),
    .init("insecure", .flag),
    .init("key-file", .file),
    .init("lens-fov", .number, .device),
    .init("licence-url", .text),
    .init("live", .flag, .network),
    .init("live-end", .number, .network),
    .init("live-event", .flag, .network),
    .init("live-fallback", .text, .network),
    .init("live-latency", .number, .network),
    .init("live-parts", .number, .network),
    .init("live-window", .number, .network),
    .init("look-ahead", .number, .lookAhead),
    .init("loss", .number, .network),
    .init("low-delay", .flag),
    .init("network", .file, .network),
    .init("packaging", .text, .network),
    .init("peak-bitrate", .text, .network),
    .init("pin", .text),
    .init("pose", .text, .device),
    .init("present", .text, .window),
    .init("projection", .text, .device),
    .init("rate", .number, .network),
    .init("refresh", .number, .refreshRate),
    .init("require-gpu", .flag),
    .init("resume-buffer", .number, .network),
    .init("retries", .number, .network),
    .init("retry-limit", .number, .network),
    .init("rtt", .number, .network),
    .init("scenario", .text),
    .init("seed", .number),
    .init("shading", .text, .device),
    .init("size", .text, .device),
    .init("stagger", .number, .network),
    .init("start-bitrate", .text, .network),
    .init("start-time", .text, .network),
    .init("stereo", .text, .device),
    .init("streams", .number, .several),
    .init("stress", .text),
    .init("suite", .text),
    .init("threads", .number),
    .init("timeout", .number),
    .init("trials", .number),
    .init("upload", .text, .device),
    .init("validate", .flag),
    .init("view", .text, .device),
  ]

  /// Those of a session on the virtual clock, which `abr` takes too.
  package static let simulated: [MatrixSetting] = [
    "buffer", "controller", "duration", "estimator", "network", "peak-bitrate", "rate", "resume-buffer", "rtt",
    "start-bitrate",
  ].compactMap(named)

  /// Whether it can affect a number of any of the jobs; true in doubt.
  func matters(to jobs: [Job], of settings: [String: String]) -> Bool {
    guard let trait else { return true }
    return companion.map { settings[$0] == "true" } ?? false || jobs.contains { $0.scenario.has(trait) }
  }

  package static func named(_ name: String) -> MatrixSetting? {
    all.first { $0.name == name }
  }

  /// The argument that sets it; nil for a flag that is off.
  ///
  /// - Parameter folder: the matrix's.
  func argument(_ value: String, folder: String) -> String? {
    switch kind {
    case .flag: value == "true" ? "--\(name)" : nil
    case .text, .number: "--\(name)=\(value)"
    case .file: "--\(name)=\(Matrix.path(value, folder: folder))"
    case .nameOrFile:
      "--\(name)=\(value.lowercased().hasSuffix(".json") ? Matrix.path(value, folder: folder) : value)"
    }
  }

  /// Whether the JSON type is accepted; `run` checks the value itself.
  func takes(_ value: MatrixValue) -> Bool {
    switch (kind, value) {
    case (.flag, .flag), (.number, .number), (.number, .text), (.text, .text), (.file, .text), (.nameOrFile, .text):
      true
    // `"pin": 3` and `"device": 0`
    case (.text, .number): true
    default: false
    }
  }

  var wants: String {
    switch kind {
    case .flag: "true or false"
    case .number: "a number"
    case .text, .file, .nameOrFile: "text"
    }
  }
}

/// A value in JSON, and as written on the command line.
enum MatrixValue: Decodable {
  case text(String)
  case number(String)
  case flag(Bool)

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let whole = try? value.decode(UInt64.self) {
      self = .number("\(whole)")
    } else if let whole = try? value.decode(Int64.self) {
      self = .number("\(whole)")
    } else if let number = try? value.decode(Double.self) {
      self = .number("\(number)")
    } else if let text = try? value.decode(String.self) {
      guard text.utf8.count <= 4096, !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
        throw CheckedJSON.Refused(
          text: "\(CheckedJSON.place(decoder.codingPath)) is longer than 4096 bytes or has a control character in it")
      }
      self = .text(text)
    } else {
      throw CheckedJSON.Refused(text: "\(CheckedJSON.place(decoder.codingPath)) is no text, number, true or false")
    }
  }

  var written: String {
    switch self {
    case .text(let text), .number(let text): text
    case .flag(let isOn): "\(isOn)"
    }
  }
}
