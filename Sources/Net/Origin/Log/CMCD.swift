import NIOHTTP1

/// Common media client data (CTA-5004): keys that a player sends with its requests.
enum CMCD {
  private static let headers = ["CMCD-Object", "CMCD-Request", "CMCD-Session", "CMCD-Status"]
  private static let byteLimit = 4096
  private static let keyLimit = 64

  /// The keys of a request, from its query or, where that has none, from its fields; nil where there are none.
  ///
  /// Text beyond 4 KiB and keys beyond 64 are ignored.
  static func keys(query: Substring?, fields: HTTPHeaders) -> [String: String]? {
    let inQuery = query?.split(separator: "&").first { $0.hasPrefix("CMCD=") }
    let text =
      inQuery.flatMap { percentDecoded($0.dropFirst("CMCD=".count)) }
      ?? headers.flatMap { fields[$0] }.joined(separator: ",")
    let keys = parse(text)
    return keys.isEmpty ? nil : keys
  }

  /// `br=3200,bs,sid="a,b"`: separated by commas outside quotes.
  private static func parse(_ text: String) -> [String: String] {
    var keys: [String: String] = [:]
    var rest = text.utf8.prefix(byteLimit)
    while !rest.isEmpty, keys.count < keyLimit {
      var (isQuoted, isEscaped) = (false, false)
      let pair = rest.prefix { byte in
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = isQuoted
        } else if byte == UInt8(ascii: "\"") {
          isQuoted.toggle()
        }
        return isQuoted || byte != UInt8(ascii: ",")
      }
      rest = rest.dropFirst(pair.count + 1)
      let sides = String(decoding: pair, as: UTF8.self).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = sides.first?.trimmingBlanks, !key.isEmpty else { continue }
      keys[String(key)] = sides.count > 1 ? unquoted(sides[1].trimmingBlanks) : "true"
    }
    return keys
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
    return String(text.dropFirst().dropLast().replacing("\\\"", with: "\"").replacing("\\\\", with: "\\"))
  }
}
