import Verdict

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

extension Setting {
  /// Whether it can affect a number of any of the jobs; true in doubt.
  func matters(to jobs: [Job], of settings: [String: String]) -> Bool {
    let row = row
    guard let trait = row.trait else { return true }
    return row.companion.map { settings[$0.name] == "true" } ?? false || jobs.contains { $0.scenario.has(trait) }
  }

  /// The argument that sets it; nil for a flag that is off.
  ///
  /// - Parameter folder: the matrix's.
  func argument(_ value: String, folder: String) -> String? {
    switch row.value {
    case .flag: value == "true" ? "--\(name)" : nil
    case .text, .signedText, .count, .number: "--\(name)=\(value)"
    case .file: "--\(name)=\(Matrix.path(value, folder: folder))"
    case .nameOrFile:
      "--\(name)=\(value.lowercased().hasSuffix(".json") ? Matrix.path(value, folder: folder) : value)"
    }
  }

  /// Whether the JSON type is accepted; `run` checks the value itself.
  func takes(_ value: MatrixValue) -> Bool {
    switch (row.value, value) {
    case (.flag, .flag): true
    case (.flag, _), (_, .flag): false
    case (_, .text): true
    // `"pin": 3` and `"device": 0`
    case (.text, .number), (.signedText, .number), (.count, .number), (.number, .number): true
    case (.file, .number), (.nameOrFile, .number): false
    }
  }

  /// The accepted JSON type, in words.
  var acceptedType: String {
    switch row.value {
    case .flag: "true or false"
    case .count, .number: "a number"
    case .text, .signedText, .file, .nameOrFile: "text"
    }
  }
}
