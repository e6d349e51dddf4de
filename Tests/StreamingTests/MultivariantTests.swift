import Frames
import Support
import Testing

import Streaming

@Suite struct MultivariantTests {
  private static let full = """
    #EXTM3U
    #EXT-X-INDEPENDENT-SEGMENTS
    #EXT-X-START:TIME-OFFSET=4
    #EXT-X-DEFINE:NAME="cdn",VALUE="https://cdn.example"
    #EXT-X-SESSION-DATA:DATA-ID="com.example.title",VALUE="x"
    #EXT-X-SESSION-KEY:METHOD=AES-128,URI="key"
    #EXT-X-CONTENT-STEERING:SERVER-URI="/steer"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="lo",LANGUAGE="en",NAME="English",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a/en-lo.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="lo",LANGUAGE="de",NAME="Deutsch",AUTOSELECT=YES,URI="a/de-lo.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="hi",LANGUAGE="en",NAME="English",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="16/JOC",URI="a/en-hi.m3u8"
    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",LANGUAGE="en",NAME="English",FORCED=YES,CHARACTERISTICS="public.accessibility.x,y",URI="{$cdn}/s.m3u8"
    #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",LANGUAGE="en",NAME="CC",INSTREAM-ID="CC1"
    #EXT-X-STREAM-INF:BANDWIDTH=3000000,AVERAGE-BANDWIDTH=2500000,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,AUDIO="lo",SUBTITLES="s",CLOSED-CAPTIONS="c",HDCP-LEVEL=NONE
    v/720.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=9000000,CODECS="hvc1.2.4.L150,ec-3",RESOLUTION=3840x2160,FRAME-RATE=60,VIDEO-RANGE=PQ,AUDIO="hi",REQ-VIDEO-LAYOUT="CH-STEREO/PROJ-HEQU",SCORE=2.5,SUPPLEMENTAL-CODECS="dvh1.08.07/db4h"
    v/2160.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=23.976,AUDIO="lo",CLOSED-CAPTIONS=NONE
    v/360.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5",AUDIO="lo"
    a/only.m3u8
    #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=200000,CODECS="avc1.64001f",RESOLUTION=640x360,URI="v/360-i.m3u8"
    """

  @Test func allThatItTellsIsInTheModel() throws {
    let presentation = try Playlists.presentation(Self.full)
    let sets = presentation.periods[0].adaptationSets
    #expect(sets.map(\.kind) == [.video, .video, .audio, .audio, .audio, .subtitles, .captions, .trickPlay])
    let avc = sets[0].renditions
    #expect(avc.map(\.bandwidth) == [Bandwidth(peak: 3_000_000, average: 2_500_000), Bandwidth(peak: 1_000_000)])
    #expect(avc.map(\.video.frameRate) == [Ratio(30_000, 1_001), Ratio(24_000, 1_001)])
    #expect(avc[0].codecs == ["avc1.640028", "mp4a.40.2"] && avc[0].video.width == 1_280 && avc[0].video.height == 720)
    #expect(avc.map(\.groups.captions) == ["c", nil] && avc[0].groups.subtitles == "s" && avc[0].groups.audio == "lo")
    let hevc = sets[1].renditions[0]
    #expect(hevc.video.range == .pq && hevc.video.stereo == .layers && hevc.video.projection == .halfEquirectangular)
    #expect(hevc.score == 2.5 && hevc.supplementalCodecs == ["dvh1.08.07/db4h"] && hevc.video.frameRate == Ratio(60, 1))
    #expect(sets[2].renditions[0].codecs == ["mp4a.40.5"])
    #expect(sets[3].name == "English" && sets[3].language == "en" && sets[3].isDefault && sets[3].isAutomatic)
    #expect(sets[3].renditions.map(\.groups.own) == ["lo", "hi"] && sets[3].renditions[1].audio.layout == "JOC")
    #expect(sets[3].renditions.map(\.audio.channels) == [2, 16] && sets[4].name == "Deutsch" && !sets[4].isDefault)
    #expect(sets[5].isForced && sets[5].roles == ["public.accessibility.x", "y"] && sets[6].channel == "CC1")
    guard case .playlist(let address, nil) = sets[5].renditions[0].source else {
      Issue.record("no playlist")
      return
    }
    #expect(address.text == "https://cdn.example/s.m3u8")
    guard case .insideVideo = sets[6].renditions[0].source else {
      Issue.record("captions outside the video")
      return
    }
    #expect(presentation.sessionKeys.map(\.address.text) == ["https://host/live/key"])
    #expect(presentation.hasIndependentSegments && presentation.startPoint?.offset == .milliseconds(4_000))
    #expect(presentation.notes == ["content steering is not followed"] && presentation.liveness == nil)
    let media = "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"cdn\"\n#EXTINF:1,\n{$cdn}/1.ts"
    let playlist = try Playlists.media(media, variables: presentation.variables)
    #expect(playlist.timeline[0]?.address.text == "https://cdn.example/1.ts")
  }

  /// Without codecs and sizes variants are taken for video.
  @Test func variantsWithoutFactsAreVideo() throws {
    let presentation = try Playlists.presentation(
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2\na\n#EXT-X-STREAM-INF:BANDWIDTH=1\nb")
    #expect(presentation.periods[0].adaptationSets.map(\.kind) == [.video])
    #expect(presentation.periods[0].adaptationSets[0].renditions.map(\.id) == ["0", "1"])
  }

  /// Variants that agree in all but their address are one rendition on several servers.
  @Test func redundantVariantsAreMirrors() throws {
    let lines = ["1,A", "2,A", "1,B", "1,A", "1,A", "1,A", "1,A"].enumerated().map { place, facts in
      "#EXT-X-STREAM-INF:BANDWIDTH=\(facts.prefix(1)),AUDIO=\"\(facts.suffix(1))\"\n\(place).m3u8\n"
    }
    let renditions = try Playlists.presentation("#EXTM3U\n" + lines.joined()).periods[0].adaptationSets[0].renditions
    let names = renditions.map { rendition in
      ([rendition.source] + rendition.mirrors).compactMap { source in
        if case .playlist(let address, _) = source { address.text.suffix(6).prefix(1) } else { nil }
      }.joined()
    }
    #expect(names == ["0345", "1", "2"])
  }

  @Test(arguments: [
    ("#EXT-X-STREAM-INF:CODECS=\"avc1\"\na", "line 2: #EXT-X-STREAM-INF: BANDWIDTH is missing"),
    ("#EXT-X-STREAM-INF:BANDWIDTH=-5\na", "BANDWIDTH is not a number"), ("#EXT-X-STREAM-INF:BANDWIDTH=1", "no variant"),
    ("#EXT-X-STREAM-INF:BANDWIDTH=1\na\nb", "line 4"), ("#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"a\"", "GROUP-ID is missing"),
    ("#EXT-X-MEDIA:GROUP-ID=\"a\",NAME=\"a\"", "TYPE is missing"),
    ("#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"a\",NAME=\"a\"", "URI is missing"),
    ("#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1\na", "RESOLUTION"),
    ("#EXT-X-STREAM-INF:BANDWIDTH=1\nfile:///a", "local file"),
    ("#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXT-X-TARGETDURATION:10", "line 4"),
    ("#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1", "URI is missing"),
    ("#EXT-X-STREAM-INF:BANDWIDTH=1,FRAME-RATE=inf\na", "FRAME-RATE"),
  ])
  func brokenPlaylistsAreRefused(lines: String, part: String) {
    let refusal = Playlists.refusal("#EXTM3U\n" + lines)
    #expect(refusal.contains(part), "\(refusal)")
  }

  @Test func variantsAreLimited() {
    let many = String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\na\n", count: ManifestLimits.renditionCount + 1)
    #expect(Playlists.refusal("#EXTM3U\n" + many).contains("4096 variants"))
  }

  /// A playlist that names itself is a presentation: those who load it count how deep they go.
  @Test func aPlaylistMayNameItself() throws {
    let presentation = try Playlists.presentation("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmain.m3u8?token=1")
    guard case .playlist(let address, nil)? = presentation.periods[0].adaptationSets[0].renditions.first?.source else {
      Issue.record("no playlist")
      return
    }
    #expect(try address == Playlists.address())
  }
}
