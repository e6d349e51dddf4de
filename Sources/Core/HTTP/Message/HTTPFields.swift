/// The header fields of a request or a response, in order. Descriptions name them without their values.
public struct HTTPFields: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  private var fields: [Field] = []

  private struct Field: Sendable, Hashable {
    let name: String
    let value: String
  }

  public init() {}

  /// Throws `.badRequest` for a name that is no token of RFC 9110, and for a value with a line's end.
  public mutating func append(_ name: String, _ value: String) throws(HTTPProblem) {
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte),
      !value.utf8.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F })
    else {
      throw HTTPProblem(.badRequest, "the header field '\(name.prefix(60))' is not well-formed")
    }
    fields.append(Field(name: name, value: value))
  }

  /// As a server sent them: not checked.
  mutating func append(received name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

  mutating func removeAll() { fields.removeAll(keepingCapacity: true) }

  /// The first value of a name, in any case of letters.
  public subscript(name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }

  public func contains(_ name: String) -> Bool { self[name] != nil }

  public var count: Int { fields.count }
  public var names: [String] { fields.map(\.name) }

  /// As lines of a request, for the origin that they were given for, or for another one.
  func lines(forOtherOrigin: Bool) -> [String] {
    fields.filter { !forOtherOrigin || Self.harmless.contains($0.name.lowercased()) }
      // libcurl takes a name and a colon as the wish to leave the field out.
      .map { $0.value.isEmpty ? $0.name + ";" : $0.name + ": " + $0.value }
  }

  /// Fields that hold no credentials: all others go to the origin that they were given for only.
  private static let harmless: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "if-match", "if-modified-since",
    "if-none-match", "if-range", "if-unmodified-since", "pragma", "user-agent",
    "cmcd-object", "cmcd-request", "cmcd-session", "cmcd-status",
  ]

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  public var description: String { "[" + names.map { $0 + ": …" }.joined(separator: ", ") + "]" }
  public var customMirror: Mirror { Mirror(self, children: ["names": names]) }
}
