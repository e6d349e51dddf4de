internal import CXML

/// Takes the elements of an XML text as they come.
package protocol XMLReader: AnyObject {
  /// The first mistake that the reader found. Reading stops there.
  var flaw: ManifestFlaw? { get }

  /// - Parameters:
  ///   - name: with its prefix.
  ///   - line: of the text, from 1.
  func begin(_ name: String, _ attributes: [String: String], line: Int)
  func end(_ name: String, line: Int)
  /// A part of an element's text.
  func add(_ text: String, line: Int)
}

/// Reads XML from servers, which are hostile: by libxml2's parser, which has limits of its own, but expands entities and compares each
/// attribute of an element with each.
package enum XMLText {
  /// Reads a text into a reader. Throws for a document type, with which entities come, for an encoding in which one could hide, for the
  /// reader's own flaw, and for text that is not well-formed.
  package static func read(_ bytes: [UInt8], into reader: any XMLReader) throws(ManifestFlaw) {
    let text = try checkPrologue(bytes)
    let parsing = Parsing(reader)
    let (isWhole, line) = withExtendedLifetime(parsing) { parsing.parse(text) }
    if let flaw = reader.flaw { throw flaw }
    guard isWhole else { throw ManifestFlaw("it is not well-formed XML", line: line) }
  }

  /// Gives the text with spaces in place of its XML declaration: packagers have empty lines before that, which are not allowed there.
  private static func checkPrologue(_ bytes: [UInt8]) throws(ManifestFlaw) -> [UInt8] {
    var text = bytes
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
      throw ManifestFlaw("it is not UTF-8 text")
    }
    var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    while true {
      rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
      if rest.starts(with: "<?".utf8) {
        guard let end = end(of: "?>", in: rest) else { throw ManifestFlaw("it is not well-formed XML") }
        if rest.starts(with: "<?xml".utf8) {
          try checkEncoding(rest[..<end])
          for index in Range(from: rest.startIndex, to: end) where bytes[index] != 0x0A { text[index] = 0x20 }
        }
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
    return text
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

/// One text on its way through libxml2.
private final class Parsing {
  private let reader: any XMLReader
  private var parser: OpaquePointer?

  init(_ reader: any XMLReader) { self.reader = reader }

  /// In pieces: given all at once, a text may not have more than 10 MB.
  private static let piece = 1 << 16

  /// Reads the text. Returns whether it is well-formed, and the number of the last line that was read.
  func parse(_ bytes: [UInt8]) -> (isWhole: Bool, line: Int) {
    let callbacks = bench_xml_reader(
      context: Unmanaged.passUnretained(self).toOpaque(),
      begin: { context, name, attributes in Parsing.of(context).begin(name, attributes) },
      end: { context, name in Parsing.of(context).end(name) },
      text: { context, text, count in Parsing.of(context).add(text, count) })
    guard let parser = bench_xml_open(callbacks) else { return (false, 1) }
    defer { bench_xml_close(parser) }
    self.parser = parser
    var (place, isWhole) = (0, true)
    while place < bytes.count, reader.flaw == nil, isWhole {
      let end = min(bytes.count, place + Self.piece)
      isWhole = bytes[Range(from: place, to: end)].withUnsafeBytes { part in
        bench_xml_parse(parser, part.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(part.count), 0) == 1
      }
      place = end
    }
    let line = self.line
    return (isWhole && bench_xml_parse(parser, nil, 0, 1) == 1, line)
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> Parsing {
    guard let pointer else { preconditionFailure("libxml2 hands on what it was given") }
    return Unmanaged<Parsing>.fromOpaque(pointer).takeUnretainedValue()
  }

  private var line: Int { parser.map { Int(bench_xml_line($0)) } ?? 1 }

  private func begin(_ name: UnsafePointer<CChar>?, _ list: UnsafePointer<UnsafePointer<CChar>?>?) {
    guard let name, reader.flaw == nil else { return }
    var attributes: [String: String] = [:]
    var place = 0
    while let key = list?[place] {
      attributes[String(cString: key)] = list?[place + 1].map { String(cString: $0) } ?? ""
      place += 2
    }
    reader.begin(String(cString: name), attributes, line: line)
    stopIfFlawed()
  }

  private func end(_ name: UnsafePointer<CChar>?) {
    guard let name, reader.flaw == nil else { return }
    reader.end(String(cString: name), line: line)
    stopIfFlawed()
  }

  private func add(_ text: UnsafePointer<CChar>?, _ count: Int32) {
    guard let text, reader.flaw == nil else { return }
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
    reader.add(String(decoding: bytes, as: UTF8.self), line: line)
    stopIfFlawed()
  }

  private func stopIfFlawed() {
    if reader.flaw != nil, let parser { bench_xml_stop(parser) }
  }
}
