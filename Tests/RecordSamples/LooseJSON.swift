import Foundation
import Support

/// A JSON value whose numbers are text: any number can stand in it, also one that no type of Swift holds.
package indirect enum LooseJSON {
  case object([(key: String, value: LooseJSON)])
  case array([LooseJSON])
  case text(String)
  /// A number, true, false or null as it is written.
  case word(String)

  package init(_ data: Data) throws {
    self.init(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
  }

  private init(_ value: Any) {
    switch value {
    case let object as [String: Any]:
      self = .object(object.sorted { $0.key < $1.key }.map { ($0.key, LooseJSON($0.value)) })
    case let array as [Any]: self = .array(array.map { LooseJSON($0) })
    case let text as String: self = .text(text)
    case is NSNull: self = .word("null")
    case let number as NSNumber: self = .word(number.isBoolean ? (number.boolValue ? "true" : "false") : "\(number)")
    default: self = .word("null")
    }
  }

  package var source: String {
    switch self {
    case .object(let members):
      "{" + members.map { "\(Self.quoted($0.key)):\($0.value.source)" }.joined(separator: ",") + "}"
    case .array(let values): "[" + values.map(\.source).joined(separator: ",") + "]"
    case .text(let text): Self.quoted(text)
    case .word(let word): word
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : scalar.value < 32 ? " " : "\(scalar)"
    }
    return "\"\(escaped.joined())\""
  }

  /// How many values it has, itself among them.
  package var count: Int {
    switch self {
    case .object(let members): members.reduce(1) { $0 + $1.value.count }
    case .array(let values): values.reduce(1) { $0 + $1.count }
    case .text, .word: 1
    }
  }

  /// The same with every array of numbers cut to so many.
  package func cut(to length: Int) -> LooseJSON {
    switch self {
    case .object(let members): .object(members.map { ($0.key, $0.value.cut(to: length)) })
    case .array(let values): .array(values.prefix(length).map { $0.cut(to: length) })
    case .text, .word: self
    }
  }

  /// Puts another value in the place of the `number`-th.
  package mutating func change(at number: Int, _ body: (LooseJSON) -> LooseJSON?) {
    var left = number
    self = changed(&left, body) ?? .word("null")
  }

  private func changed(_ left: inout Int, _ body: (LooseJSON) -> LooseJSON?) -> LooseJSON? {
    if left == 0 {
      left = -1
      return body(self)
    }
    guard left > 0 else { return self }
    left -= 1
    switch self {
    case .object(let members):
      return .object(members.compactMap { member in member.value.changed(&left, body).map { (member.key, $0) } })
    case .array(let values): return .array(values.compactMap { $0.changed(&left, body) })
    case .text, .word: return self
    }
  }
}

extension NSNumber {
  fileprivate var isBoolean: Bool { String(cString: objCType) == "c" }
}

extension LooseJSON {
  /// Numbers that arithmetic does not expect.
  package static let extremes = [
    "0", "-0", "-1", "1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
    "4611686018427387904", "2147483647", "-2147483648", "4294967296", "1e308", "-1e308", "1.7976931348623157e308",
    "5e-324", "-5e-324", "1e-300", "-1e25", "1e12", "1e15", "1e25", "1e100", "0.1", "-0.5", "1e5", "1000000",
  ]

  /// Changes from one value to six: extreme numbers, other types, keys that are missing, arrays that are empty or long.
  package mutating func mutate(using random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: 0..<count, using: &random)
      change(at: place) { $0.mutated(using: &random) }
    }
  }

  private func mutated(using random: inout SeededGenerator) -> LooseJSON? {
    let extreme = LooseJSON.word(Self.extremes.randomElement(using: &random) ?? "0")
    switch self {
    case .word:
      // Mostly numbers, for other types end the reading.
      switch Int.random(in: 0..<20, using: &random) {
      case 0: return .word("null")
      case 1: return .text("x")
      case 2: return nil
      default: return extreme
      }
    case .text(let text):
      let others = [
        "", "play", "pipeline", "samples", "\u{301}", "9e99", "nan", String(repeating: "a", count: 300), text,
      ]
      return .text(others.randomElement(using: &random) ?? "")
    case .array(let values):
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return .array([])
      case 1: return .array(Array(values.prefix(1)))
      case 2: return .array(values + values)
      case 3: return .array(values.reversed())
      case 4: return .array(values.map { _ in extreme })
      case 5: return .array(values.isEmpty ? values : (0..<120).map { values[$0 % values.count] })
      default:
        return .array(
          values.map { value in
            if case .word = value { return .word(Self.extremes.randomElement(using: &random) ?? "0") }
            return value
          })
      }
    case .object(let members):
      guard let member = members.indices.randomElement(using: &random) else { return extreme }
      var members = members
      switch Int.random(in: 0..<4, using: &random) {
      case 0: members.remove(at: member)
      case 1: members[member].value = extreme
      case 2:
        // Every number below at once.
        members = members.map { key, value in
          if case .word = value { return (key, extreme) }
          return (key, value)
        }
      default: members.append((members[member].key + "x", members[member].value))
      }
      return .object(members)
    }
  }
}
