/// Resolves the references of one resource. The base is parsed once, so that a plain file name costs one concatenation.
struct AddressResolver {
  /// The reason why a reference cannot be opened.
  struct Refusal: Error {
    let cause: String
  }

  private let base: URLParts
  private let root: String?
  /// Scheme, authority and path up to the last `/`.
  private let folder: [UInt8]

  init(_ address: StreamAddress) {
    let parts = URLParts(Array(address.text.utf8)[...])
    base = parts
    root = address.root
    folder = parts.origin + (parts.path.lastIndex(of: UInt8(ascii: "/")).map { parts.path[...$0] } ?? [])
  }

  /// - Parameter keepsMarks: bytes below 4 are marks of a template, which the caller replaces by digits.
  func resolve(_ reference: ArraySlice<UInt8>, keepsMarks: Bool = false) throws(Refusal) -> StreamAddress {
    let trimmed = Self.trimmed(reference)
    if Self.isPlainName(trimmed) {
      guard folder.count + trimmed.count <= ManifestLimits.addressLength else { throw Self.tooLong }
      return StreamAddress(checked: String(decoding: folder + trimmed, as: UTF8.self), root: root)
    }
    guard trimmed.count <= ManifestLimits.addressLength else { throw Self.tooLong }
    let clean = try Self.cleaned(trimmed, keepsMarks: keepsMarks)
    let parts = URLParts(clean[...])
    if let scheme = parts.scheme {
      return try absolute(parts, scheme: scheme)
    }
    return try checked(merged(parts))
  }

  /// An absolute URL of `http` or `https` that no resource names.
  static func remote(_ url: ArraySlice<UInt8>) throws(Refusal) -> StreamAddress {
    guard url.count <= ManifestLimits.addressLength else { throw tooLong }
    let parts = URLParts(try cleaned(trimmed(url), keepsMarks: false)[...])
    guard let scheme = parts.scheme, isRemote(scheme) else { throw Refusal(cause: "it is no http or https URL") }
    return try remote(parts, scheme: scheme)
  }

  /// RFC 3986 §5.2.2 for a reference without a scheme.
  private func merged(_ reference: URLParts) -> URLParts {
    var result = reference
    result.scheme = base.scheme
    guard reference.authority == nil else {
      result.path = URLParts.withoutDots(reference.path)
      return result
    }
    result.authority = base.authority
    if reference.path.isEmpty {
      result.path = base.path
      result.query = reference.query ?? base.query
    } else if reference.path.first == UInt8(ascii: "/") {
      result.path = URLParts.withoutDots(reference.path)
    } else {
      let above = base.path.lastIndex(of: UInt8(ascii: "/")).map { base.path[...$0] } ?? [UInt8(ascii: "/")]
      result.path = URLParts.withoutDots(above + reference.path)
    }
    return result
  }

  private func absolute(_ parts: URLParts, scheme: [UInt8]) throws(Refusal) -> StreamAddress {
    if Self.isRemote(scheme) { return try Self.remote(parts, scheme: scheme) }
    guard scheme.elementsEqual("file".utf8) else {
      throw Refusal(cause: "its scheme '\(String(decoding: scheme.prefix(20), as: UTF8.self))' is not http or https")
    }
    guard root != nil else { throw Refusal(cause: "a remote playlist names a local file") }
    var local = parts
    local.authority = parts.authority.map { $0.elementsEqual("localhost".utf8) ? [] : $0 } ?? []
    local.path = URLParts.withoutDots(parts.path)
    return try checked(local)
  }

  private static func remote(_ parts: URLParts, scheme: [UInt8]) throws(Refusal) -> StreamAddress {
    var result = parts
    result.scheme = scheme
    result.path = URLParts.withoutDots(parts.path)
    return try checkedRemote(result)
  }

  private func checked(_ parts: URLParts) throws(Refusal) -> StreamAddress {
    guard let root else { return try Self.checkedRemote(parts) }
    var local = parts
    local.query = nil
    guard let authority = parts.authority, authority.isEmpty else {
      throw Refusal(cause: "a local playlist names a file of another machine")
    }
    guard let path = Self.decodedPath(parts.path), path.hasPrefix(root), !path.utf8.contains(0),
      !path.split(separator: "/").contains("..")
    else { throw Refusal(cause: "a local playlist names a file outside its folder tree") }
    return StreamAddress(checked: try Self.text(local), root: root)
  }

  private static func checkedRemote(_ parts: URLParts) throws(Refusal) -> StreamAddress {
    guard let authority = parts.authority, URLParts.namesHost(authority) else {
      throw Refusal(cause: "it names no host, or one that is not written in ASCII")
    }
    var result = parts
    if result.path.isEmpty { result.path = [UInt8(ascii: "/")] }
    return StreamAddress(checked: try text(result), root: nil)
  }

  private static func text(_ parts: URLParts) throws(Refusal) -> String {
    let bytes = parts.bytes
    guard bytes.count <= ManifestLimits.addressLength else { throw tooLong }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let tooLong = Refusal(cause: "the URL is longer than \(ManifestLimits.addressLength) bytes")

  private static func isRemote(_ scheme: [UInt8]) -> Bool {
    scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8)
  }
}

/// Characters.
extension AddressResolver {
  /// Whether a byte is a letter, a digit or a mark that resolution leaves unchanged, for each of 256.
  private static let plain: [Bool] = (0..<256).map { byte in
    let scalar = Character(Unicode.Scalar(UInt8(byte)))
    return byte < 0x80 && (scalar.isLetter || scalar.isNumber || "-_~!$&'()*+,;=@".contains(scalar))
  }

  /// Whether `reference` is a relative path without dot segments, query, scheme, or a character to encode.
  private static func isPlainName(_ reference: ArraySlice<UInt8>) -> Bool {
    guard let first = reference.first, plain[Int(first)] else { return false }
    var previous: UInt8 = 0
    for byte in reference {
      if !plain[Int(byte)] {
        let isDot = byte == UInt8(ascii: ".") && previous != UInt8(ascii: "/")
        let isSlash = byte == UInt8(ascii: "/") && previous != byte
        guard isDot || isSlash else { return false }
      }
      previous = byte
    }
    return true
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text
    while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
    while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
    return text
  }

  /// The reference in the characters of RFC 3986, all others percent-encoded, without its fragment.
  private static func cleaned(_ text: ArraySlice<UInt8>, keepsMarks: Bool) throws(Refusal) -> [UInt8] {
    for byte in text where byte < 0x20 && !(keepsMarks && byte < 4) || byte == 0x7F {
      throw Refusal(cause: "the URL holds a control character")
    }
    let bytes = Array(text.prefix { $0 != UInt8(ascii: "#") })
    return encoded(bytes, also: []) { isEscape(at: $0, in: bytes) }
  }

  /// A file's path as a URL's path; `?`, `#` and `%` are encoded.
  static func encodedPath(_ bytes: [UInt8]) -> [UInt8] {
    encoded(bytes, also: [UInt8(ascii: "?"), UInt8(ascii: "#")]) { _ in false }
  }

  /// Percent-encodes bytes outside the characters of URLs, the bytes of `also`, and each `%` for which `isEscape` is
  /// false.
  private static func encoded(_ bytes: [UInt8], also: Set<UInt8>, isEscape: (Int) -> Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      let isAllowed = byte < 4 || byte > 0x20 && byte < 0x7F && !forbidden.contains(byte) && !also.contains(byte)
      if byte == UInt8(ascii: "%") ? isEscape(index) : isAllowed {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), hexadecimal(byte >> 4), hexadecimal(byte & 15)]
      }
    }
    return result
  }

  private static func isEscape(at index: Int, in bytes: [UInt8]) -> Bool {
    index + 2 < bytes.count && value(bytes[index + 1]) != nil && value(bytes[index + 2]) != nil
  }

  private static let forbidden = Set("\"<>\\^`{|}".utf8)

  private static func hexadecimal(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x37 + digit }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// Nil where the bytes are not UTF-8.
  static func decodedPath(_ bytes: [UInt8]) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count, let high = value(bytes[position + 1]),
        let low = value(bytes[position + 2])
      {
        result.append(high << 4 | low)
        position += 3
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return String(validating: result, as: UTF8.self)
  }
}
