/// The text with user, password, query and fragment of its URLs removed: `https://me:word@host/a?token=1#t` becomes
/// `https://…@host/a?…`.
///
/// Keys of content, as `--key` takes them (`KID:KEY`, hexadecimal), lose their second half: `0123…cdef:…`.
///
/// Finds any number of URLs of any scheme with `://`, also inside options (`--input=https://…`), quotes, lists and
/// other URLs. Of percent-encoded URLs only the scheme is kept. In doubt it removes more than the secret. Idempotent;
/// all other text is unchanged.
public func redactingSecrets(_ text: String) -> String {
  Redaction.mayHoldURL(text) ? Redaction(withoutKeys(text)).text(isOneURL: false) : text
}

/// As `redactingSecrets(_:)`, for one argument of a command line or one input: a URL with no white space before it
/// extends to the end of the argument, white space and quotes included.
public func redactingSecrets(ofArgument argument: String) -> String {
  Redaction.mayHoldURL(argument) ? Redaction(withoutKeys(argument)).text(isOneURL: true) : argument
}

/// Without the keys behind identifiers of 32 hexadecimal digits, which hyphens may group.
private func withoutKeys(_ text: String) -> String {
  let bytes = Array(text.utf8)
  func isDigit(_ byte: UInt8) -> Bool { Character(Unicode.Scalar(byte)).hexDigitValue != nil && byte < 0x80 }
  var output: [UInt8] = []
  var place = 0
  for (colon, byte) in bytes.enumerated() where byte == UInt8(ascii: ":") && colon >= place {
    let identifier = bytes[Range(from: place, to: colon)].reversed().prefix { isDigit($0) || $0 == UInt8(ascii: "-") }
    let key = bytes[(colon + 1)...].prefix(while: isDigit)
    // In doubt more than a key.
    guard identifier.count(where: isDigit) >= 32, key.count >= 16 else { continue }
    output += bytes[Range(from: place, to: colon + 1)] + Array("…".utf8)
    place = key.endIndex
  }
  return place == 0 ? text : String(decoding: output + bytes[place...], as: UTF8.self)
}

/// A scan over a text's UTF-8: all that delimits a URL is ASCII.
private struct Redaction {
  private let bytes: [UInt8]
  private static let mark = Array("…".utf8)

  init(_ text: String) { self.init(Array(text.utf8)) }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func mayHoldURL(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: ":")) || text.utf8.contains(UInt8(ascii: "%"))
  }

  func text(isOneURL: Bool) -> String { String(decoding: redacted(isOneURL: isOneURL), as: UTF8.self) }

  private func redacted(isOneURL: Bool) -> [UInt8] {
    var output: [UInt8] = []
    var place = 0
    while let delimiter = delimiter(from: place) {
      let scheme = startOfScheme(before: delimiter.range.lowerBound, from: place)
      let body = delimiter.range.upperBound
      output += bytes[Range(from: place, to: body)]
      place = body
      guard scheme < delimiter.range.lowerBound else { continue }
      let isWhole = isOneURL && !bytes[..<scheme].contains(where: Self.isBlank)
      let end = isWhole ? bytes.count : endOfURL(from: body, opener: scheme > 0 ? bytes[scheme - 1] : nil)
      output +=
        delimiter.isEncoded ? (body < end ? Self.mark : []) : Self.withoutSecrets(bytes[Range(from: body, to: end)])
      place = end
    }
    return output + bytes[place...]
  }

  /// The next `://`, plain or percent-encoded.
  private func delimiter(from start: Int) -> (range: Range<Int>, isEncoded: Bool)? {
    for index in bytes.indices.dropFirst(start) {
      if bytes[index] == UInt8(ascii: ":"), bytes[index...].starts(with: Array("://".utf8)) {
        return (Range(from: index, to: index + 3), false)
      }
      for encoded in ["%3a%2f%2f", ":%2f%2f"] where bytes[index] == encoded.utf8.first {
        let end = index + encoded.utf8.count
        guard end <= bytes.count,
          zip(bytes[Range(from: index, to: end)], encoded.utf8).allSatisfy({ Self.lowercased($0) == $1 })
        else {
          continue
        }
        return (Range(from: index, to: end), true)
      }
    }
    return nil
  }

  private func startOfScheme(before end: Int, from start: Int) -> Int {
    var scheme = end
    while scheme > start, Self.isSchemeByte(bytes[scheme - 1]) { scheme -= 1 }
    return scheme
  }

  /// The end of a URL: the quote that closes it, else white space or a bracket; punctuation that ends a sentence is
  /// excluded.
  private func endOfURL(from start: Int, opener: UInt8?) -> Int {
    if let opener, Self.quotes.contains(opener),
      let end = bytes.indices.dropFirst(start).first(where: { bytes[$0] == opener && closes($0) })
    {
      return end
    }
    var end = start
    while end < bytes.count, !Self.isBlank(bytes[end]), bytes[end] != UInt8(ascii: "<"), bytes[end] != UInt8(ascii: ">")
    {
      if Self.quotes.contains(bytes[end]), closes(end) { break }
      // A character escaped for the shell belongs to the URL.
      end += bytes[end] == UInt8(ascii: "\\") && end + 1 < bytes.count ? 2 : 1
    }
    while end > start, ".,;:!?)".utf8.contains(bytes[end - 1]) { end -= 1 }
    return end
  }

  /// A quote may be part of a password: it closes where only punctuation lies between it and white space, another quote
  /// or the end.
  private func closes(_ quote: Int) -> Bool {
    let next = bytes.indices.dropFirst(quote + 1).first { !".,;:!?)]}>".utf8.contains(bytes[$0]) }
    return next.map { Self.isBlank(bytes[$0]) || Self.quotes.contains(bytes[$0]) } ?? true
  }

  /// The part after `://`, redacted.
  private static func withoutSecrets(_ url: ArraySlice<UInt8>) -> [UInt8] {
    let authority = url.prefix { !"/?#".utf8.contains($0) }
    let at = UInt8(ascii: "@")
    guard let user = authority.lastIndex(of: at) ?? (hasOddPort(authority) ? url.lastIndex(of: at) : nil) else {
      // Half of a user and password: the text was truncated.
      if hasOddPort(authority), let colon = authority.lastIndex(of: UInt8(ascii: ":")), colon + 1 < authority.endIndex {
        return url[...colon] + mark
      }
      return authority + place(url[authority.endIndex...])
    }
    let host = url[user...].prefix { !"/?#".utf8.contains($0) }
    return mark + host + place(url[host.endIndex...])
  }

  /// A path that may contain another URL, with a mark for a query or fragment behind it.
  private static func place(_ rest: ArraySlice<UInt8>) -> [UInt8] {
    let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let hasQuery = path.endIndex < rest.endIndex && rest[path.endIndex] == UInt8(ascii: "?")
    return Redaction(Array(path)).redacted(isOneURL: true) + (hasQuery ? Array("?".utf8) + mark : [])
  }

  /// Whether the text in the port's place is not a number: it is part of a password that contains a `/`.
  private static func hasOddPort(_ authority: ArraySlice<UInt8>) -> Bool {
    guard authority.last != UInt8(ascii: "]"), let colon = authority.lastIndex(of: UInt8(ascii: ":")) else {
      return false
    }
    let port = authority[(colon + 1)...]
    return port.isEmpty || !port.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static let quotes: Set<UInt8> = Set("'\"`".utf8)

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    let letter = lowercased(byte)
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
