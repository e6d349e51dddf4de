import Frames

/// Reads a manifest's XML into its elements. Unknown elements are passed over with all they hold; a document type, with
/// which entities come, is refused before the parser sees it.
final class MPDReader: XMLReader {
  private var stack: [MPDElement] = []
  private var root: MPDElement?
  private(set) var flaw: ManifestFlaw?
  /// How deep inside an element that is passed over.
  private var passedOver = 0
  private var serial = 0
  private var count = 0

  /// The root element. Throws for text that is not well-formed, and beyond the limits.
  static func read(_ bytes: [UInt8]) throws(ManifestFlaw) -> MPDElement {
    let reader = MPDReader()
    try XMLText.read(bytes, into: reader)
    guard let root = reader.root else { throw ManifestFlaw("it is not well-formed XML") }
    return root
  }

  private func stop(_ line: Int, _ cause: String) {
    if flaw == nil { flaw = ManifestFlaw(cause, line: line) }
  }

  func begin(_ elementName: String, _ attributes: [String: String], line: Int) {
    count += 1
    guard count <= ManifestLimits.elementCount else {
      return stop(line, "it has more than \(ManifestLimits.elementCount) elements")
    }
    if passedOver > 0 {
      passedOver += 1
      return
    }
    let name = Self.local(elementName)
    guard stack.count < ManifestLimits.depth else { return stop(line, "its elements are nested too deep") }
    guard attributes.count <= ManifestLimits.attributeCount else {
      return stop(line, "<\(name.prefix(40))> has too many attributes")
    }
    if stack.isEmpty, name != "MPD" { return stop(line, "its root is <\(name.prefix(40))>, not <MPD>") }
    let isRemote = attributes.contains { $0.key.hasSuffix(":href") && $0.value != Self.resolveToZero }
    guard Self.known.contains(name) else {
      passedOver = 1
      return
    }
    // Events are not needed to play.
    if isRemote, name != "EventStream" {
      return stop(line, "<\(name)> refers to another document (xlink), which is not followed")
    }
    // Such an element stands for none at all.
    if attributes.contains(where: { $0.key.hasSuffix(":href") }) {
      passedOver = 1
      return
    }
    if name == "S" {
      readEntry(line, attributes)
      passedOver = 1
      return
    }
    serial += 1
    guard serial <= ManifestLimits.keptElementCount else {
      return stop(line, "it has more than \(ManifestLimits.keptElementCount) periods, tracks and segments")
    }
    stack.append(
      MPDElement(
        name: name, line: line, serial: serial, attributes: attributes))
  }

  func end(_ name: String, line: Int) {
    if passedOver > 0 {
      passedOver -= 1
      return
    }
    guard var element = stack.popLast() else { return }
    element.text = MPDText.trimmed(element.text)
    if stack.isEmpty {
      root = element
    } else if !stack[stack.count - 1].append(element) {
      stop(line, "it has more than \(ManifestLimits.siblingCount) <\(element.name)> in one element")
    }
  }

  func add(_ text: String, line: Int) {
    guard passedOver == 0, let last = stack.indices.last, Self.withText.contains(stack[last].name) else {
      return
    }
    stack[last].text += text
    if stack[last].text.utf8.count > 4 * ManifestLimits.addressLength {
      stop(line, "the text of <\(stack[last].name)> is too long")
    }
  }

  private func readEntry(_ line: Int, _ attributes: [String: String]) {
    guard let last = stack.indices.last, stack[last].name == "SegmentTimeline" else { return }
    let time = attributes["t"].map { Decimal64.integer($0.utf8) }
    let duration = attributes["d"].flatMap { Decimal64.integer($0.utf8) }
    let repeats: Int64? = attributes["r"].map { $0 == "-1" ? -1 : Decimal64.integer($0.utf8) } ?? 0
    guard let duration, duration > 0, let repeats, time.map({ $0 != nil }) ?? true else {
      return stop(line, "<S> has no positive @d, or a number that is none")
    }
    stack[last].entries.append(TimelineEntry(time: time ?? nil, duration: duration, repeats: repeats))
  }

  private static func local(_ name: String) -> String {
    name.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
  }

  private static let resolveToZero = "urn:mpeg:dash:resolve-to-zero:2013"
  private static let withText: Set<String> = [
    "BaseURL", "Source", "Location", "Label", "Laurl", "laurl", "LaURL", "Event", "Binary",
  ]
  private static let known = withText.union([
    "MPD", "Period", "AdaptationSet", "Representation", "SegmentTemplate", "SegmentBase", "SegmentList", "SegmentURL",
    "SegmentTimeline", "S", "Initialization", "Role", "Accessibility", "ContentProtection", "EssentialProperty",
    "SupplementalProperty", "FramePacking", "AudioChannelConfiguration", "UTCTiming", "ContentComponent",
    "ServiceDescription", "Latency", "ProgramInformation", "EventStream", "InbandEventStream", "Signal",
    "SpliceInfoSection", "SpliceInsert",
    "BreakDuration", "TimeSignal", "SegmentationDescriptor",
  ])
}
