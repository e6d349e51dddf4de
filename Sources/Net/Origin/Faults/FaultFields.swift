/// The fields of one rule in a file of faults, checked while they are read.
public struct FaultFields: Sendable {
  /// What is wrong with a field, with its place in the file: `faults[2].seconds is missing`.
  public struct Refused: Error, Sendable {
    public let text: String
  }

  private let place: String
  private let values: [String: JSONValue]

  /// - Parameter place: of the rule in the file: `faults[2]`.
  init(_ values: [String: JSONValue], place: String) {
    self.values = values
    self.place = place
  }

  /// Refuses the first unknown field, so that a misspelt one is reported.
  func requireOnly(_ keys: [String]) throws(Refused) {
    guard let stranger = values.keys.filter({ !keys.contains($0) }).min() else { return }
    throw Refused(
      text: "\(place) has an unknown field '\(stranger.prefix(40))'; there are: \(keys.joined(separator: ", "))")
  }

  func text(_ key: String) throws(Refused) -> String {
    guard let text = try optionalText(key) else { throw Refused(text: "\(place).\(key) is missing") }
    return text
  }

  /// Printable ASCII, as header fields and paths have it, 1 to 256 bytes; nil where the field is missing.
  func optionalText(_ key: String) throws(Refused) -> String? {
    guard let value = values[key] else { return nil }
    guard case .text(let text) = value, (1...256).contains(text.utf8.count),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { throw Refused(text: "\(place).\(key) is no text of 1 to 256 bytes") }
    return text
  }

  func number(_ key: String, in range: ClosedRange<Double>) throws(Refused) -> Double {
    guard let number = try optionalNumber(key, in: range) else { throw Refused(text: "\(place).\(key) is missing") }
    return number
  }

  /// Nil where the field is missing.
  func optionalNumber(_ key: String, in range: ClosedRange<Double>) throws(Refused) -> Double? {
    guard let value = values[key] else { return nil }
    guard case .number(let number) = value, range.contains(number) else {
      throw Refused(
        text: "\(place).\(key) is no number from \(written(range.lowerBound)) to \(written(range.upperBound))")
    }
    return number
  }

  /// A whole number; nil where the field is missing.
  func optionalWhole(_ key: String, in range: ClosedRange<Int64>) throws(Refused) -> Int64? {
    guard let value = values[key] else { return nil }
    guard let whole = value.whole, range.contains(whole) else {
      throw Refused(text: "\(place).\(key) is no whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  /// One whole number or a list of them, in ascending order; nil where the field is missing.
  func optionalWholes(_ key: String, in range: ClosedRange<Int64>) throws(Refused) -> [Int64]? {
    guard let value = values[key] else { return nil }
    let list = if case .list(let list) = value { list } else { [value] }
    let wholes = list.compactMap(\.whole).filter(range.contains)
    guard wholes.count == list.count, !list.isEmpty, list.count <= 10_000 else {
      throw Refused(
        text: "\(place).\(key) is no whole number from \(range.lowerBound) to \(range.upperBound), and no list of them")
    }
    return wholes.sorted()
  }

  private func written(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? "\(number)"
  }
}

/// A value of a JSON file whose fields depend on others.
enum JSONValue: Sendable, Hashable, Decodable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// The number, where it is whole and Double holds it exactly.
  var whole: Int64? {
    guard case .number(let number) = self, abs(number) <= 0x1p53 else { return nil }
    return Int64(exactly: number)
  }
}
