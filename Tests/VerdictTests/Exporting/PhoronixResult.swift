import Foundation
import FoundationXML

/// A result file of the Phoronix Test Suite, held against the order and the types that its schema asks for.
///
/// After `result-file.xsd` and `types.xsd` of the suite, version of 2020.
final class PhoronixResult: NSObject, XMLParserDelegate {
  private(set) var flaws: [String] = []
  private var open: [(name: String, children: [String], text: String)] = []

  /// Elements and their children in order; what may be absent has a question mark.
  private static let children: [String: [String]] = [
    "Generated": [
      "Title", "LastModified", "TestClient", "Description", "Notes?", "InternalTags?", "ReferenceID?",
      "PreSetEnvironmentVariables?",
    ],
    "System": ["Identifier", "Hardware", "Software", "User", "TimeStamp", "TestClientVersion", "Notes"],
    "Result": [
      "Identifier", "Title", "AppVersion", "Arguments", "Description", "Scale", "Proportion", "DisplayFormat",
      "Annotation?", "Parent?", "Data",
    ],
    "Entry": ["Identifier", "Value", "RawString?"],
  ]

  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    if !parser.parse() { flaws.append("it is no XML: \(parser.parserError.map { "\($0)" } ?? "")") }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    if !open.isEmpty { open[open.count - 1].children.append(name) }
    open.append((name, [], ""))
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if !open.isEmpty { open[open.count - 1].text += string }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    guard let element = open.popLast() else { return }
    if let wanted = Self.children[name] { judge(element.children, of: name, wanted) }
    let length = element.text.count
    let isFine =
      switch (open.last?.name, name) {
      case (_, "LastModified"), (_, "TimeStamp"): element.text.wholeMatch(of: #/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/#) != nil
      case ("System", "Identifier"), ("Entry", "Identifier"): (1...128).contains(length)
      case ("Result", "Title"): (2...50).contains(length)
      case (_, "Proportion"): ["LIB", "HIB", "ABSTRACT", ""].contains(element.text)
      case (_, "Description"): length <= 2048
      case (_, "Value"): Double(element.text) != nil
      default: true
      }
    if !isFine { flaws.append("\(name) is '\(element.text)'") }
  }

  private func judge(_ found: [String], of name: String, _ wanted: [String]) {
    var rest = found[...]
    for child in wanted {
      if rest.first == child.replacing("?", with: "") {
        rest.removeFirst()
      } else if !child.hasSuffix("?") {
        flaws.append("\(name) lacks \(child)")
      }
    }
    if let extra = rest.first { flaws.append("\(name) has \(extra) out of order") }
  }
}
