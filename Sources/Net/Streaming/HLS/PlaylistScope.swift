import Frames

/// Variables of a playlist (`EXT-X-DEFINE`), for media playlists that import them.
public struct PlaylistVariables: Sendable, Hashable {
  package var values: [String: String] = [:]

  public init() {}
}

/// The context of a playlist's lines: its address, its variables, and the budget for its URLs.
package struct PlaylistScope {
  package let address: StreamAddress
  private let resolver: AddressResolver
  private var budget = ManifestBudget()
  private(set) var variables = PlaylistVariables()
  /// Before the first definition a `{$` is plain text.
  private var hasVariables = false

  package init(_ address: StreamAddress) {
    self.address = address
    resolver = AddressResolver(address)
  }

  /// Resolves a URI of a line, its variables replaced.
  package mutating func resolve(_ reference: ArraySlice<UInt8>, line: Int) throws(ManifestFlaw) -> StreamAddress {
    let text = try substituted(reference, line: line)
    let resolved: StreamAddress
    do {
      resolved = try resolver.resolve(text)
    } catch {
      let shown = String(decoding: text.prefix(80), as: UTF8.self)
      throw ManifestFlaw("'\(shown)' is not opened: \(error.cause)", line: line)
    }
    do {
      try budget.spend(resolved)
    } catch {
      throw ManifestFlaw(error.cause, line: line)
    }
    return resolved
  }

  /// As `resolve`, for the attribute `name`; nil where the tag has none.
  package mutating func resolve(_ list: AttributeList, _ name: StaticString) throws(ManifestFlaw) -> StreamAddress? {
    guard let raw = list.raw(name), !raw.isEmpty else { return nil }
    return try resolve(raw, line: list.line)
  }

  /// Replaces `{$name}`. Throws for a variable that is not defined, and where the text grows beyond the limit.
  package func substituted(_ text: ArraySlice<UInt8>, line: Int) throws(ManifestFlaw) -> ArraySlice<UInt8> {
    guard hasVariables, text.contains(UInt8(ascii: "{")) else { return text }
    var result: [UInt8] = []
    var rest = text
    while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
      result += rest[..<open]
      guard open + 1 < rest.endIndex, rest[open + 1] == UInt8(ascii: "$"),
        let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
      else {
        result.append(rest[open])
        rest = rest[(open + 1)...]
        continue
      }
      let name = String(decoding: rest[Range(from: open + 2, to: close)], as: UTF8.self)
      guard let value = variables.values[name] else {
        throw ManifestFlaw("the variable '\(name.prefix(40))' is not defined", line: line)
      }
      result += value.utf8
      guard result.count <= ManifestLimits.addressLength else {
        throw ManifestFlaw("a text with variables is longer than \(ManifestLimits.addressLength) bytes", line: line)
      }
      rest = rest[(close + 1)...]
    }
    return (result + rest)[...]
  }

  /// Reads `EXT-X-DEFINE`. `imported`: the variables of the multivariant playlist; nil in that playlist itself.
  package mutating func define(_ list: AttributeList, imported: PlaylistVariables?) throws(ManifestFlaw) {
    let (name, value): (String, String)
    if let own = list.word("NAME") {
      guard let text = list.raw("VALUE") else { throw list.flaw("VALUE is missing") }
      (name, value) = (own, String(decoding: try substituted(text, line: list.line), as: UTF8.self))
    } else if let query = list.word("QUERYPARAM") {
      guard let found = address.queryValue(query.utf8), !found.isEmpty else {
        throw list.flaw("the URL of the playlist has no query parameter '\(query.prefix(40))'")
      }
      (name, value) = (query, String(decoding: found, as: UTF8.self))
    } else if let taken = list.word("IMPORT") {
      guard let found = imported?.values[taken] else {
        throw list.flaw("the multivariant playlist defines no '\(taken.prefix(40))'")
      }
      (name, value) = (taken, found)
    } else {
      throw list.flaw("neither NAME, IMPORT nor QUERYPARAM is there")
    }
    guard variables.values[name] == nil else { throw list.flaw("'\(name.prefix(40))' is defined twice") }
    guard variables.values.count < 1_000, value.utf8.count <= ManifestLimits.addressLength else {
      throw list.flaw("its variables are too many or too long")
    }
    variables.values[name] = value
    hasVariables = true
  }

  /// `LENGTH` or `LENGTH@OFFSET`.
  package static func byteRange(_ text: ArraySlice<UInt8>) -> (length: Int64, offset: Int64?)? {
    let parts = text.split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let length = Decimal64.integer(parts[0]) else { return nil }
    guard parts.count == 2 else { return (length, nil) }
    guard let offset = Decimal64.integer(parts[1]) else { return nil }
    return (length, offset)
  }
}
