/// An option of `run` that a matrix may set: one row of `MatrixSetting.all`.
package struct MatrixSetting: Sendable {
  /// As `run` calls it, without its hyphens.
  package let name: String
  let kind: Kind

  enum Kind: Sendable {
    case text, number
    /// True or false; false is as if it were not there.
    case flag
    /// A file, below the matrix's folder unless its path says otherwise.
    case file
    /// A file where it ends in `.json`, else a name.
    case nameOrFile
  }

  /// All that can change a number. Where records go, and what is printed, is the caller's.
  package static let all: [MatrixSetting] = [
    .init(name: "bounds", kind: .text), .init(name: "camera", kind: .nameOrFile), .init(name: "decoder", kind: .text),
    .init(name: "device", kind: .text), .init(name: "duration", kind: .number), .init(name: "eye", kind: .text),
    .init(name: "geometry", kind: .text), .init(name: "input-events", kind: .file),
    .init(name: "insecure", kind: .flag), .init(name: "lens-fov", kind: .number),
    .init(name: "look-ahead", kind: .number), .init(name: "low-delay", kind: .flag),
    .init(name: "pin", kind: .text), .init(name: "pose", kind: .text),
    .init(name: "present", kind: .text), .init(name: "projection", kind: .text), .init(name: "refresh", kind: .number),
    .init(name: "require-gpu", kind: .flag), .init(name: "scenario", kind: .text), .init(name: "seed", kind: .number),
    .init(name: "shading", kind: .text), .init(name: "size", kind: .text), .init(name: "stereo", kind: .text),
    .init(name: "stress", kind: .text), .init(name: "suite", kind: .text), .init(name: "threads", kind: .number),
    .init(name: "timeout", kind: .number), .init(name: "trials", kind: .number), .init(name: "upload", kind: .text),
    .init(name: "validate", kind: .flag), .init(name: "view", kind: .text),
  ]

  /// Whether it can change a number of any of the jobs; true in doubt.
  func matters(to jobs: [Job], of settings: [String: String]) -> Bool {
    switch name {
    // A device that must be there may decode.
    case "device": settings["require-gpu"] == "true" || jobs.contains { $0.scenario.needsDevice }
    case "bounds", "eye", "geometry", "lens-fov", "pose", "projection", "shading", "size", "stereo", "upload",
      "view":
      jobs.contains { $0.scenario.needsDevice }
    case "camera": jobs.contains { $0.scenario.has(.cameraMotion) }
    case "present": jobs.contains { $0.scenario.showsInWindow }
    case "look-ahead": jobs.contains { $0.scenario.has(.lookAhead) }
    case "input-events": jobs.contains { $0.scenario.has(.inputEvents) }
    case "refresh": jobs.contains { $0.scenario.has(.refreshRate) }
    default: true
    }
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

  /// Whether JSON's own type is one that it takes; `run` judges the value itself.
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

/// A value as JSON has it, and as it is written on the command line.
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
