import Frames
import Support
import Testing

import Streaming

/// Each tag of a media playlist changes what it is to change, and nothing else.
@Suite struct MediaPlaylistTests {
  private static let start = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n"

  @Test func segmentsLieEndToEnd() throws {
    let playlist = try Playlists.media(
      "\u{FEFF}#EXTM3U\r\n#EXT-X-VERSION:3\r\n#EXT-X-TARGETDURATION:10\r\n#EXT-X-MEDIA-SEQUENCE:7\r\n# note\r\n"
        + "#EXT-X-NEW-TAG:1\r\n\r\n#EXTINF:9.97667,title, with comma\r\na.ts\r\n#EXTINF:4\r\n  b.ts \r\n#EXT-X-ENDLIST\r\n"
    )
    let segments = Playlists.segments(playlist)
    #expect(segments.map(\.number) == [7, 8])
    #expect(segments.map(\.start) == [0, 9_976_670_000] && segments.map(\.duration) == [9_976_670_000, 4_000_000_000])
    #expect(segments.map(\.address.text) == ["https://host/live/a.ts", "https://host/live/b.ts"])
    #expect(playlist.isEnded && playlist.kind == .onDemand && playlist.liveness.updateInterval == nil)
    #expect(playlist.timeline.end == MediaTime(nanoseconds: 13_976_670_000))
    #expect(
      playlist.timeline.index(at: .milliseconds(9_976)) == 0 && playlist.timeline.index(at: .milliseconds(9_977)) == 1)
    #expect(
      playlist.timeline.index(at: .milliseconds(-5)) == 0 && playlist.timeline.index(at: .milliseconds(99_999)) == 1)
    #expect(playlist.timeline.index(ofNumber: 8) == 1 && playlist.timeline.index(ofNumber: 9) == nil)
  }

  @Test func byteRangesContinue() throws {
    let playlist = try Playlists.media(
      Self.start
        + """
        #EXT-X-MAP:URI="v.mp4",BYTERANGE="700@20"
        #EXTINF:1,
        #EXT-X-BYTERANGE:100@720
        v.mp4
        #EXT-X-BYTERANGE:50
        #EXTINF:1,
        v.mp4
        #EXTINF:1,
        #EXT-X-BYTERANGE:30@0
        w.mp4
        """)
    let segments = Playlists.segments(playlist)
    #expect(segments.map(\.range) == [(720, 100), (820, 50), (0, 30)].map { ByteRange(offset: $0.0, length: $0.1) })
    #expect(segments[1].initialization?.range == ByteRange(offset: 20, length: 700))
    #expect(segments[2].initialization?.address.text == "https://host/live/v.mp4")
  }

  @Test func keysRotate() throws {
    let playlist = try Playlists.media(
      Self.start
        + """
        #EXT-X-MEDIA-SEQUENCE:258
        #EXTINF:1,
        a.ts
        #EXT-X-KEY:METHOD=AES-128,URI="k1?a,b"
        #EXTINF:1,
        b.ts
        #EXT-X-KEY:METHOD=AES-128,URI="k2",IV=0x0F0E0d0c0b0a09080706050403020100,KEYFORMAT="identity",KEYFORMATVERSIONS="1/2"
        #EXT-X-MAP:URI="i.mp4"
        #EXTINF:1,
        c.ts
        #EXT-X-KEY:METHOD=NONE
        #EXTINF:1,
        d.ts
        """)
    let segments = Playlists.segments(playlist)
    #expect(segments.map { $0.key?.address.text.suffix(6) } == [nil, "k1?a,b", "ive/k2", nil])
    #expect(segments[1].key?.vector(forSegment: 259).bytes == [UInt8](repeating: 0, count: 14) + [1, 3])
    #expect(segments[2].key?.vector(forSegment: 1).bytes == Array((0...15).reversed()) as [UInt8])
    #expect(segments[2].initialization?.key == segments[2].key && segments[3].initialization?.key != nil)
  }

  @Test(arguments: [
    ("METHOD=SAMPLE-AES,URI=\"k\"", Failure.Kind.encrypted, "SAMPLE-AES"),
    ("METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"", .encrypted, "FairPlay"),
    (
      "METHOD=SAMPLE-AES-CTR,URI=\"data:x\",KEYFORMAT=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"", .encrypted,
      "Widevine"
    ),
    ("METHOD=AES-256,URI=\"k\"", .unsupported, "AES-256"),
  ])
  func otherEncryptionIsRefused(attributes: String, kind: Failure.Kind, name: String) throws {
    let text = Self.start + "#EXT-X-KEY:\(attributes)\n#EXTINF:1,\na.ts\n"
    #expect {
      try Playlists.presentation(text)
    } throws: { error in
      let failure = error as? Failure
      return failure?.kind == kind && "\(error)".contains(name) && "\(error)".contains("line 3")
    }
    // A second key that is understood makes the segments playable.
    let both =
      Self.start
      + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-KEY:\(attributes.replacing("METHOD=AES-256,URI=\"k\"", with: "METHOD=SAMPLE-AES,KEYFORMAT=\"x\""))\n#EXTINF:1,\na.ts\n"
    if attributes.contains("KEYFORMAT") { #expect(try Playlists.segments(Playlists.media(both))[0].key != nil) }
  }

  @Test func discontinuitiesAreCounted() throws {
    let playlist = try Playlists.media(
      Self.start
        + """
        #EXT-X-DISCONTINUITY-SEQUENCE:3
        #EXTINF:1,
        a.ts
        #EXT-X-DISCONTINUITY
        #EXTINF:1,
        #EXT-X-GAP
        b.ts
        #EXT-X-BITRATE:1500
        #EXTINF:1,
        c.ts
        """)
    let segments = Playlists.segments(playlist)
    #expect(segments.map(\.discontinuity) == [3, 4, 4] && segments.map(\.isGap) == [false, true, false])
    #expect(segments.map(\.bitrate) == [nil, nil, 1_500_000])
    #expect(!playlist.isEnded && playlist.kind == .window)
    #expect(
      playlist.liveness
        == Liveness(
          kind: .window, isEnded: false, updateInterval: .milliseconds(10_000), holdBack: .milliseconds(30_000)))
  }

  @Test func datesReachTheirNeighbours() throws {
    let playlist = try Playlists.media(
      Self.start
        + """
        #EXTINF:2,
        a.ts
        #EXT-X-PROGRAM-DATE-TIME:2020-01-01T00:00:10.500Z
        #EXTINF:3,
        b.ts
        #EXTINF:3,
        c.ts
        #EXT-X-DISCONTINUITY
        #EXTINF:3,
        d.ts
        """)
    let zero = try #require(WallTime("2020-01-01T00:00:00Z".utf8))
    let times = Playlists.segments(playlist).map { $0.wallTime.map { ($0 - zero).milliseconds } }
    #expect(times == [8_500, 10_500, 13_500, nil])
  }

  @Test func partsBelongToTheirSegments() throws {
    let playlist = try Playlists.media(
      """
      #EXTM3U
      #EXT-X-TARGETDURATION:4
      #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,CAN-SKIP-UNTIL=24.0,HOLD-BACK=12,CAN-SKIP-DATERANGES=YES
      #EXT-X-PART-INF:PART-TARGET=0.33334
      #EXT-X-MEDIA-SEQUENCE:266
      #EXT-X-MAP:URI="init.mp4"
      #EXTINF:4.0,
      266.mp4
      #EXT-X-PART:DURATION=2,URI="267.mp4",INDEPENDENT=YES,BYTERANGE="100@0"
      #EXT-X-PART:DURATION=1.5,URI="267.mp4",BYTERANGE="50",GAP=YES
      #EXTINF:3.5,
      267.mp4
      #EXT-X-PART:DURATION=0.33334,URI="268.0.mp4",INDEPENDENT=YES
      #EXT-X-PART:DURATION=0.33334,URI="268.1.mp4"
      #EXT-X-PRELOAD-HINT:TYPE=PART,URI="268.2.mp4",BYTERANGE-START=10
      #EXT-X-RENDITION-REPORT:URI="../1M/media.m3u8",LAST-MSN=268,LAST-PART=1
      """)
    let segments = Playlists.segments(playlist)
    #expect(segments.map(\.parts.count) == [0, 2])
    #expect(segments[1].parts.map(\.range) == [ByteRange(offset: 0, length: 100), ByteRange(offset: 100, length: 50)])
    #expect(segments[1].parts.map(\.start) == [4_000_000_000, 6_000_000_000])
    #expect(
      segments[1].parts.map(\.isIndependent) == [true, false] && segments[1].parts.map(\.isGap) == [false, true])
    #expect(playlist.edge.parts.map(\.start) == [7_500_000_000, 7_833_340_000])
    #expect(playlist.edge.hints.map(\.offset) == [10] && playlist.edge.hints[0].length == nil)
    #expect(
      playlist.edge.reports.map(\.lastNumber) == [268]
        && playlist.edge.reports[0].address.text == "https://host/1M/media.m3u8")
    #expect(playlist.server.canSkipUntil == .milliseconds(24_000) && playlist.server.canSkipDateRanges)
    #expect(playlist.liveness.updateInterval == MediaTime(nanoseconds: 333_340_000))
    #expect(playlist.liveness.holdBack == .milliseconds(1_000))
  }

  @Test func variablesAreReplaced() throws {
    var outer = PlaylistVariables()
    outer.values = ["host": "cdn.example"]
    let text =
      Self.start
        + """
        #EXT-X-DEFINE:NAME="path",VALUE="a/b"
        #EXT-X-DEFINE:IMPORT="host"
        #EXT-X-DEFINE:QUERYPARAM="token"
        #EXT-X-MAP:URI="https://{$host}/{$path}/init.mp4"
        #EXTINF:1,
        {$path}/1.ts?t={$token}
        """
    let segment = Playlists.segments(try Playlists.media(text, variables: outer))[0]
    #expect(segment.address.text == "https://host/live/a/b/1.ts?t=1")
    #expect(segment.initialization?.address.text == "https://cdn.example/a/b/init.mp4")
    #expect(Playlists.refusal(text).contains("line 4") && Playlists.refusal(text).contains("'host'"))
    for wrong in ["NAME=\"path\",VALUE=\"\"", "QUERYPARAM=\"none\"", "VALUE=\"x\""] {
      let twice = Self.start + "#EXT-X-DEFINE:NAME=\"path\",VALUE=\"a\"\n#EXT-X-DEFINE:\(wrong)\n#EXTINF:1,\na.ts"
      #expect(Playlists.refusal(twice).contains("line 4"))
    }
    #expect(Playlists.refusal(Self.start + "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n#EXTINF:1,\n{$c}").contains("'c'"))
    // Without a definition it is the name of a file.
    #expect(
      Playlists.segments(try Playlists.media(Self.start + "#EXTINF:1,\n{$c}"))[0].address.text.hasSuffix("%7B$c%7D"))
  }

  @Test func datesOfProgrammesAreMerged() throws {
    let playlist = try Playlists.media(
      Self.start
        + """
        #EXT-X-DATERANGE:ID="ad,1",CLASS="x",START-DATE="2020-01-01T00:00:00Z",PLANNED-DURATION=30.5,X-URI="http://h/a,b",SCTE35-OUT=0xFC
        #EXTINF:1,
        a.ts
        #EXT-X-DATERANGE:ID="ad,1",DURATION=29.5,END-DATE="2020-01-01T00:00:29.5Z"
        """)
    let range = try #require(playlist.dateRanges.first)
    #expect(playlist.dateRanges.count == 1 && range.id == "ad,1" && range.rangeClass == "x")
    #expect(range.plannedDuration == .milliseconds(30_500) && range.duration == .milliseconds(29_500))
    #expect(range.attributes == ["X-URI": "http://h/a,b", "SCTE35-OUT": "0xFC"])
  }

  @Test func theStartIsRead() throws {
    let playlist = try Playlists.media(Self.start + "#EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES\n#EXTINF:1,\na.ts")
    #expect(playlist.startPoint == StartPoint(offset: .milliseconds(-12_500), isPrecise: true))
  }

  @Test(arguments: [
    ("", "does not begin"), ("#EXTM3U8\n#EXTINF:1,\na", "does not begin"),
    ("#EXTM3U\n", "neither segments nor variants"),
    ("#EXTM3U\n#EXTINF:1,\na\n#EXTINF:-1,\nb", "line 4"), ("#EXTM3U\n#EXTINF:x,\na", "line 2"),
    ("#EXTM3U\n#EXTINF:1,\na\nb", "line 4: a segment has no #EXTINF"), ("#EXTM3U\n#EXTINF:NaN,\nb", "line 2"),
    ("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd", "local file"),
    ("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:10\na", "no offset"),
    ("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:9@4611686018427387903\na", "line 3"),
    ("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:5@x\na", "line 3"), ("#EXTM3U\n#EXT-X-TARGETDURATION:-1", "line 2"),
    ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128\n#EXTINF:1,\na", "URI is missing"),
    ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\n#EXTINF:1,\na", "no end"),
    ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0xG\n#EXTINF:1,\na", "IV is not"),
    ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x000000000000000000000000000000000\n#EXTINF:1,\na", "IV is not"),
    ("#EXTM3U\n#EXT-X-MAP:BYTERANGE=\"1@2\"\n#EXTINF:1,\na", "URI is missing"),
    ("#EXTM3U\n#EXTINF:1,\na\n#EXT-X-MEDIA-SEQUENCE:3", "line 4"),
    ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:9223372036854775807\n#EXTINF:1,\na", "line 2"),
    ("#EXTM3U\n#EXT-X-PROGRAM-DATE-TIME:yesterday\n#EXTINF:1,\na", "line 2"),
    ("#EXTM3U\n#EXTINF:1,\na\n#EXT-X-STREAM-INF:BANDWIDTH=1\nb", "line 4"),
    ("#EXTM3U\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:1,\na", "delta update"),
    ("#EXTM3U\n#EXT-X-PART:URI=\"a\"", "DURATION is missing"), ("#EXTM3U\n#EXT-X-START:PRECISE=YES", "TIME-OFFSET"),
    ("#EXTM3U\n#EXT-X-DATERANGE:CLASS=\"a\"", "ID is missing"), ("#EXTM3U\n#EXT-X-PART-INF:PART-TARGET=0", "line 2"),
    ("#EXTM3U\n#EXTINF:1,\na\u{0}b", "control character"),
  ])
  func brokenPlaylistsAreRefusedInASentence(text: String, part: String) {
    let refusal = Playlists.refusal(text)
    #expect(refusal.contains(part), "\(refusal)")
    #expect(refusal.hasPrefix("cannot read the playlist 'https://host/live/main.m3u8?…'"))
    #expect(!refusal.contains("token") && !refusal.contains("\n"))
  }

  /// 24 hours of pictures at 30000/1001 per second in segments of 60: no nanosecond is lost in the sum.
  @Test func sumsAreExactOverADay() throws {
    let count = 43_157
    let lines = (0..<count).map { "#EXTINF:2.002000000,\n\($0).ts\n" }.joined()
    let playlist = try Playlists.media(Self.start + lines + "#EXT-X-ENDLIST")
    #expect(playlist.timeline.end?.nanoseconds == Int64(count) * 2_002_000_000)
  }

  @Test func segmentsAreLimited() throws {
    func text(_ count: Int) -> String { Self.start + String(repeating: "#EXTINF:1,\na\n", count: count) }
    #expect(try Playlists.media(text(ManifestLimits.segmentCount)).timeline.count == ManifestLimits.segmentCount)
    #expect(Playlists.refusal(text(ManifestLimits.segmentCount + 1)).contains("100000 segments"))
    let long = Array(("#EXTM3U\n" + String(repeating: "#\n", count: ManifestLimits.byteCount / 2)).utf8)
    #expect(throws: Failure.self) { try Manifest.parse(long, at: Playlists.address()) }
  }

  /// A long variable in each of many segments would take gigabytes.
  @Test func addressesAreLimitedTogether() {
    let long = String(repeating: "a", count: 8_000)
    let lines = String(repeating: "#EXTINF:1,\n{$v}\n", count: 20_000)
    let refusal = Playlists.refusal(Self.start + "#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(long)\"\n" + lines)
    #expect(refusal.contains("64 MiB together"), "\(refusal)")
    let twice = Playlists.refusal(Self.start + "#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(long)\"\n#EXTINF:1,\n{$v}{$v}")
    #expect(twice.contains("text with variables is longer than 8192 bytes"), "\(twice)")
    // Each variable would be twice as long as the one before it.
    let doubling = (1..<60).map { "#EXT-X-DEFINE:NAME=\"\($0)\",VALUE=\"{$\($0 - 1)}{$\($0 - 1)}\"\n" }.joined()
    let chain = Playlists.refusal(Self.start + "#EXT-X-DEFINE:NAME=\"0\",VALUE=\"abc\"\n" + doubling)
    #expect(chain.contains("line 15: a text with variables is longer"), "\(chain)")
  }
}
