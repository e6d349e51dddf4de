import Frames

/// The attributes of one tag (RFC 8216 §4.2), as slices of the playlist.
package struct AttributeList {
  private struct Attribute {
    let name: ArraySlice<UInt8>
    let value: ArraySlice<UInt8>
    let isQuoted: Bool
  }

  private var attributes: [Attribute] = []
  package let tag: PlaylistTag
  package let line: Int

  /// Throws for text that is no list of `NAME=value`, and for too many of them.
  package init(_ text: ArraySlice<UInt8>, tag: PlaylistTag, line: Int) throws(ManifestFlaw) {
    self.tag = tag
    self.line = line
    var rest = text
    while true {
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
      guard !rest.isEmpty else { return }
      let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") }
      guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: "=") else {
        throw flaw("an attribute has no value")
      }
      rest = rest[(name.endIndex + 1)...]
      let isQuoted = rest.first == UInt8(ascii: "\"")
      if isQuoted { rest = rest.dropFirst() }
      let end = rest.firstIndex(of: isQuoted ? UInt8(ascii: "\"") : UInt8(ascii: ","))
      if isQuoted, end == nil { throw flaw("a quoted text has no end") }
      let value = rest[..<(end ?? rest.endIndex)]
      attributes.append(
        Attribute(name: Self.trimmed(name), value: isQuoted ? value : Self.trimmed(value), isQuoted: isQuoted))
      guard attributes.count <= ManifestLimits.attributeCount else {
        throw flaw("it has more than \(ManifestLimits.attributeCount) attributes")
      }
      rest = rest[(end.map { isQuoted ? $0 + 1 : $0 } ?? rest.endIndex)...]
    }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text
    while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
    return text
  }

  package func flaw(_ cause: String) -> ManifestFlaw { ManifestFlaw("#\(tag.rawValue): \(cause)", line: line) }

  /// The first attribute of the name, as it is written.
  package func raw(_ name: StaticString) -> ArraySlice<UInt8>? { attribute(name)?.value }

  private func attribute(_ name: StaticString) -> Attribute? {
    attributes.first { attribute in
      attribute.name.count == name.utf8CodeUnitCount && attribute.name.elementsEqual(name.description.utf8)
    }
  }

  /// A text, quoted or not, its variables replaced; nil where there is none or it is empty.
  package func text(_ name: StaticString, _ scope: PlaylistScope) throws(ManifestFlaw) -> String? {
    guard let attribute = attribute(name), !attribute.value.isEmpty else { return nil }
    let value = try scope.substituted(attribute.value, line: line)
    return String(decoding: value, as: UTF8.self)
  }

  /// As `text`, for an attribute that the tag must have.
  package func required(_ name: StaticString, _ scope: PlaylistScope) throws(ManifestFlaw) -> String {
    guard let text = try text(name, scope) else { throw flaw("\(name) is missing") }
    return text
  }

  /// A word that is not quoted. Some servers quote it; that is accepted.
  package func word(_ name: StaticString) -> String? { raw(name).map { String(decoding: $0, as: UTF8.self) } }

  /// `YES`; anything else is no.
  package func isYes(_ name: StaticString) -> Bool { raw(name)?.elementsEqual("YES".utf8) ?? false }

  /// A decimal integer; nil where there is none. Throws for other text, and beyond 2⁶².
  package func integer(_ name: StaticString) throws(ManifestFlaw) -> Int64? {
    guard let raw = raw(name) else { return nil }
    guard let value = Decimal64.integer(raw) else { throw flaw("\(name) is not a number") }
    return value
  }

  /// A decimal number of seconds; nil where there is none.
  package func seconds(_ name: StaticString) throws(ManifestFlaw) -> MediaTime? {
    guard let raw = raw(name) else { return nil }
    guard let value = Decimal64.seconds(raw) else { throw flaw("\(name) is not a number of seconds") }
    return MediaTime(nanoseconds: value)
  }

  /// As `seconds`, with a sign.
  package func signedSeconds(_ name: StaticString) throws(ManifestFlaw) -> MediaTime? {
    guard let raw = raw(name), raw.first == UInt8(ascii: "-") else { return try seconds(name) }
    guard let value = Decimal64.seconds(raw.dropFirst()) else { throw flaw("\(name) is not a number of seconds") }
    return MediaTime(nanoseconds: -value)
  }

  /// `640x360`; nil where there is none.
  package func resolution(_ name: StaticString) throws(ManifestFlaw) -> (width: Int, height: Int)? {
    guard let raw = raw(name) else { return nil }
    let parts = raw.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Decimal64.integer(parts[0]), let height = Decimal64.integer(parts[1]),
      width <= 65_536, height <= 65_536
    else { throw flaw("\(name) is not a size as 640x360") }
    return (Int(width), Int(height))
  }

  /// `0x` and up to 32 hexadecimal digits; nil where there is none.
  package func vector(_ name: StaticString) throws(ManifestFlaw) -> InitializationVector? {
    guard let raw = raw(name) else { return nil }
    let digits = raw.dropFirst(2)
    var vector = InitializationVector(high: 0, low: 0)
    guard raw.starts(with: "0x".utf8) || raw.starts(with: "0X".utf8), (1...32).contains(digits.count) else {
      throw flaw("\(name) is not 0x and 32 hexadecimal digits")
    }
    for byte in digits {
      guard byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw flaw("\(name) is not 0x and 32 hexadecimal digits")
      }
      vector.high = vector.high << 4 | vector.low >> 60
      vector.low = vector.low << 4 | UInt64(digit)
    }
    return vector
  }

  /// `LENGTH` or `LENGTH@OFFSET`; nil where there is none.
  package func byteRange(_ name: StaticString) throws(ManifestFlaw) -> (length: Int64, offset: Int64?)? {
    guard let raw = raw(name) else { return nil }
    guard let range = PlaylistScope.byteRange(raw) else { throw flaw("\(name) is not LENGTH@OFFSET") }
    return range
  }

  /// The names and texts of all attributes that begin with `prefix`.
  package func all(withPrefix prefix: StaticString) -> [(name: String, value: String)] {
    attributes.filter { $0.name.starts(with: prefix.description.utf8) }
      .map { (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self)) }
  }
}
