import Frames

/// An element of a manifest, as far as a presentation needs it.
struct MPDElement {
  /// Without a prefix.
  let name: String
  /// Counted from 1.
  let line: Int
  /// Unique in the manifest.
  let serial: Int
  /// By names as they are written, prefix included.
  let attributes: [String: String]
  /// By their names, so that a look-up does not depend on how many siblings there are.
  private var children: [String: [MPDElement]] = [:]
  /// Of elements that hold text alone, without white space around it.
  var text = ""
  /// Of `SegmentTimeline`.
  var entries: [TimelineEntry] = []

  init(name: String, line: Int, serial: Int, attributes: [String: String]) {
    self.name = name
    self.line = line
    self.serial = serial
    self.attributes = attributes
  }

  func first(_ name: String) -> MPDElement? { children[name]?.first }

  /// In the manifest's order.
  func all(_ name: String) -> [MPDElement] { children[name] ?? [] }

  /// False where there are too many of its name.
  mutating func append(_ child: MPDElement) -> Bool {
    let limit = Self.numerous.contains(child.name) ? ManifestLimits.segmentCount : ManifestLimits.siblingCount
    guard children[child.name]?.count ?? 0 < limit else { return false }
    children[child.name, default: []].append(child)
    return true
  }

  private static let numerous: Set<String> = ["Period", "AdaptationSet", "Representation", "SegmentURL", "Event"]

  func flaw(_ cause: String) -> ManifestFlaw { ManifestFlaw("<\(name)>: \(cause)", line: line) }

  /// The attribute, without white space around it; nil where there is none or it is empty.
  func text(_ name: String) -> String? {
    guard let value = attributes[name] else { return nil }
    let trimmed = MPDText.trimmed(value)
    return trimmed.isEmpty ? nil : trimmed
  }

  /// The attribute of this name behind any prefix, as `cenc:default_KID`.
  func prefixed(_ name: String) -> String? {
    for (key, value) in attributes where key == name || key.hasSuffix(":" + name) { return value }
    return nil
  }

  /// Nil where there is none. Throws for other text than a number from 0 to 2⁶².
  func integer(_ name: String) throws(ManifestFlaw) -> Int64? {
    guard let text = text(name) else { return nil }
    guard let value = Decimal64.integer(text.utf8) else { throw flaw("@\(name) is not a number") }
    return value
  }

  /// As `integer`, for sizes of things.
  func count(_ name: String, upTo limit: Int) throws(ManifestFlaw) -> Int? {
    guard let value = try integer(name) else { return nil }
    guard value <= limit else { throw flaw("@\(name) is more than \(limit)") }
    return Int(value)
  }

  /// An `xs:duration`; nil where there is none.
  func duration(_ name: String) throws(ManifestFlaw) -> MediaTime? {
    guard let text = text(name) else { return nil }
    guard let value = MPDText.duration(text) else { throw flaw("@\(name) is not a duration of days and less") }
    return MediaTime(nanoseconds: value)
  }

  func date(_ name: String) throws(ManifestFlaw) -> WallTime? {
    guard let text = text(name) else { return nil }
    guard let value = WallTime(text.utf8) else { throw flaw("@\(name) is no date with a time") }
    return value
  }

  /// `FIRST-LAST`; nil where there is none.
  func byteRange(_ name: String) throws(ManifestFlaw) -> ByteRange? {
    guard let text = text(name) else { return nil }
    guard let range = ByteRange(inclusive: text) else { throw flaw("@\(name) is not a range as 0-99") }
    return range
  }
}

/// One `S` of a segment timeline.
struct TimelineEntry {
  /// Nil: where the entry before ends.
  var time: Int64?
  var duration: Int64
  /// How many more segments follow of the same duration; −1: until the next entry or the period's end.
  var repeats: Int64
}

/// Texts of manifests.
package enum MPDText {
  package static func trimmed(_ text: String) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let bytes = text.utf8
    guard let first = bytes.first, let last = bytes.last, isBlank(first) || isBlank(last) else { return text }
    guard let start = bytes.firstIndex(where: { !isBlank($0) }), let end = bytes.lastIndex(where: { !isBlank($0) })
    else {
      return ""
    }
    return String(text[ClosedRange(from: start, through: end)])
  }

  /// An integer with or without a minus.
  package static func signed(_ text: String) -> Int64? {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    return Decimal64.integer(text.utf8.dropFirst(isNegative ? 1 : 0)).map { isNegative ? -$0 : $0 }
  }

  /// `30`, `30000/1001`, `16:9`; nil for other text, and beyond 2³¹.
  package static func ratio(_ text: String, separator: Character) -> Ratio? {
    let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
    guard let numerator = parts.first.flatMap({ Decimal64.integer($0.utf8) }).flatMap(Int32.init(exactly:)) else {
      return decimalRate(text)
    }
    guard parts.count == 2 else { return Ratio(numerator, 1) }
    guard let denominator = Decimal64.integer(parts[1].utf8).flatMap(Int32.init(exactly:)), denominator > 0 else {
      return nil
    }
    return Ratio(numerator, denominator)
  }

  /// `29.97`
  private static func decimalRate(_ text: String) -> Ratio? {
    guard let nanoseconds = Decimal64.seconds(text.utf8), nanoseconds <= 1_000_000_000_000_000 else { return nil }
    return Ratio(Int32(nanoseconds / 1_000_000), 1_000)
  }

  /// An `xs:duration` in nanoseconds. Nil for other text, for a negative one, for years and months, whose length
  /// varies, and beyond 10⁹ seconds.
  package static func duration(_ text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
    var total: Int64 = 0
    var isTime = false
    while !rest.isEmpty {
      if rest.first == UInt8(ascii: "T"), !isTime {
        isTime = true
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix { (0x30...0x39).contains($0) || $0 == 0x2E }
      guard let unit = rest[digits.endIndex...].first, let value = Decimal64.seconds(digits) else { return nil }
      rest = rest[(digits.endIndex + 1)...]
      let seconds: Int64? =
        switch (unit, isTime) {
        case (UInt8(ascii: "Y"), false), (UInt8(ascii: "M"), false): value == 0 ? 0 : nil
        case (UInt8(ascii: "D"), false): 86_400
        case (UInt8(ascii: "H"), true): 3_600
        case (UInt8(ascii: "M"), true): 60
        case (UInt8(ascii: "S"), true): 1
        default: nil
        }
      guard let seconds, let span = value.multiplied(by: seconds), let sum = total.adding(span),
        sum <= 1_000_000_000_000_000_000
      else { return nil }
      total = sum
    }
    return total
  }
}
