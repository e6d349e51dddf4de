import Streaming
import Testing

/// XML from servers: what is read of it, and what is refused.
@Suite struct XMLTextTests {
  /// Keeps what comes, as one line.
  private final class Recorder: XMLReader {
    var flaw: ManifestFlaw?
    var text = ""
    var lines: [Int] = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    func begin(_ name: String, _ attributes: [String: String], line: Int) {
      lines.append(line)
      text += "<\(name)" + attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined() + ">"
      if lines.count > limit { flaw = ManifestFlaw("it has too many elements", line: line) }
    }
    func end(_ name: String, line: Int) { text += "</\(name)>" }
    func add(_ part: String, line: Int) { text += part }
  }

  private static func read(_ text: String, limit: Int = .max) throws(ManifestFlaw) -> Recorder {
    let recorder = Recorder(limit: limit)
    try XMLText.read(Array(text.utf8), into: recorder)
    return recorder
  }

  @Test(arguments: [
    ("<a/>", "<a></a>"), ("\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>", "<a></a>"),
    ("\n\n<?xml version='1.0'?>\n<a/>\n", "<a></a>"),
    ("<a x:b='1 &lt; 2 &amp;&amp; 3' c=\"&#228;\"/>", "<a c=ä x:b=1 < 2 && 3></a>"),
    ("<a>1<b>&amp;2</b><![CDATA[<3>]]></a>", "<a>1<b>&2</b><3></a>"),
    ("<!-- <c> --><?p?><a><!--<b>--><?q r?>1<!-- = --></a><!-- -->", "<a>1</a>"),
    ("<x:a xmlns:x='u'><x:b/></x:a>", "<x:a xmlns:x=u><x:b></x:b></x:a>"),
  ])
  func elementsAndTextCome(text: String, read: String) throws {
    #expect(try Self.read(text).text == read)
  }

  @Test(arguments: [
    "", " ", "a", "<a>", "<a></b>", "<a/><b/>", "<a b='1' b='2'/>", "<a>&unknown;</a>", "<a>\u{0}</a>", "<a b=1/>",
    "<!DOCTYPE a><a/>", "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a><!DOCTYPE b></a>",
    "<?xml version='1.0' encoding='utf-16'?><a/>", "<a/>b", "<a><b></a></b>", "<a", "<a>]]></a>",
  ])
  func textsThatAreNoneAreRefused(text: String) {
    #expect(throws: ManifestFlaw.self) { try Self.read(text) }
  }

  @Test func linesAreCounted() throws {
    #expect(try Self.read("<?xml\nversion='1.0'?>\n<a>\n<b\nc='d'/>\n<b/></a>").lines == [3, 5, 6])
    let flaw = #expect(throws: ManifestFlaw.self) { try Self.read("<a>\n<b>\n</c></a>") }
    #expect(flaw?.line == 3 && flaw?.cause == "it is not well-formed XML")
  }

  /// The reader ends the reading; long and deep texts take no long time, and no memory of their own.
  @Test func aReaderEndsIt() {
    let many = "<a>" + String(repeating: "<b/>", count: 1_000_000) + "</a>"
    #expect(throws: ManifestFlaw.self) { try Self.read(many, limit: 10) }
    let deep = String(repeating: "<a>", count: 1_000_000)
    #expect(throws: ManifestFlaw.self) { try Self.read(deep) }
    let attributes = "<a " + (0..<2_000).map { "b\($0)='1'" }.joined(separator: " ") + "/>"
    #expect(throws: ManifestFlaw.self) { try Self.read(attributes) }
  }

  @Test func longTextsComeWhole() throws {
    let long = String(repeating: "0123456789ä", count: 1_500_000)
    #expect(try Self.read("<a>\(long)</a>").text == "<a>\(long)</a>")
  }
}
