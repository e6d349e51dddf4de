import Frames
import Streaming

/// An element of VAST or VMAP, by its name without a prefix.
struct AdElement {
  let name: String
  let attributes: [String: String]
  /// Without white space around it.
  fileprivate(set) var text = ""
  fileprivate(set) var children: [AdElement] = []

  func first(_ name: String) -> AdElement? { children.first { $0.name == name } }
  func all(_ name: String) -> [AdElement] { children.filter { $0.name == name } }

  /// The texts of all elements of a name, without empty ones.
  func texts(_ name: String) -> [String] { all(name).map(\.text).filter { !$0.isEmpty } }

  /// Nil where there is none or it is empty. Servers write `apiFramework` and `apiframework`.
  subscript(name: String) -> String? {
    let value = attributes[name] ?? attributes.first { $0.key.lowercased() == name.lowercased() }?.value
    let text = value.map { MPDText.trimmed($0) } ?? ""
    return text.isEmpty ? nil : text
  }

  func isYes(_ name: String, usual: Bool) -> Bool {
    switch self[name]?.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: usual
    }
  }
}

/// Limits of what an ad server sends: it is hostile.
public enum AdLimits {
  /// Bytes of one answer.
  public static let byteCount = 1 << 20
  static let elementCount = 20_000
  static let depth = 32
  static let textLength = 1 << 16
  /// Wrappers around an ad.
  public static let wrappers = 5
  /// Ads of one break.
  static let adCount = 32
  /// Breaks of one schedule, and requests of one event.
  static let breakCount = 500
  static let addressCount = 100
}

/// Reads XML into its elements.
final class AdReader: XMLReader {
  private var stack: [AdElement] = []
  private var root: AdElement?
  private(set) var flaw: ManifestFlaw?
  private var count = 0

  /// The root element. Throws for text that is not well-formed, has a document type, or goes beyond the limits.
  static func read(_ bytes: [UInt8]) throws(ManifestFlaw) -> AdElement {
    guard bytes.count <= AdLimits.byteCount else {
      throw ManifestFlaw("it is longer than \(AdLimits.byteCount >> 20) MiB")
    }
    let reader = AdReader()
    try XMLText.read(bytes, into: reader)
    guard let root = reader.root else { throw ManifestFlaw("it is not well-formed XML") }
    return root
  }

  private func stop(_ line: Int, _ cause: String) {
    if flaw == nil { flaw = ManifestFlaw(cause, line: line) }
  }

  func begin(_ elementName: String, _ attributes: [String: String], line: Int) {
    count += 1
    guard count <= AdLimits.elementCount else {
      return stop(line, "it has more than \(AdLimits.elementCount) elements")
    }
    guard stack.count < AdLimits.depth else { return stop(line, "its elements are nested too deep") }
    stack.append(AdElement(name: Self.local(elementName), attributes: attributes))
  }

  func end(_ name: String, line: Int) {
    guard var element = stack.popLast() else { return }
    element.text = MPDText.trimmed(element.text)
    if stack.isEmpty { root = element } else { stack[stack.count - 1].children.append(element) }
  }

  func add(_ text: String, line: Int) {
    guard let last = stack.indices.last else { return }
    stack[last].text += text
    if stack[last].text.utf8.count > AdLimits.textLength {
      stop(line, "the text of <\(stack[last].name.prefix(40))> is too long")
    }
  }

  private static func local(_ name: String) -> String {
    name.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
  }
}
