import Frames
import Support
import Testing

import Streaming

/// Manifests made to keep a player busy end at once, in a sentence.
@Suite(.tier(.test)) struct HostileManifestTests {
  private static let start = "<MPD type=\"static\" mediaPresentationDuration=\"PT10S\">"

  /// The entities would be ten to the ninth times as long.
  @Test(arguments: ["", "\u{FEFF}", "<?xml version=\"1.0\"?>\n<!-- a --> <?b c?>\n"])
  func entitiesAreRefused(prologue: String) {
    var entities = "<!ENTITY a0 \"aaaaaaaaaa\">"
    for level in 1...9 {
      entities += "<!ENTITY a\(level) \"\(String(repeating: "&a\(level - 1);", count: 10))\">"
    }
    let text =
      prologue + "<!DOCTYPE MPD [\(entities)]>" + Self.start
      + "<Period id=\"&a9;\"><BaseURL>&a9;</BaseURL></Period></MPD>"
    #expect(Manifests.refusal(text).contains("document type"))
    let external = prologue + "<!DOCTYPE MPD [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>" + Self.start + "&x;</MPD>"
    #expect(Manifests.refusal(external).contains("document type"))
  }

  /// A document type may hide in an encoding that is not ASCII's.
  @Test(arguments: ["utf-7", "UTF-16", "ebcdic-cp-us", "IBM037", "UTF-32"])
  func otherEncodingsAreRefused(name: String) {
    let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?>" + Self.start + "</MPD>"
    #expect(Manifests.refusal(text).contains("is not UTF-8"))
  }

  @Test func wideTextIsRefused() throws {
    let text = Self.start.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    #expect(throws: Failure.self) { try Manifest.parse(text, at: Manifests.address()) }
    #expect(throws: Failure.self) { try Manifest.parse([0xFF, 0xFE] + text, at: Manifests.address()) }
  }

  /// Foundation's parser traps on comments that are no UTF-8.
  @Test func brokenTextIsRefused() throws {
    for bytes: [UInt8] in [[0xFF], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xC0, 0x80]] {
      for (open, close) in [
        ("<!--", "-->"), ("<a>", "</a>"), ("<a b=\"", "\"/>"), ("<?a ", "?>"), ("<![CDATA[", "]]>"), ("<", "/>"),
      ] {
        let text = Array((Self.start + open).utf8) + bytes + Array((close + "</MPD>").utf8)
        #expect(throws: Failure.self) { try Manifest.parse(text, at: Manifests.address()) }
      }
    }
    for text in [
      "<?a?>", "<?a b?>", "<!---->", "<![CDATA[]]>", "&#233;", "<!-- é -->", "<BaseURL><![CDATA[<!-- a?>]]></BaseURL>",
    ] {
      #expect(Manifests.refusal(Self.start + text + "<Period/></MPD>").contains("no track"))
    }
  }

  @Test func nestingIsLimited() {
    let deep = String(repeating: "<Period>", count: 100) + String(repeating: "</Period>", count: 100)
    #expect(Manifests.refusal(Self.start + deep + "</MPD>").contains("nested too deep"))
    let unknown = String(repeating: "<x>", count: 200_000)
    #expect(Manifests.refusal(Self.start + unknown).contains("well-formed"))
  }

  @Test func attributesAreLimited() {
    func element(_ count: Int, value: String) -> String {
      "<Period " + (0..<count).map { "a\($0)=\"\(value)\" " }.joined() + "/>"
    }
    #expect(Manifests.refusal(Self.start + element(200, value: "") + "</MPD>").contains("too many attributes"))
    #expect(Manifests.refusal(Self.start + element(1_000_000, value: "") + "</MPD>").contains("1000 attributes"))
    #expect(Manifests.refusal(Self.start + element(100_000, value: "/>") + "</MPD>").contains("1000 attributes"))
  }

  @Test func elementsAreLimited() {
    let many = String(repeating: "<x/>", count: ManifestLimits.elementCount + 1)
    #expect(Manifests.refusal(Self.start + many + "</MPD>").contains("1000000 elements"))
    let roles = String(repeating: "<Role/>", count: 2_000)
    #expect(Manifests.refusal(Self.start + roles + "</MPD>").contains("1000 <Role>"))
    let periods = String(repeating: "<Period/>", count: ManifestLimits.periodCount + 1)
    #expect(Manifests.refusal(Self.start + periods + "</MPD>").contains("4096 periods"))
    let set = Manifests.video("<SegmentTemplate media=\"$Number$\" duration=\"1\"/>")
    let representations = String(repeating: "<Representation id=\"r\" bandwidth=\"1\"/>", count: 5_000)
    #expect(
      Manifests.refusal(set.replacing("<Representation ", with: representations + "<Representation ")).contains(
        "4096 representations"))
    #expect(Manifests.refusal(String(repeating: " ", count: ManifestLimits.byteCount) + "<MPD/>").contains("16 MiB"))
  }

  /// Each of many representations reads one long timeline in another way.
  @Test func sharedTimelinesAreCounted() {
    let entries = String(repeating: "<S d=\"1\"/><S d=\"2\"/>", count: 20_000)
    func text(_ attributes: (Int) -> String) -> String {
      let representations = (0..<4_000).map {
        "<Representation id=\"r\" bandwidth=\"1\"><SegmentTemplate \(attributes($0))/></Representation>"
      }
      return
        "<MPD mediaPresentationDuration=\"P1D\"><Period><AdaptationSet mimeType=\"video/mp4\"><SegmentTemplate media=\"$Number$\"><SegmentTimeline>\(entries)</SegmentTimeline></SegmentTemplate>\(representations.joined())</AdaptationSet></Period></MPD>"
    }
    #expect(Manifests.refusal(text { "presentationTimeOffset=\"\($0)\"" }).contains("2000000 entries"))
    #expect(Manifests.refusal(text { _ in "" }) == "")
  }

  /// Each of many representations inherits one long list.
  @Test func sharedListsAreCounted() {
    let urls = String(repeating: "<SegmentURL media=\"a\"/>", count: 50_000)
    let representations = String(repeating: "<Representation id=\"r\" bandwidth=\"1\"/>", count: 4_000)
    let text =
      "<MPD mediaPresentationDuration=\"P1D\"><Period><AdaptationSet mimeType=\"video/mp4\"><SegmentList duration=\"1\">\(urls)</SegmentList>\(representations)</AdaptationSet></Period></MPD>"
    #expect(Manifests.refusal(text).contains("entries"))
  }

  @Test func baseAddressesAreCounted() throws {
    let bases = String(repeating: "<BaseURL>a/</BaseURL>", count: 900)
    let text =
      Self.start + bases
      + "<Period>\(bases)<AdaptationSet mimeType=\"video/mp4\">\(bases)<SegmentTemplate media=\"$Number$\" duration=\"5\"/><Representation id=\"r\" bandwidth=\"1\">\(bases)</Representation></AdaptationSet></Period></MPD>"
    #expect(
      try Manifests.parse(text).periods[0].adaptationSets[0].renditions[0].mirrors.count == ManifestLimits.mirrorCount
        - 1)
    let long = String(repeating: "a", count: 8_100)
    let representations = String(
      repeating: "<Representation id=\"r\" bandwidth=\"1\"><BaseURL>b/</BaseURL></Representation>", count: 4_000)
    let heavy =
      Self.start
      + "<BaseURL>\(long)/</BaseURL><Period><AdaptationSet mimeType=\"video/mp4\"><SegmentTemplate media=\"$Number$\" initialization=\"i\" duration=\"5\"/>\(representations)</AdaptationSet></Period></MPD>"
    #expect(Manifests.refusal(heavy).contains("64 MiB together"))
  }
}
