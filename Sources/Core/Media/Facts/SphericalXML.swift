/// The elements of Google's Spherical Video V1 (RDF/XML, `GSpherical:*`) that say how a picture covers the sphere.
///
/// No XML parser: it looks for the elements by name, resolves no entities, and passes once over the text, of which it
/// takes the first 64 KiB. Comments and CDATA are skipped; of an element that is there twice the first counts.
struct SphericalXML: Sendable {
  enum Field: String, CaseIterable {
    case spherical = "Spherical"
    case stitched = "Stitched"
    case projection = "ProjectionType"
    case stereo = "StereoMode"
    case croppedWidth = "CroppedAreaImageWidthPixels"
    case croppedHeight = "CroppedAreaImageHeightPixels"
    case left = "CroppedAreaLeftPixels"
    case top = "CroppedAreaTopPixels"
    case fullWidth = "FullPanoWidthPixels"
    case fullHeight = "FullPanoHeightPixels"
    case heading = "InitialViewHeadingDegrees"
    case pitch = "InitialViewPitchDegrees"
    case roll = "InitialViewRollDegrees"
  }

  static let byteLimit = 1 << 16
  private static let valueLimit = 64
  private(set) var values: [Field: String] = [:]

  /// Nil when there is no element of V1 in it.
  init?(_ text: [UInt8]) {
    var scanner = Scanner(text: text.prefix(Self.byteLimit))
    while let name = scanner.nextElement() {
      guard name.starts(with: Self.prefix),
        let field = Field(rawValue: String(decoding: name.dropFirst(Self.prefix.count), as: UTF8.self)),
        values[field] == nil, let value = scanner.content(), value.count <= Self.valueLimit
      else { continue }
      values[field] = String(decoding: value, as: UTF8.self)
    }
    if values.isEmpty { return nil }
  }

  private static let prefix = Array("GSpherical:".utf8)

  /// Whether the element says `true`; nil when it is not there.
  func truth(_ field: Field) -> Bool? { values[field].map { $0.lowercased() == "true" } }

  /// The element's number; nil when it is not there or is none.
  func number(_ field: Field) -> Double? {
    values[field].flatMap { Double($0) }.flatMap { $0.isFinite && abs($0) <= 1e9 ? $0 : nil }
  }
}

/// Goes over markup from its start to its end, never back.
private struct Scanner {
  let text: ArraySlice<UInt8>
  private var position: Int

  init(text: ArraySlice<UInt8>) {
    self.text = text
    position = text.startIndex
  }

  /// The name in the next opening tag; nil at the end. What is no element is passed over.
  mutating func nextElement() -> ArraySlice<UInt8>? {
    while let open = text[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = open + 1
      if skip("!--", to: "-->") || skip("![CDATA[", to: "]]>") { continue }
      let name = text[position...].prefix { !Self.endsName($0) }
      position = name.endIndex
      if let first = name.first, !"/!?".utf8.contains(first) { return name }
    }
    return nil
  }

  /// The text between the tag that was just named and the next one, without blanks around it; nil for an empty tag.
  mutating func content() -> ArraySlice<UInt8>? {
    guard let close = text[position...].firstIndex(of: UInt8(ascii: ">")) else {
      position = text.endIndex
      return nil
    }
    let isEmpty = close > text.startIndex && text[close - 1] == UInt8(ascii: "/")
    position = close + 1
    if isEmpty { return nil }
    let value = text[position...].prefix { $0 != UInt8(ascii: "<") }
    position = value.endIndex
    guard let first = value.firstIndex(where: { !Self.isBlank($0) }),
      let last = value.lastIndex(where: { !Self.isBlank($0) })
    else { return nil }
    return value[ClosedRange(from: first, through: last)]
  }

  /// Passes over what begins with `start`, up to and with `end`, or to the end of the text where there is none.
  private mutating func skip(_ start: String, to end: String) -> Bool {
    guard text[position...].starts(with: start.utf8) else { return false }
    let end = Array(end.utf8)
    position += start.utf8.count
    while position < text.endIndex, !text[position...].starts(with: end) { position += 1 }
    position = min(position + end.count, text.endIndex)
    return true
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
  private static func endsName(_ byte: UInt8) -> Bool { isBlank(byte) || "/><".utf8.contains(byte) }
}
