/// JSON, written a value at a time. Pure.
enum EventJSON {
  static func string(_ text: String) -> String {
    var output = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": output += "\\" + String(scalar)
      case "\n": output += "\\n"
      case ..." ":
        let digits = String(scalar.value, radix: 16)
        output += scalar == " " ? " " : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output + "\""
  }

  /// To a thousandth; null for what is no number.
  static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "null" }
    let rounded = (value * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? String(Int64(rounded)) : String(rounded)
  }

  static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { string($0.0) + ":" + $0.1 }.joined(separator: ",") + "}"
  }

  static func array(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }
}
