import FoundationEssentials
import Frames
import Verdict

/// A matrix as its file has it, checked while it is read: `results/matrix.schema.json` describes it.
struct MatrixFile: Decodable {
  /// Paths as written; nil: the built-in clip.
  let inputs: [String]?
  let defaults: [String: String]
  let axes: [String: [String]]
  let exclude: [Choice]
  let include: [Choice]

  /// A condition: an input, or any, and some settings.
  struct Choice {
    var input: String?
    var settings: [String: String]
  }

  static let schema = "bench360-matrix/1"
  static let byteLimit = 4 << 20
  /// Limit of inputs, of values of an axis, of exclusions and of inclusions, each.
  static let listLimit = 10_000

  static func read(_ path: String) throws(Failure) -> MatrixFile {
    let data = try CheckedJSON.read(
      path, called: "matrix", limit: byteLimit, remedy: "name a file with a matrix",
      refusal: { refusal(of: path, $0) })
    do {
      return try JSONDecoder().decode(MatrixFile.self, from: data)
    } catch {
      throw refusal(of: path, CheckedJSON.cause(of: error))
    }
  }

  static func refusal(of path: String, _ cause: String) -> Failure {
    Failure(.input, "cannot use matrix '\(path)'", cause: cause, remedy: "results/matrix.schema.json describes it")
  }

  private enum Key: String, CodingKey, CaseIterable { case schema, inputs, defaults, axes, exclude, include }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let schema = try container.decode(String.self, forKey: .schema)
    guard schema == Self.schema else {
      throw CheckedJSON.Refused(text: "its schema is '\(schema.prefix(40))', not '\(Self.schema)'")
    }
    try decoder.requireOnly(Key.self)
    inputs = try container.contains(.inputs) ? Self.inputs(container.nestedUnkeyedContainer(forKey: .inputs)) : nil
    defaults = try container.contains(.defaults) ? container.decode(Settings.self, forKey: .defaults).values : [:]
    axes = try container.contains(.axes) ? container.decode(Axes.self, forKey: .axes).values : [:]
    exclude = try Self.choices(container, .exclude)
    include = try Self.choices(container, .include)
  }

  private static func inputs(_ list: any UnkeyedDecodingContainer) throws -> [String] {
    var list = list
    var inputs: [String] = []
    while !list.isAtEnd {
      let place = CheckedJSON.place(list.codingPath)
      let input = try list.decode(String.self)
      guard !input.isEmpty, input != "-", input.utf8.count <= 4096, !input.utf8.contains(0) else {
        throw CheckedJSON.Refused(text: "\(place)[\(inputs.count)] is no path of a file and no URL")
      }
      guard inputs.count < listLimit else { throw CheckedJSON.Refused(text: "it has more than \(listLimit) inputs") }
      inputs.append(input)
    }
    guard !inputs.isEmpty else {
      throw CheckedJSON.Refused(text: "inputs is empty; without it the built-in clip is measured")
    }
    return inputs
  }

  private static func choices(_ container: KeyedDecodingContainer<Key>, _ key: Key) throws -> [Choice] {
    guard container.contains(key) else { return [] }
    let choices = try container.decode([Settings].self, forKey: key)
    guard choices.count <= listLimit else {
      throw CheckedJSON.Refused(text: "\(key.rawValue) has more than \(listLimit) entries")
    }
    return try choices.enumerated().map { index, choice in
      guard choice.input != nil || !choice.values.isEmpty else {
        throw CheckedJSON.Refused(text: "\(key.rawValue)[\(index)] is empty")
      }
      return Choice(input: choice.input, settings: choice.values)
    }
  }
}

/// The name of a setting, or of the input.
private struct Name: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }

  /// Refuses an unknown name, listing the known ones.
  func setting(_ decoder: any Decoder, orInput: Bool) throws -> Setting {
    if let setting = Setting.named(stringValue) { return setting }
    let names = (orInput ? ["input"] : []) + Setting.allCases.map(\.name).sorted()
    throw CheckedJSON.Refused(
      text: "\(CheckedJSON.place(decoder.codingPath)) has an unknown key '\(stringValue.prefix(40))'; there are: "
        + names.joined(separator: ", "))
  }

  func value(_ value: MatrixValue, of setting: Setting, _ path: [any CodingKey]) throws -> String {
    guard setting.takes(value) else {
      throw CheckedJSON.Refused(text: "\(CheckedJSON.place(path)) is not \(setting.acceptedType)")
    }
    return value.written
  }
}

/// One value for each of some settings.
private struct Settings: Decodable {
  var input: String?
  var values: [String: String] = [:]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    // Only the lists may name an input; `defaults` is an object of its own.
    let isInList = decoder.codingPath.last?.intValue != nil
    for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      if isInList, key.stringValue == "input" {
        input = try container.decode(String.self, forKey: key)
        continue
      }
      let setting = try key.setting(decoder, orInput: isInList)
      values[key.stringValue] = try key.value(
        container.decode(MatrixValue.self, forKey: key), of: setting, decoder.codingPath + [key])
    }
  }
}

/// Several values for each of some settings.
private struct Axes: Decodable {
  var values: [String: [String]] = [:]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      let setting = try key.setting(decoder, orInput: false)
      let place = CheckedJSON.place(decoder.codingPath + [key])
      let list = try container.decode([MatrixValue].self, forKey: key)
      guard !list.isEmpty else { throw CheckedJSON.Refused(text: "\(place) has no values") }
      guard list.count <= MatrixFile.listLimit else {
        throw CheckedJSON.Refused(text: "\(place) has more than \(MatrixFile.listLimit) values")
      }
      let written = try list.map { try key.value($0, of: setting, decoder.codingPath + [key]) }
      var seen: Set<String> = []
      if let twice = written.first(where: { !seen.insert($0).inserted }) {
        throw CheckedJSON.Refused(text: "\(place) has '\(twice.prefix(40))' twice")
      }
      values[key.stringValue] = written
    }
  }
}
