import Frames

/// What `SegmentTemplate`, `SegmentList` or `SegmentBase` says at one representation, the levels above inherited.
struct SegmentDescription {
  enum Kind: String {
    case template = "SegmentTemplate"
    case list = "SegmentList"
    case base = "SegmentBase"
  }

  let kind: Kind
  /// The lowest element, for messages.
  let element: MPDElement
  private let attributes: [String: String]
  let timeline: MPDElement?
  let initialization: MPDElement?
  let urls: [MPDElement]

  /// The description at the lowest of `levels`, given from the period downwards; nil where none has one. Elements of
  /// the same name above give what it leaves out.
  init?(levels: [MPDElement]) {
    let kinds: [Kind] = [.template, .list, .base]
    guard let lowest = levels.last(where: { level in kinds.contains { level.first($0.rawValue) != nil } }),
      let kind = kinds.first(where: { lowest.first($0.rawValue) != nil }), let element = lowest.first(kind.rawValue)
    else { return nil }
    self.kind = kind
    self.element = element
    let chain = levels.compactMap { $0.first(kind.rawValue) }
    attributes = chain.reduce(into: [:]) { $0.merge($1.attributes) { $1 } }
    timeline = chain.reversed().lazy.compactMap { $0.first("SegmentTimeline") }.first
    initialization = chain.reversed().lazy.compactMap { $0.first("Initialization") }.first
    urls = chain.reversed().lazy.map { $0.all("SegmentURL") }.first { !$0.isEmpty } ?? []
  }

  func text(_ name: String) -> String? { attributes[name] }

  func integer(_ name: String) throws(ManifestFlaw) -> Int64? {
    guard let text = attributes[name] else { return nil }
    guard let value = Decimal64.integer(MPDText.trimmed(text).utf8) else {
      throw element.flaw("@\(name) is not a number")
    }
    return value
  }

  /// The media's time stamp at the period's start, in ticks. Some packagers write a negative one: media that begins
  /// late.
  func presentationTimeOffset() throws(ManifestFlaw) -> Int64 {
    guard let text = attributes["presentationTimeOffset"] else { return 0 }
    guard let value = MPDText.signed(MPDText.trimmed(text)) else {
      throw element.flaw("@presentationTimeOffset is not a number")
    }
    return value
  }

  func timescale() throws(ManifestFlaw) -> Int64 {
    let scale = try integer("timescale") ?? 1
    guard scale > 0, scale <= UInt32.max else { throw element.flaw("@timescale is zero or too great") }
    return scale
  }

  func indexRange() throws(ManifestFlaw) -> ByteRange? {
    guard let text = attributes["indexRange"] else { return nil }
    guard let range = ByteRange(inclusive: MPDText.trimmed(text)) else {
      throw element.flaw("@indexRange is not a range as 0-99")
    }
    return range
  }
}
