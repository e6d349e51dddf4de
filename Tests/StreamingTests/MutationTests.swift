import Foundation
import Frames
import Support
import Testing

import Streaming

/// Damaged manifests end in a model that holds together, or in one sentence.
@Suite(.tier(.test)) struct MutationTests {
  /// Texts of other projects where they are at hand, and ours.
  private static func texts(isDASH: Bool) throws -> [[UInt8]] {
    let address = try Playlists.address()
    let real = try RealManifests.files.filter { $0.isDASH == isDASH }.map { try $0.bytes() }
    return real.filter { $0.count < 20_000 && (try? Manifest.parse($0, at: address)) != nil }
      + (isDASH ? dash : hls).map { Array($0.utf8) }
  }

  private static let hls = [
    """
    #EXTM3U
    #EXT-X-VERSION:9
    #EXT-X-TARGETDURATION:4
    #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,CAN-SKIP-UNTIL=24.0
    #EXT-X-PART-INF:PART-TARGET=0.5
    #EXT-X-MEDIA-SEQUENCE:266
    #EXT-X-DISCONTINUITY-SEQUENCE:2
    #EXT-X-DEFINE:NAME="v",VALUE="a"
    #EXT-X-SKIP:SKIPPED-SEGMENTS=2
    #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x000102030405060708090a0b0c0d0e0f
    #EXT-X-MAP:URI="init.mp4",BYTERANGE="800@0"
    #EXT-X-PROGRAM-DATE-TIME:2020-01-01T00:00:00.5Z
    #EXTINF:4.0,
    #EXT-X-BYTERANGE:100@800
    {$v}.mp4
    #EXT-X-DISCONTINUITY
    #EXT-X-PART:DURATION=0.5,URI="b.mp4",INDEPENDENT=YES,BYTERANGE="10@0"
    #EXTINF:0.5,
    #EXT-X-BITRATE:100
    b.mp4
    #EXT-X-DATERANGE:ID="d",START-DATE="2020-01-01T00:00:00Z",DURATION=5,X-A="b,c"
    #EXT-X-PRELOAD-HINT:TYPE=PART,URI="c.mp4"
    #EXT-X-RENDITION-REPORT:URI="../o.m3u8",LAST-MSN=268,LAST-PART=1
    """,
    "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",URI=\"a.m3u8\",CHANNELS=\"2/JOC\"\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.64001f,mp4a.40.2\",RESOLUTION=640x360,FRAME-RATE=29.97,AUDIO=\"a\"\nv.m3u8",
  ]

  private static let dash = [
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="2020-01-01T00:00:00Z" minimumUpdatePeriod="PT2S">
    <BaseURL availabilityTimeOffset="1.5">x/</BaseURL><BaseURL>//other/</BaseURL><UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="2020-01-01T00:01:40Z"/>
    <Period id="p" start="PT10S" duration="PT100S"><AdaptationSet mimeType="video/mp4"><ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"/>
    <SegmentTemplate media="$RepresentationID$/$Number%05d$-$Time$.m4s" initialization="$Bandwidth$.mp4" timescale="90000" presentationTimeOffset="900000" startNumber="7">
    <SegmentTimeline><S t="810000" d="180000" r="3"/><S d="90000" r="-1"/></SegmentTimeline></SegmentTemplate>
    <Representation id="a" bandwidth="500000" width="640" height="360" frameRate="30000/1001"/></AdaptationSet></Period>
    <Period><AdaptationSet contentType="image"><SegmentTemplate media="t$Number$.jpg" duration="10" endNumber="9"/><Representation id="t" bandwidth="1"><EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="8x4"/></Representation></AdaptationSet>
    <AdaptationSet mimeType="audio/mp4"><SegmentList timescale="10" duration="40"><Initialization range="0-99"/><SegmentURL mediaRange="100-199"/><SegmentURL media="b"/></SegmentList><Representation id="l" bandwidth="1"/></AdaptationSet>
    <AdaptationSet mimeType="audio/mp4"><Representation id="b" bandwidth="1"><BaseURL>f.mp4</BaseURL><SegmentBase indexRange="100-200"><Initialization range="0-99"/></SegmentBase></Representation></AdaptationSet></Period></MPD>
    """
  ]

  /// What breaks parsers: ends of number ranges, quotes, tags, entities, schemes.
  private static let tokens = [
    "9223372036854775807", "-1", "0", "4294967296", "4611686018427387890", "99999999999999999999", "1e308", "NaN",
    "inf",
    "0.0000000000001", "\"", "'", ",", "=", "<", ">", "/>", "&amp;", "&#0;", "&x;", "<!--", "-->", "<?a?>", "<![CDATA[",
    "]]>",
    "<!DOCTYPE a [", "#EXTINF:1,\n", "#EXT-X-DISCONTINUITY\n", "#EXT-X-SKIP:SKIPPED-SEGMENTS=5\n", "#EXT-X-ENDLIST\n",
    "\n", "\r", "\u{0}",
    "{$v}", "{$", "}", "$Number$", "$Time%099d$", "$", "../", "file:///etc/passwd", "//", "http://[", "%2e%2e/",
    "r=\"-1\" ",
    "r=\"999999999999\" ", "d=\"1\" ", "t=\"0\" ", "PT", "P1Y", "<S d=\"1\"/>", "<Period/>", "é", "\u{FEFF}",
    "xlink:href=\"a\" ",
  ].map { Array($0.utf8) }

  private static func mutated(_ text: [UInt8], _ others: [[UInt8]], using random: inout SeededGenerator) -> [UInt8] {
    var text = text
    for _ in 0..<Int.random(in: 1...2, using: &random) where !text.isEmpty {
      let place = Int.random(in: text.indices, using: &random)
      let end = min(text.count, place + Int.random(in: 1...60, using: &random))
      // Most changes leave the grammar whole, so that its meaning is tried too.
      switch Int.random(in: 0..<20, using: &random) {
      case 0: text[place] = UInt8.random(in: 0...255, using: &random)
      case 1: text.removeSubrange(place..<end)
      case 2: text.insert(contentsOf: text[place..<end], at: Int.random(in: text.indices, using: &random))
      case 3: text.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: place)
      case 4: replaceNumber(in: &text, from: place, using: &random)
      case 5: text.replaceSubrange(place..<end, with: tokens.randomElement(using: &random) ?? [])
      case 6: text = Array(text[..<place])
      case 7:
        let other = others.randomElement(using: &random) ?? []
        let start = Int.random(in: 0..<max(1, other.count), using: &random)
        text.insert(contentsOf: other[start..<min(other.count, start + 300)], at: place)
      case 8..<14: replaceNumber(in: &text, from: place, using: &random)
      default: replaceValue(in: &text, from: place, using: &random)
      }
    }
    return text
  }

  /// Replaces the next quoted text by one of the file's own, or by a token that fits between quotes.
  private static func replaceValue(in text: inout [UInt8], from place: Int, using random: inout SeededGenerator) {
    let quote = UInt8(ascii: "\"")
    guard let open = text[place...].firstIndex(of: quote), let close = text[(open + 1)...].firstIndex(of: quote) else {
      return
    }
    let values = text.split(separator: quote).filter { !$0.contains(0x3C) && !$0.contains(0x0A) }.map { Array($0) }
    let others = tokens.filter { !$0.contains(quote) && !$0.contains(0x3C) && !$0.contains(0x26) }
    let value = (Bool.random(using: &random) ? values : others).randomElement(using: &random)
    text.replaceSubrange(open + 1..<close, with: value ?? [])
  }

  private static func replaceNumber(in text: inout [UInt8], from place: Int, using random: inout SeededGenerator) {
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    guard let start = text[place...].firstIndex(where: isDigit) else { return }
    let end = text[start...].firstIndex { !isDigit($0) } ?? text.count
    text.replaceSubrange(start..<end, with: tokens[Int.random(in: 0..<10, using: &random)])
  }

  @Test(arguments: [false, true])
  func damagedManifestsEndInAModelOrASentence(isDASH: Bool) throws { try Self.damage(isDASH: isDASH, rounds: 1000) }

  @Test(.tier(.full), arguments: [false, true])
  func tenThousandDamagedManifestsEndInAModelOrASentence(isDASH: Bool) throws {
    try Self.damage(isDASH: isDASH, rounds: 10_000)
  }

  private static func damage(isDASH: Bool, rounds: Int) throws {
    var random = SeededGenerator(for: "damagedManifestsEndInAModelOrASentence")
    let texts = try Self.texts(isDASH: isDASH)
    let address = try Playlists.address()
    let previous = try Playlists.media(
      "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:266\n#EXTINF:4,\na\n#EXTINF:4,\nb\n#EXTINF:4,\nc")
    var (read, refused) = (0, 0)
    for round in 0..<rounds {
      let text = Self.mutated(texts.randomElement(using: &random) ?? [], texts, using: &random)
      do {
        let presentation = try Manifest.parse(text, at: address)
        ManifestCheck(presentation, isRemote: true).check("round \(round), seed \(random.seed)")
        read += 1
      } catch {
        let sentence = "\(error)"
        #expect(!sentence.contains("\n") && sentence.utf8.count < 1_000, "round \(round), seed \(random.seed)")
        refused += 1
      }
      guard !isDASH, let again = try? MediaPlaylist.parse(text, at: address, previous: previous) else { continue }
      _ = again.progress(since: previous)
    }
    print("damaged \(isDASH ? "manifests" : "playlists"): \(read) read, \(refused) refused")
    #expect(read > rounds / 10 && refused > rounds / 10)
  }
}
