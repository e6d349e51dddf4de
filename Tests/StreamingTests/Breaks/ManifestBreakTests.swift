import Frames
import Testing

import Streaming

/// What the events of a manifest mark as breaks.
@Suite struct ManifestBreakTests {
  private static func breaks(_ stream: String, start: String = "PT0S") throws -> [StreamBreak] {
    try Manifests.parse(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:scte35="http://www.scte.org/schemas/35/2016" xmlns:xlink="http://www.w3.org/1999/xlink" type="static" mediaPresentationDuration="PT600S">
      <Period start="\(start)">\(stream)<AdaptationSet mimeType="video/mp4"><Representation id="r" bandwidth="1">\
      <BaseURL>a.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>
      """
    ).breaks
  }

  private static func stream(_ scheme: String, _ events: String, _ attributes: String = "timescale=\"90000\"") -> String
  {
    "<EventStream schemeIdUri=\"urn:scte:scte35:\(scheme)\" \(attributes)>\(events)</EventStream>"
  }

  private static func binary(_ message: String, _ attributes: String) -> String {
    "<Event \(attributes)><scte35:Signal><scte35:Binary>\n \(message)\n</scte35:Binary></scte35:Signal></Event>"
  }

  private static func spans(_ breaks: [StreamBreak]) -> [[Double]] {
    breaks.map { [$0.start.seconds, $0.end?.seconds ?? -1] }
  }

  @Test func binaryMessagesAreRead() throws {
    let out = Self.binary(SpliceSectionTests.Sample.insert, "presentationTime=\"900000\" id=\"1\"")
    #expect(Self.spans(try Self.breaks(Self.stream("2014:xml+bin", out))) == [[10, 70.293566667]])
    // The period, and its own zero.
    let offset = Self.stream("2014:xml+bin", out, "timescale=\"90000\" presentationTimeOffset=\"450000\"")
    #expect(Self.spans(try Self.breaks(offset, start: "PT100S")) == [[105, 165.293566667]])
    // From its start to the message of its end.
    let pair =
      Self.binary(SpliceSectionTests.Sample.opportunityEnd, "presentationTime=\"5400000\"")
      + Self.binary(SpliceSectionTests.Sample.opportunity, "presentationTime=\"1800000\"")
    #expect(Self.spans(try Self.breaks(Self.stream("2014:xml+bin", pair))) == [[20, 60]])
    let program = Self.binary(SpliceSectionTests.Sample.programs, "presentationTime=\"0\" duration=\"900000\"")
    #expect(try Self.breaks(Self.stream("2014:xml+bin", program)).isEmpty)
    let bare = "<Event presentationTime=\"10\" duration=\"5\">\(SpliceSectionTests.Sample.insert)</Event>"
    #expect(Self.spans(try Self.breaks(Self.stream("2013:bin", bare, ""))) == [[10, 70.293566667]])
    let data = "<Event presentationTime=\"10\" messageData=\"\(SpliceSectionTests.Sample.insert)\"/>"
    #expect(Self.spans(try Self.breaks(Self.stream("2013:bin", data, ""))) == [[10, 70.293566667]])
  }

  @Test func messagesInXMLAreRead() throws {
    let insert = """
      <Event presentationTime="2700000" duration="1800000"><scte35:SpliceInfoSection protocolVersion="0">\
      <scte35:SpliceInsert spliceEventId="7" outOfNetworkIndicator="true" spliceImmediateFlag="0">\
      <scte35:Program><scte35:SpliceTime ptsTime="5"/></scte35:Program>\
      <scte35:BreakDuration autoReturn="1" duration="2700000"/></scte35:SpliceInsert></scte35:SpliceInfoSection></Event>
      """
    #expect(Self.spans(try Self.breaks(Self.stream("2013:xml", insert))) == [[30, 60]])
    let back = """
      <Event presentationTime="4500000"><scte35:SpliceInfoSection><scte35:SpliceInsert spliceEventId="7" \
      outOfNetworkIndicator="false"/></scte35:SpliceInfoSection></Event>
      """
    #expect(Self.spans(try Self.breaks(Self.stream("2013:xml", insert + back))) == [[30, 50]])
    let segmentation = """
      <Event presentationTime="2700000" duration="1800000"><scte35:SpliceInfoSection><scte35:TimeSignal/>\
      <scte35:SegmentationDescriptor segmentationEventId="9" segmentationTypeId="48"/></scte35:SpliceInfoSection></Event>
      """
    #expect(Self.spans(try Self.breaks(Self.stream("2013:xml", segmentation))) == [[30, 50]])
    let cancelled = insert.replacing("spliceEventId=\"7\"", with: "spliceEventCancelIndicator=\"true\"")
    #expect(try Self.breaks(Self.stream("2013:xml", cancelled)).isEmpty)
  }

  /// Events play no media: what is wrong with them refuses no manifest.
  @Test(arguments: [
    "<EventStream schemeIdUri=\"urn:other\"><Event presentationTime=\"x\"/></EventStream>",
    "<EventStream/>", "<EventStream xlink:href=\"http://h/x\"/>",
    "<EventStream schemeIdUri=\"urn:scte:scte35:2014:xml+bin\" timescale=\"0\"><Event/></EventStream>",
    "<EventStream schemeIdUri=\"urn:scte:scte35:2014:xml+bin\" timescale=\"-1\"><Event/></EventStream>",
    "<EventStream schemeIdUri=\"urn:scte:scte35:2014:xml+bin\"><Event presentationTime=\"-5\"/><Event/></EventStream>",
    "<EventStream schemeIdUri=\"urn:scte:scte35:2013:bin\"><Event>not base64</Event></EventStream>",
    "<EventStream schemeIdUri=\"urn:scte:scte35:2013:xml\"><Event><SpliceInfoSection/></Event></EventStream>",
  ])
  func whatIsNoMessageIsNoBreak(stream: String) throws {
    #expect(try Self.breaks(stream).isEmpty)
  }

  @Test func manyEventsAreBounded() throws {
    let events = (0..<5_000).map {
      Self.binary(SpliceSectionTests.Sample.insert, "presentationTime=\"\($0 * 9_000_000)\"")
    }
    let breaks = try Self.breaks(Self.stream("2014:xml+bin", events.joined()))
    #expect(breaks.count == ManifestLimits.breakCount)
    let far = Self.binary(SpliceSectionTests.Sample.insert, "presentationTime=\"4611686018427387000\"")
    #expect(try Self.breaks(Self.stream("2014:xml+bin", far, "")).count <= 1)
  }
}
