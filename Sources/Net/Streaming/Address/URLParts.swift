/// The parts of a URL reference by RFC 3986 appendix B, without its fragment; nil where a part is absent.
struct URLParts {
  /// In lower case.
  var scheme: [UInt8]?
  var authority: [UInt8]?
  var path: [UInt8]
  var query: [UInt8]?

  /// Any text has parts: text that is not a scheme belongs to the path.
  init(_ text: ArraySlice<UInt8>) {
    var rest = text.prefix { $0 != UInt8(ascii: "#") }
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), let first = rest.first, Self.isLetter(first),
      rest[..<colon].allSatisfy(Self.isOfScheme)
    {
      scheme = rest[..<colon].map { Self.isLetter($0) ? $0 | 0x20 : $0 }
      rest = rest[(colon + 1)...]
    }
    if rest.starts(with: "//".utf8) {
      let host = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      authority = Array(host)
      rest = rest[host.endIndex...]
    }
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    self.path = Array(path)
    if path.endIndex < rest.endIndex { query = Array(rest[(path.endIndex + 1)...]) }
  }

  /// Scheme and authority.
  var origin: [UInt8] {
    var bytes: [UInt8] = []
    if let scheme { bytes += scheme + [UInt8(ascii: ":")] }
    if let authority { bytes += Array("//".utf8) + authority }
    return bytes
  }

  var bytes: [UInt8] {
    var bytes = origin + path
    if let query { bytes += [UInt8(ascii: "?")] + query }
    return bytes
  }

  /// RFC 3986 §5.2.4: no segment `.` or `..` is left, also where they are percent-encoded.
  static func withoutDots(_ path: [UInt8]) -> [UInt8] {
    guard path.contains(UInt8(ascii: ".")) || path.contains(UInt8(ascii: "%")) else { return path }
    let isAbsolute = path.first == UInt8(ascii: "/")
    let segments = (isAbsolute ? path.dropFirst() : path[...]).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var kept: [ArraySlice<UInt8>] = []
    for (index, segment) in segments.enumerated() {
      let dots = dots(segment)
      if dots == 0 {
        kept.append(segment)
        continue
      }
      if dots == 2, !kept.isEmpty { kept.removeLast() }
      // A folder: its slash stays.
      if index == segments.count - 1 { kept.append([]) }
    }
    return (isAbsolute ? [UInt8(ascii: "/")] : []) + kept.joined(separator: [UInt8(ascii: "/")])
  }

  /// 1 or 2 for a segment of that many dots, else 0.
  private static func dots(_ segment: ArraySlice<UInt8>) -> Int {
    guard segment.count <= 6 else { return 0 }
    var rest = segment
    var count = 0
    while let first = rest.first {
      if first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
      } else if rest.starts(with: "%2E".utf8) || rest.starts(with: "%2e".utf8) {
        rest = rest.dropFirst(3)
      } else {
        return 0
      }
      count += 1
    }
    return count <= 2 ? count : 0
  }

  /// Whether an authority holds a host in the characters of RFC 3986, and a port of digits if any.
  static func namesHost(_ authority: [UInt8]) -> Bool {
    let place = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority[...]
    var host = place
    if place.first == UInt8(ascii: "[") {
      guard let end = place.firstIndex(of: UInt8(ascii: "]")) else { return false }
      host = place[...end]
      guard host.count > 2, host.dropFirst().dropLast().allSatisfy({ isOfAddress($0) }) else { return false }
    } else {
      host = place.prefix { $0 != UInt8(ascii: ":") }
      guard !host.isEmpty, host.allSatisfy({ isOfHost($0) }) else { return false }
    }
    let port = place[host.endIndex...]
    guard let colon = port.first else { return true }
    let digits = port.dropFirst()
    return colon == UInt8(ascii: ":") && digits.count <= 5 && digits.allSatisfy { (0x30...0x39).contains($0) }
      && (Decimal64.integer(digits) ?? 0) <= 65_535
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) && byte < 0x80 }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isOfScheme(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte)
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "-._~!$&'()*+,;=".utf8.contains(byte)
  }

  private static func isOfAddress(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || ":.".utf8.contains(byte) }
}
