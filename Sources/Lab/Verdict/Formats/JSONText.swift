import FoundationEssentials
import Frames

/// The one JSON writer of records, exports and traces: keys in alphabetical order, slashes as they are, and `\u202e` for each character that a
/// terminal must not be given.
enum JSONText {
  /// Throws `EncodingError` for numbers that JSON cannot hold.
  static func encode(
    _ value: some Encodable, keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys, isIndented: Bool = false
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = keys
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
    return printableJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
