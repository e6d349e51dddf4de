/// The keys of one request, and their text as CTA-5004 writes it: in alphabetical order, separated by commas; strings in quotes, tokens and
/// numbers without, true as the key alone.
package struct CMCDReport: Sendable, Hashable {
  /// Not among them: `pr` and `v`, whose values are always the defaults, which are not sent.
  package enum Key: String, Sendable, Hashable, CaseIterable {
    case bl, br, bs, cid, d, dl, mtp, nor, nrr, ot, rtp, sf, sid, st, su, tb

    /// The field that holds it.
    package var field: String {
      switch self {
      case .br, .d, .ot, .tb: "CMCD-Object"
      case .bl, .dl, .mtp, .nor, .nrr, .su: "CMCD-Request"
      case .cid, .sf, .sid, .st: "CMCD-Session"
      case .bs, .rtp: "CMCD-Status"
      }
    }
  }

  package enum Value: Sendable, Hashable {
    case integer(Int)
    case token(String)
    case text(String)
    /// False is not sent.
    case isTrue
  }

  package let mode: CMCDOptions.Mode
  private(set) var values: [Key: Value] = [:]

  package init(_ mode: CMCDOptions.Mode) { self.mode = mode }

  package subscript(key: Key) -> Value? {
    get { values[key] }
    set { values[key] = newValue }
  }

  /// Header fields in the order of their names; none where the query has the keys.
  package var fields: [(name: String, value: String)] {
    guard mode == .headers else { return [] }
    return Set(values.keys.map(\.field)).sorted().map { name in (name, text { $0.field == name }) }
  }

  /// The URL with the keys in its query, where they belong there.
  package func address(_ url: String) -> String {
    guard mode == .query else { return url }
    return url + (url.contains("?") ? "&" : "?") + "CMCD=" + text { _ in true }.percentEncoded()
  }

  private func text(_ isIncluded: (Key) -> Bool) -> String {
    values.filter { isIncluded($0.key) }.sorted { $0.key.rawValue < $1.key.rawValue }.map { key, value in
      switch value {
      case .integer(let number): "\(key.rawValue)=\(number)"
      case .token(let word): "\(key.rawValue)=\(word)"
      case .text(let text): "\(key.rawValue)=\"\(Self.escaped(text))\""
      case .isTrue: key.rawValue
      }
    }.joined(separator: ",")
  }

  /// As a string of structured fields (RFC 8941): printable ASCII.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\", "\"": "\\\(scalar)"
      case " "..."~": "\(scalar)"
      default: "\(scalar)".percentEncoded()
      }
    }.joined()
  }
}
