import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Refuses or removes input that breaks Foundation's XML parser: it traps on text that is not UTF-8 and on processing
/// instructions without data, and libxml2 below it expands entities and compares each attribute of an element with
/// each.
package enum XMLGuard {
  /// Reads a text into a delegate. Throws what `checked` does, the delegate's own flaw, and for text that is not well-formed.
  ///
  /// - Parameters:
  ///   - delegate: ends the reading by `abortParsing`.
  ///   - outcome: asked once at the end: what the delegate found wrong, and whether it has a root.
  package static func read(
    _ bytes: [UInt8], _ delegate: any XMLParserDelegate, outcome: () -> (flaw: ManifestFlaw?, hasRoot: Bool)
  ) throws(ManifestFlaw) {
    // From a stream: given all at once, libxml2 refuses more than 10 MB, and Foundation overlooks what is wrong at the
    // end.
    let parser = XMLParser(stream: InputStream(data: Data(try checked(bytes))))
    (parser.shouldProcessNamespaces, parser.shouldResolveExternalEntities) = (false, false)
    parser.delegate = delegate
    let isWhole = parser.parse()
    let (flaw, hasRoot) = outcome()
    if let flaw { throw flaw }
    guard isWhole, parser.parserError == nil, hasRoot else {
      throw ManifestFlaw("it is not well-formed XML", line: max(1, parser.lineNumber))
    }
  }

  /// The text with spaces in place of comments and processing instructions, so that lines keep their numbers.
  ///
  /// Throws for a document type, for an encoding in which one could hide, and for text that is no XML.
  static func checked(_ bytes: [UInt8]) throws(ManifestFlaw) -> [UInt8] {
    try checkPrologue(bytes)
    return try withoutComments(bytes)
  }

  private static func checkPrologue(_ bytes: [UInt8]) throws(ManifestFlaw) {
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
      throw ManifestFlaw("it is not UTF-8 text")
    }
    var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    while true {
      rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
      if rest.starts(with: "<?".utf8) {
        guard let end = end(of: "?>", in: rest) else { throw ManifestFlaw("it is not well-formed XML") }
        if rest.starts(with: "<?xml".utf8) { try checkEncoding(rest[..<end]) }
        rest = rest[end...]
      } else if rest.starts(with: "<!--".utf8) {
        guard let end = end(of: "-->", in: rest.dropFirst(4)) else { throw ManifestFlaw("it is not well-formed XML") }
        rest = rest[end...]
      } else {
        break
      }
    }
    guard !rest.starts(with: "<!".utf8) else {
      throw ManifestFlaw("it declares a document type, with which entities come")
    }
    guard rest.first == UInt8(ascii: "<") else { throw ManifestFlaw("it is not XML") }
    try checkAttributeCount(rest)
  }

  private static func withoutComments(_ bytes: [UInt8]) throws(ManifestFlaw) -> [UInt8] {
    var result = bytes
    var position = 0
    while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = bytes[open...]
      var end: Int?
      if rest.starts(with: "<![CDATA[".utf8) {
        position = self.end(of: "]]>", in: rest) ?? bytes.count
        continue
      } else if rest.starts(with: "<!--".utf8) {
        end = self.end(of: "-->", in: rest.dropFirst(4))
      } else if rest.starts(with: "<?".utf8) {
        end = self.end(of: "?>", in: rest)
      } else {
        position = open + 1
        continue
      }
      guard let end else { throw ManifestFlaw("it is not well-formed XML") }
      for index in Range(from: open, to: end) where bytes[index] != 0x0A { result[index] = 0x20 }
      position = end
    }
    return result
  }

  /// Thousands of attributes in one element take minutes. None holds a `<`, so that they stand between two.
  private static func checkAttributeCount(_ text: ArraySlice<UInt8>) throws(ManifestFlaw) {
    var count = 0
    for byte in text {
      if byte == UInt8(ascii: "<") {
        count = 0
      } else if byte == UInt8(ascii: "=") {
        count += 1
        guard count <= 1_000 else { throw ManifestFlaw("an element has more than 1000 attributes") }
      }
    }
  }

  private static func end(of mark: StaticString, in text: ArraySlice<UInt8>) -> Int? {
    let mark = Array(mark.description.utf8)
    var position = text.startIndex
    while position + mark.count <= text.endIndex {
      if text[position] == mark[0], text[Range(from: position, to: position + mark.count)].elementsEqual(mark) {
        return position + mark.count
      }
      position += 1
    }
    return nil
  }

  /// Only encodings that the check for UTF-8 holds for.
  private static func checkEncoding(_ declaration: ArraySlice<UInt8>) throws(ManifestFlaw) {
    let text = String(decoding: declaration.prefix(1_024), as: UTF8.self).lowercased()
    guard let range = text.firstRange(of: "encoding") else { return }
    let value = text[range.upperBound...].drop { $0 != "\"" && $0 != "'" }.dropFirst().prefix {
      $0 != "\"" && $0 != "'"
    }
    guard ["utf-8", "utf8", "us-ascii"].contains(String(value)) else {
      throw ManifestFlaw("its encoding '\(value.prefix(20))' is not UTF-8")
    }
  }
}
