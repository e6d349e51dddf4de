import FoundationEssentials
import Frames

/// Records and their parts as JSON: snake_case keys in alphabetical order, indented, arrays of numbers on one line.
public enum RecordCoding {
  /// UTF-8 with a newline at the end, which a terminal can be given. Fails only on numbers that JSON cannot hold.
  public static func encode(_ value: some Encodable) throws(Failure) -> Data {
    let json = Data(try text(value, isIndented: true).utf8)
    return compactingNumberArrays(in: json) + [UInt8(ascii: "\n")]
  }

  /// The same on one line.
  static func line(_ value: some Encodable) throws(Failure) -> Data {
    Data((try text(value, isIndented: false) + "\n").utf8)
  }

  private static func text(_ value: some Encodable, isIndented: Bool) throws(Failure) -> String {
    do {
      return try JSONText.encode(value, keys: .convertToSnakeCase, isIndented: isIndented)
    } catch {
      throw Failure(.failed, "cannot encode the record", cause: sentence(for: error), remedy: "please report this")
    }
  }

  /// Reads a whole record. `name` is the file's, for the message.
  ///
  /// In a digest each trial's metrics have their p50 and count only, and the summary its counts: a comparison's needs,
  /// read several times as fast.
  public static func decodeRecord(_ data: Data, name: String, asDigest: Bool = false) throws(Failure) -> Record {
    let attempt = "cannot read record '\(name)'"
    let remedy = "give a JSON record that 'bench360 run --output' wrote"
    guard !isNested(data, deeperThan: nestingLimit) else {
      throw Failure(
        .input, attempt, cause: "its lists and objects lie more than \(nestingLimit) deep in each other", remedy: remedy
      )
    }
    let data = asDigest ? Data(withoutSamples([UInt8](data))) : data
    do {
      return try decoder(asDigest: asDigest).decode(CheckedRecord.self, from: data).record
    } catch let other as OtherFile {
      throw Failure(.input, attempt, cause: other.cause, remedy: other.remedy ?? remedy)
    } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
      throw Failure(.input, attempt, cause: data.isEmpty ? "the file is empty" : "it is not JSON", remedy: remedy)
    } catch {
      throw damaged(error, name: name)
    }
  }

  /// A record has a dozen levels.
  private static let nestingLimit = 64

  /// Whether brackets nest deeper than that, as far as the bytes can be JSON. One pass over them, before any parser sees them.
  package static func isNested(_ json: Data, deeperThan limit: Int) -> Bool {
    json.withUnsafeBytes { bytes in
      var (depth, isInString, isEscaped) = (0, false, false)
      for (place, byte) in bytes.enumerated() {
        if isInString {
          if isEscaped {
            isEscaped = false
          } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
          } else if byte == UInt8(ascii: "\"") {
            isInString = false
          }
          continue
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          if depth > limit { return true }
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        // Video has brackets too. A byte order mark may come first, and zeros lie between the letters of UTF-16.
        case 0x80... where place > 3, 0x01...0x08, 0x0E...0x1F, 0x7F: return false
        default: break
        }
      }
      return false
    }
  }

  /// The same JSON with every `samples` array emptied: the statistics stay, most of the bytes go.
  ///
  /// Looks for the key only, so that skipping costs a fraction of reading. A quote inside a string is escaped, hence no
  /// string can look like the key.
  static func withoutSamples(_ json: [UInt8]) -> [UInt8] {
    replacingSamples(in: json) { _ in [] }
  }

  /// The same JSON with the text between the brackets of every `samples` array replaced.
  static func replacingSamples<Error>(
    in json: [UInt8], with replacement: (ArraySlice<UInt8>) throws(Error) -> [UInt8]
  ) throws(Error) -> [UInt8] {
    var output: [UInt8] = []
    var kept = 0
    var index = 0
    while let quote = json[index...].firstIndex(of: UInt8(ascii: "\"")) {
      index = quote + 1
      guard json[quote...].starts(with: samplesKey) else { continue }
      let value = json[(quote + samplesKey.count)...].firstIndex { !isBlank($0) && $0 != UInt8(ascii: ":") }
      guard let value, json[value] == UInt8(ascii: "[") else { continue }
      // If no bracket closes this one, none closes the next: searching again for each would take quadratic time.
      guard let end = json[value...].firstIndex(of: UInt8(ascii: "]")) else { break }
      output += json[Range(from: kept, to: value + 1)]
      output += try replacement(json[Range(from: value + 1, to: end)])
      kept = end
      index = end
    }
    return output + json[kept...]
  }

  private static let samplesKey = Array(#""samples""#.utf8)

  /// Decodes a part of a record that one process sends to another.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data, name: String, asDigest: Bool = false
  ) throws(Failure) -> Value {
    do {
      return try decoder(asDigest: asDigest).decode(type, from: data)
    } catch {
      throw damaged(error, name: name)
    }
  }

  private static func decoder(asDigest: Bool) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo[.isDigest] = asDigest
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }

  private static func damaged(_ error: any Error, name: String) -> Failure {
    Failure(
      .input, "cannot read record '\(name)'", cause: sentence(for: error),
      remedy: "the file was changed or cut short: measure again with 'bench360 run'")
  }

  /// RFC 3339 in UTC with whole seconds: `2025-11-21T09:30:14Z`.
  public static func timestamp(_ date: Date) -> String {
    date.formatted(.iso8601)
  }

  /// Seconds since 1970 of such a time, with or without a fraction; nil if it is invalid.
  static func instant(_ timestamp: String) -> Double? {
    let styles = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)]
    return styles.lazy.compactMap { try? $0.parse(timestamp).timeIntervalSince1970 }.first
  }

  static func sentence(for error: any Error) -> String {
    func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
      let path = (context.codingPath + (key.map { [$0] } ?? []))
        .map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      return path.isEmpty ? "the top level" : "'\(path.drop { $0 == "." })'"
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context): return "\(place(context, key)) is missing"
    case DecodingError.valueNotFound(_, let context): return "\(place(context)) is null"
    case DecodingError.typeMismatch(let type, let context): return "\(place(context)) is not of type \(type)"
    case DecodingError.dataCorrupted(let context):
      return context.codingPath.isEmpty ? "it is not JSON" : "\(place(context)): \(context.debugDescription)"
    case EncodingError.invalidValue(let value, _): return "\(value) is not a JSON number"
    default: return "\(error)"
    }
  }

  /// Removes white space from arrays of numbers: with a line per sample, most of the file would be blanks.
  private static func compactingNumberArrays(in data: Data) -> Data {
    let bytes = [UInt8](data)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    var isInString = false
    while index < bytes.count {
      let byte = bytes[index]
      if isInString {
        if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
          output.append(byte)
          index += 1
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: "["), let end = endOfNumbers(bytes, from: index + 1) {
        output += bytes[Range(from: index, to: end)].filter { !isBlank($0) }
        index = end
      }
      output.append(bytes[index])
      index += 1
    }
    return Data(output)
  }

  /// Index of the bracket that closes an array of numbers, or nil if the array holds anything else.
  private static func endOfNumbers(_ bytes: [UInt8], from start: Int) -> Int? {
    let numberBytes = Set("0123456789+-.eE,".utf8)
    guard let end = bytes[start...].firstIndex(where: { !isBlank($0) && !numberBytes.contains($0) }),
      bytes[end] == UInt8(ascii: "]")
    else { return nil }
    return end
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A }
}

/// Checks the schema first, so that a file of another kind or version gets its own message in one pass.
private struct CheckedRecord: Decodable {
  let record: Record

  private enum Key: String, CodingKey { case schema }

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: Key.self) else {
      throw OtherFile(cause: "it is not a bench360 record")
    }
    guard let schema = try? container.decodeIfPresent(String.self, forKey: .schema) else {
      let isThere = container.contains(.schema) && (try? container.decodeNil(forKey: .schema)) == false
      throw OtherFile(cause: "it is not a bench360 record" + (isThere ? "" : ", for it names no schema"))
    }
    let version = try OtherFile.version(of: schema)
    var record = try Record(from: decoder)
    record.upgrade(from: version)
    self.record = record
  }
}

/// JSON that is no record of the schema that this build reads.
private struct OtherFile: Error {
  var cause: String
  /// Nil: give a record.
  var remedy: String?

  /// The number of a schema that this build reads.
  static func version(of schema: String) throws(OtherFile) -> Int {
    let version = schema.hasPrefix("bench360/") ? Int(schema.dropFirst("bench360/".count)) : nil
    guard let version, version > 0 else { throw OtherFile(cause: "its schema '\(schema)' is not bench360's") }
    guard version <= Record.schemaVersion else {
      throw OtherFile(
        cause: "its schema '\(schema)' is newer than '\(Record.schema)', the newest that this build reads",
        remedy: "update bench360")
    }
    return version
  }
}

extension CodingUserInfoKey {
  fileprivate static let isDigest = CodingUserInfoKey(rawValue: "bench360.digest")!
}

extension Decoder {
  /// Whether to read only the values that a comparison needs.
  var readsDigest: Bool { userInfo[.isDigest] as? Bool ?? false }
}
