import FoundationEssentials
import Frames
import Glibc
import Verdict

/// Shared by the readers of users' JSON files: every value is checked, and an error is one sentence.
enum CheckedJSON {
  /// The error, with its place in the file.
  struct Refused: Error {
    let text: String
  }

  /// None of these files has more than a few levels.
  private static let nestingLimit = 32

  /// The file's bytes. A pipe is read to its end; a folder or a device is refused.
  ///
  /// - Parameters:
  ///   - name: what it is, for the message: `camera path`.
  ///   - limit: bytes, a whole number of MiB.
  ///   - refusal: made of a cause, for a file that is too large.
  static func read(
    _ file: String, called name: String, limit: Int, remedy: String, refusal: (String) -> Failure
  ) throws(Failure) -> Data {
    guard let opened = try? OpenFile(reading: file) else {
      let cause = FileManager.default.fileExists(atPath: file) ? "permission denied" : "no such file or directory"
      throw Failure(.input, "cannot read \(name) '\(file)'", cause: cause, remedy: "check the name")
    }
    var status = stat()
    guard fstat(opened.descriptor.rawValue, &status) == 0, [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT) else {
      throw Failure(.input, "cannot read \(name) '\(file)'", cause: "it is not a regular file", remedy: remedy)
    }
    // One byte past the limit shows that the file is too large.
    guard let data = (try? opened.read(upTo: limit + 1)).map({ Data($0) }) else {
      throw Failure(.input, "cannot read \(name) '\(file)'", cause: "reading it failed", remedy: remedy)
    }
    guard data.count <= limit else { throw refusal("it is larger than \(limit >> 20) MiB") }
    guard !RecordCoding.isNested(data, deeperThan: nestingLimit) else {
      throw refusal("its lists and objects lie more than \(nestingLimit) deep in each other")
    }
    return data
  }

  static func cause(of error: any Error) -> String {
    switch error {
    case let refused as Refused: refused.text
    case DecodingError.keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
    case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
      "\(place(context.codingPath)) is no \(word(for: type))"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\(place(context.codingPath)) is not a value it can have"
    default: "it is not JSON, or a number in it is too large"
    }
  }

  private static func word(for type: Any.Type) -> String {
    switch type {
    case is Double.Type: "number"
    case is Int.Type: "whole number"
    case is Bool.Type: "true or false"
    case is String.Type: "text"
    default: "\(type)".hasPrefix("Array<") ? "list" : "object"
    }
  }

  /// `keyframes[3].pan`; the file itself is `its content`.
  static func place(_ keys: [any CodingKey]) -> String {
    let text = keys.reduce("") { text, key in
      if let index = key.intValue { return text + "[\(index)]" }
      return text + (text.isEmpty ? "" : ".") + key.stringValue
    }
    return text.isEmpty ? "its content" : text
  }

  /// Refuses a number outside `range`, naming its place.
  static func within(
    _ range: ClosedRange<Double>, _ value: Double, _ key: some CodingKey, _ decoder: any Decoder
  ) throws -> Double {
    guard range.contains(value) else {
      let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
      throw Refused(text: "\(place(decoder.codingPath + [key])) is not between \(low) and \(high)")
    }
    return value
  }
}

extension Decoder {
  /// Refuses unknown keys of an object, so that a misspelt key is reported.
  func requireOnly<Key: CodingKey & CaseIterable & RawRepresentable>(_ keys: Key.Type) throws
  where Key.RawValue == String {
    try requireOnly(keys.allCases.map(\.rawValue))
  }

  func requireOnly(_ keys: [String]) throws {
    let found = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    guard let stranger = found.filter({ !keys.contains($0) }).min() else { return }
    throw CheckedJSON.Refused(text: "\(CheckedJSON.place(codingPath)) has an unknown key '\(stranger.prefix(40))'")
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}
