import Frames
import Media
import Support
import Testing

import Streaming

/// What a static manifest tells about periods, tracks and files.
@Suite struct ManifestTests {
  @Test func tracksAreDescribed() throws {
    let text = """
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:omaf="urn:mpeg:mpegI:omaf:2017" type="static" mediaPresentationDuration="PT10S">
      <Period>
      <AdaptationSet id="1" mimeType="video/mp4" codecs="hvc1.2.4.L150" width="3840" height="1920" frameRate="30000/1001" sar="1:1">
      <EssentialProperty schemeIdUri="urn:mpeg:mpegI:omaf:2017:pf" omaf:projection_type="0"/>
      <SupplementalProperty schemeIdUri="urn:mpeg:mpegB:cicp:TransferCharacteristics" value="16"/>
      <FramePacking schemeIdUri="urn:mpeg:dash:14496:10:frame_packing_arrangement_type:2011" value="4"/>
      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
      <Accessibility schemeIdUri="urn:scte:dash:cc:cea-608:2015" value="CC1=eng;CC3=swe"/>
      <SegmentTemplate media="$RepresentationID$/$Number$" duration="5"/>
      <Representation id="v1" bandwidth="9000000" qualityRanking="1"/><Representation id="v2" bandwidth="4000000" width="1920" height="960" codecs="hvc1.1.6.L120"/>
      </AdaptationSet>
      <AdaptationSet id="2" contentType="audio" mimeType="audio/mp4" lang="de" audioSamplingRate="48000">
      <Label> Kommentar &amp; Ton </Label>
      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="commentary"/>
      <AudioChannelConfiguration schemeIdUri="tag:dolby.com,2014:dash:audio_channel_configuration:2011" value="F801"/>
      <SegmentTemplate media="a?x=1&amp;y=&amp;amp;&#38;z=&#xE9;&lt;&quot;&amp;n=$Number$" duration="5"/><Representation id="a" bandwidth="64000" codecs="ec-3"/>
      </AdaptationSet>
      <AdaptationSet mimeType="application/mp4" codecs="stpp.ttml.im1t" lang="en">
      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="forced-subtitle"/>
      <Representation id="s" bandwidth="1"><BaseURL>s.mp4</BaseURL></Representation></AdaptationSet>
      <AdaptationSet contentType="image" mimeType="image/jpeg"><SegmentTemplate media="t$Number$.jpg" duration="10"/>
      <Representation id="t" bandwidth="1" width="2048" height="1152"><EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="8x4"/></Representation></AdaptationSet>
      <AdaptationSet mimeType="video/mp4"><EssentialProperty schemeIdUri="http://dashif.org/guidelines/trickmode" value="1"/>
      <SegmentTemplate media="i$Number$" duration="5"/><Representation id="i" bandwidth="1" maxPlayoutRate="8"/></AdaptationSet>
      <AdaptationSet mimeType="video/mp4"><EssentialProperty schemeIdUri="urn:example:unknown" value="1"/>
      <SegmentTemplate media="x$Number$" duration="5"/><Representation id="x" bandwidth="1"/></AdaptationSet>
      <AdaptationSet mimeType="application/x-data"><Representation id="d" bandwidth="1"/></AdaptationSet>
      </Period></MPD>
      """
    let presentation = try Manifests.parse(text)
    let sets = presentation.periods[0].adaptationSets
    #expect(sets.map(\.kind) == [.video, .captions, .captions, .audio, .subtitles, .thumbnails, .trickPlay])
    let video = sets[0].renditions
    #expect(video.map(\.id) == ["v1", "v2"] && video.map(\.video.width) == [3_840, 1_920])
    #expect(video[0].video.projection == .equirectangular && video[0].video.stereo == .packed(.topBottom))
    #expect(video[1].video.range == .pq && video[1].video.frameRate == Ratio(30_000, 1_001) && video[0].score == 99)
    #expect(video.map(\.codecs) == [["hvc1.2.4.L150"], ["hvc1.1.6.L120"]] && sets[0].isDefault)
    #expect(sets[1].channel == "CC1" && sets[2].language == "swe")
    #expect(sets[3].name == "Kommentar & Ton" && sets[3].language == "de" && sets[3].roles == ["commentary"])
    #expect(sets[3].renditions[0].audio.channels == 6 && sets[3].renditions[0].audio.sampleRate == 48_000)
    #expect(sets[3].renditions[0].timeline?[1]?.address.text == "https://host/dash/a?x=1&y=&amp;&z=%C3%A9%3C%22&n=2")
    #expect(sets[4].isForced && sets[4].renditions[0].timeline?[0]?.duration == 10_000_000_000)
    #expect(sets[5].renditions[0].video.tiles == TileGrid(columns: 8, rows: 4))
    #expect(sets[6].trickPlayOf == ["1"] && sets[6].renditions[0].video.greatestSpeed == 8)
    #expect(presentation.notes.count == 2 && presentation.notes[0].contains("urn:example:unknown"))
  }

  /// The parser reads in chunks: no character is lost or broken where two meet.
  @Test func longTextsAreWhole() throws {
    let label = String(repeating: "aé漢😀", count: 2_000)
    func text(_ padding: Int) -> String {
      Manifests.video(
        "<Label>\(label)</Label><!-- é --><SegmentTemplate media=\"$Number$\" duration=\"5\"/>"
      ).replacing("<Period>", with: String(repeating: " ", count: padding) + "<Period>")
    }
    // libxml2 alone refuses more than 10 MB.
    for padding in Array(0..<8) + [11_000_000] {
      #expect(try Manifests.parse(text(padding)).periods[0].adaptationSets[0].name == label)
    }
  }

  @Test func periodsFollowEachOther() throws {
    let set =
      "<AdaptationSet mimeType=\"video/mp4\"><SegmentTemplate media=\"$Number$\" timescale=\"10\" duration=\"40\"/><Representation id=\"r\" bandwidth=\"1\"/></AdaptationSet>"
    let text = """
      <MPD type="static" mediaPresentationDuration="PT30S"><Period id="a" duration="PT5.5S">\(set)</Period><Period>\(set)</Period>
      <Period start="PT20S">\(set)</Period></MPD>
      """
    let periods = try Manifests.parse(text).periods
    #expect(periods.map(\.start) == [.zero, .milliseconds(5_500), .milliseconds(20_000)])
    #expect(periods.map(\.duration) == [.milliseconds(5_500), .milliseconds(14_500), .milliseconds(10_000)])
    let timelines = periods.compactMap { $0.adaptationSets[0].renditions[0].timeline }
    #expect(timelines.map(\.count) == [2, 4, 3])
    #expect(timelines[1][0].map { timelines[1].start(of: $0) } == .milliseconds(5_500))
    #expect(timelines.map { $0[0]?.discontinuity } == [0, 1, 2])
    #expect(timelines.map(\.end) == [.milliseconds(5_500), .milliseconds(20_000), .milliseconds(30_000)])
    #expect(
      Manifests.refusal("<MPD type=\"static\"><Period>\(set)</Period><Period>\(set)</Period></MPD>").contains("begins"))
    #expect(
      Manifests.refusal("<MPD><Period start=\"PT9S\">\(set)</Period><Period start=\"PT8S\">\(set)</Period></MPD>") != ""
    )
    #expect(Manifests.refusal("<MPD type=\"static\"><Period>\(set)</Period></MPD>").contains("has an end"))
  }

  @Test func baseAddressesAreInherited() throws {
    let text = """
      <MPD type="static" mediaPresentationDuration="PT4S"><BaseURL>https://one/x/</BaseURL><BaseURL>https://two/</BaseURL>
      <Period><BaseURL>p/</BaseURL><AdaptationSet mimeType="video/mp4"><BaseURL>../a/</BaseURL>
      <SegmentTemplate media="$Number$" duration="4"/>
      <Representation id="r" bandwidth="1"/><Representation id="s" bandwidth="2"><BaseURL>/s/</BaseURL></Representation>
      </AdaptationSet></Period></MPD>
      """
    let renditions = try Manifests.parse(text).periods[0].adaptationSets[0].renditions
    func names(_ rendition: Rendition) -> [String] {
      ([rendition.source] + rendition.mirrors).compactMap { source in
        if case .timeline(let timeline) = source { timeline[0]?.address.text } else { nil }
      }
    }
    #expect(
      renditions.map(names) == [["https://one/x/a/1", "https://two/a/1"], ["https://one/s/1", "https://two/s/1"]])
  }

  /// Attributes and children of the levels above are inherited one by one.
  @Test func templatesAreInherited() throws {
    let text = """
      <MPD type="static" mediaPresentationDuration="PT4S"><Period><SegmentTemplate timescale="10" initialization="i$RepresentationID$" startNumber="3"/>
      <AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$Number$"><SegmentTimeline><S d="20" r="1"/></SegmentTimeline></SegmentTemplate>
      <Representation id="r" bandwidth="1"><SegmentTemplate startNumber="8"/></Representation></AdaptationSet></Period></MPD>
      """
    let segments = try Manifests.segments(text)
    #expect(segments.map(\.number) == [8, 9] && segments.map(\.start) == [0, 20])
    #expect(segments[0].initialization?.address.text == "https://host/dash/ir")
  }

  @Test func listsAreRead() throws {
    let segments = try Manifests.segments(
      Manifests.video(
        "<SegmentList timescale=\"10\" duration=\"40\"><Initialization range=\"0-99\"/><SegmentURL mediaRange=\"100-199\"/><SegmentURL media=\"b.m4s\"/><SegmentURL mediaRange=\"200-300\"/><SegmentURL/></SegmentList>",
        representation: "<BaseURL>v.mp4</BaseURL>"))
    #expect(segments.map(\.start) == [0, 40, 80] && segments.map(\.duration) == [40, 40, 20])
    #expect(segments.map(\.range) == [ByteRange(offset: 100, length: 100), nil, ByteRange(offset: 200, length: 101)])
    #expect(segments.map(\.address.text) == ["v.mp4", "b.m4s", "v.mp4"].map { "https://host/dash/" + $0 })
    #expect(
      segments[1].initialization
        == InitializationSection(address: segments[0].address, range: ByteRange(offset: 0, length: 100)))
    let timed = try Manifests.segments(
      Manifests.video(
        "<SegmentList><SegmentTimeline><S d=\"3\"/><S d=\"4\"/></SegmentTimeline><SegmentURL media=\"a\"/><SegmentURL media=\"b\"/></SegmentList>"
      ))
    #expect(timed.map(\.start) == [0, 3] && timed.map(\.duration) == [3, 4])
  }

  @Test func protectionIsTold() throws {
    func text(_ elements: String) -> String {
      Manifests.video(
        elements + "<SegmentTemplate media=\"$Number$\" duration=\"5\"/>",
        attributes: "xmlns:cenc=\"urn:mpeg:cenc:2013\" xmlns:dashif=\"https://dashif.org/CPS\"")
    }
    let common =
      "<ContentProtection schemeIdUri=\"urn:mpeg:dash:mp4protection:2011\" value=\"cbcs\" cenc:default_KID=\"00112233-4455-6677-8899-aabbccddeeff\"/>"
    let clear =
      "<ContentProtection schemeIdUri=\"urn:uuid:E2719D58-A985-B3C9-781A-B030AF78D30E\"><dashif:Laurl>https://license/x</dashif:Laurl></ContentProtection>"
    let widevine =
      "<ContentProtection schemeIdUri=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"><cenc:pssh>AAAA</cenc:pssh></ContentProtection>"
    let playready = "<ContentProtection schemeIdUri=\"urn:uuid:9A04F079-9840-4286-AB92-E65BE0885F95\"/>"
    for elements in [common + clear, common + clear + widevine] {
      let protection = try Manifests.parse(text(elements)).periods[0].adaptationSets[0].renditions[0].protection
      #expect(protection?.scheme == "cbcs" && protection?.license?.text == "https://license/x")
      #expect(protection?.defaultKeyIdentifier == (0..<16).map { UInt8($0 * 17) })
    }
    #expect(try Manifests.parse(text(common)).periods[0].adaptationSets[0].renditions[0].protection?.license == nil)
    #expect(
      throws: Failure(
        .encrypted, "cannot read the manifest 'https://host/dash/main.mpd?…'",
        cause: "all its tracks are protected by PlayReady and Widevine, which is not played",
        remedy: "ask the publisher for a stream without DRM")
    ) {
      try Manifests.parse(text(common + widevine + playready))
    }
    // A key that was given wins, and so does a licence server; a key of other content does not.
    var server = ContentKeys()
    server.licenceURL = "https://license/y"
    let key = String(repeating: "0", count: 32)
    for keys in [try ContentKeys("00112233445566778899aabbccddeeff:\(key)"), server] {
      let presentation = try Manifests.parse(text(common + widevine + playready), keys: keys)
      let protection = presentation.periods[0].adaptationSets[0].renditions[0].protection
      #expect(protection?.scheme == "cbcs" && protection?.defaultKeyIdentifier?.last == 0xFF)
    }
    let other = try ContentKeys("\(key):\(key)")
    #expect(throws: Failure.self) { try Manifests.parse(text(common + widevine + playready), keys: other) }
  }

  @Test(arguments: [
    ("<MPD/>", "no period"), ("<MPD><Period/></MPD>", "no track"), ("<SmoothStreamingMedia/>", "not <MPD>"),
    ("<MPD>", "well-formed"),
    ("<MPD><Period></MPD>", "well-formed"), ("<html><body>404</body></html>", "not <MPD>"), ("<", "well-formed"),
    ("<MPD a=1/>", "well-formed"), ("<MPD><Period><b></Period></MPD>", "well-formed"),
    (Manifests.video("<SegmentTemplate media=\"a\" duration=\"1\"/>") + "<MPD/>", "well-formed"),
    (Manifests.video("<SegmentTemplate media=\"a\" duration=\"1\"/>") + "<", "well-formed"),
    (Manifests.video("<SegmentTemplate media=\"&a;\" duration=\"1\"/>"), "well-formed"),
    ("<MPD><Period xlink:href=\"https://other/p.xml\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"/></MPD>", "xlink"),
    ("<MPD><Period duration=\"-PT5S\"/></MPD>", "@duration"),
    ("<MPD mediaPresentationDuration=\"INF\"><Period/></MPD>", "@mediaPresentationDuration"),
    (Manifests.video(""), "has no segments"),
    (Manifests.video("<SegmentTemplate duration=\"1\"/>"), "@media is missing"),
    (Manifests.video("<SegmentList duration=\"1\"/>"), "lists no segment"),
    (Manifests.video("<SegmentList><SegmentURL/><SegmentURL/></SegmentList>"), "neither @duration nor"),
    (Manifests.video("<SegmentBase indexRange=\"9-5\"/>"), "@indexRange"),
    (Manifests.video("<SegmentBase/>", representation: "<BaseURL>file:///etc/passwd</BaseURL>"), "local file"),
    (Manifests.video("<SegmentTemplate media=\"a\" duration=\"1\"/>").replacing("500000", with: "-1"), "@bandwidth"),
    (
      Manifests.video("<SegmentTemplate media=\"a\" duration=\"1\"/>").replacing(
        "id=\"r1\"", with: "width=\"99999999\""), "@width"
    ),
  ])
  func brokenManifestsAreRefusedInASentence(text: String, part: String) {
    let refusal = Manifests.refusal(text)
    #expect(refusal.contains(part) && !refusal.contains("token") && !refusal.contains("\n"), "\(refusal)")
    #expect(refusal.hasPrefix("cannot read the manifest 'https://host/dash/main.mpd?…': "), "\(refusal)")
  }

  @Test func anAbsentRemoteElementIsNone() throws {
    let text = Manifests.video("<SegmentTemplate media=\"$Number$\" duration=\"5\"/>").replacing(
      "<Period>",
      with:
        "<Period xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:href=\"urn:mpeg:dash:resolve-to-zero:2013\"/><Period>"
    )
    #expect(try Manifests.parse(text).periods.count == 1)
  }
}
