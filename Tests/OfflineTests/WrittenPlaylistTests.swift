import Foundation
import Frames
import Offline
import Streaming
import Support
import Testing

/// The written playlist or manifest says the same as the one that was read, but for names.
@Suite(.tier(.test)) struct WrittenPlaylistTests {
  /// Serves texts by name, and any other name as its own bytes.
  private static func server(_ texts: [String: String]) throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      let path = String(request.path.dropFirst())
      if path.hasSuffix("key") { return connection.serve([UInt8](repeating: path.utf8.first ?? 0, count: 16), request) }
      return connection.serve(Array((texts[path] ?? String(repeating: path, count: 40)).utf8), request)
    }
  }

  private static func timeline(_ text: String, at url: String) throws -> [Segment] {
    let playlist = try #require(try MediaPlaylist.parse(Array(text.utf8), at: try StreamAddress(url: url)))
    return (0..<(playlist.timeline.count ?? 0)).compactMap { playlist.timeline[$0] }
  }

  /// Discontinuities, keys that change and end, sections, parts of files, gaps and dates, in random order.
  @Test func mediaPlaylistsSayTheSame() throws {
    var generator = SeededGenerator(for: "media playlists say the same")
    for _ in 0..<20 {
      let text = Self.playlist(using: &generator)
      let server = try Self.server(["media.m3u8": text])
      try TestFolders.withTemporary { folder in
        let made = try Download(server.url("/media.m3u8"), into: folder).run()
        let written = try String(contentsOfFile: made.folder + "/video.m3u8", encoding: .utf8)
        let (before, after) = (
          try Self.timeline(text, at: server.url("/media.m3u8")), try Self.timeline(written, at: server.url("/x.m3u8"))
        )
        #expect(before.count == after.count, "\(text)\n\(written)")
        for (old, new) in zip(before, after) {
          #expect((old.start, old.duration, old.number) == (new.start, new.duration, new.number), "\(text)\n\(written)")
          #expect((old.discontinuity, old.isGap) == (new.discontinuity, new.isGap), "\(text)\n\(written)")
          guard !old.isGap else { continue }
          #expect((old.key == nil) == (new.key == nil) && (old.initialization == nil) == (new.initialization == nil))
          if let key = old.key, let other = new.key {
            #expect(key.vector(forSegment: old.number) == other.vector(forSegment: new.number), "\(text)\n\(written)")
            let path = made.folder + other.address.text.dropFirst(server.url("").count)
            let name = key.address.text.split(separator: "/").last ?? ""
            #expect(FileManager.default.contents(atPath: path)?.first == name.utf8.first)
          }
          let path = made.folder + new.address.text.dropFirst(server.url("").count)
          #expect(FileManager.default.contents(atPath: path).map { [UInt8]($0) } == Self.content(of: old, server))
        }
      }
    }
  }

  private static func content(of segment: Segment, _ server: ScriptedServer) -> [UInt8] {
    let name = segment.address.text.dropFirst(server.url("/").count)
    let whole = Array(String(repeating: String(name), count: 40).utf8)
    return segment.range.map { Array(whole[Int($0.offset)..<Int($0.end)]) } ?? whole
  }

  private static func playlist(using generator: inout SeededGenerator) -> String {
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:9", "#EXT-X-PLAYLIST-TYPE:VOD",
      "#EXT-X-MEDIA-SEQUENCE:\(Int.random(in: 0...9, using: &generator))",
    ]
    for number in 0..<Int.random(in: 2...12, using: &generator) {
      func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }
      if chance(0.2) { lines.append("#EXT-X-DISCONTINUITY") }
      if chance(0.3) {
        let vector = chance(0.5) ? ",IV=0x\(String(UInt64.random(in: 1...(.max), using: &generator), radix: 16))" : ""
        lines.append("#EXT-X-KEY:METHOD=AES-128,URI=\"\(number % 3).key\"\(vector)")
      } else if chance(0.1) {
        lines.append("#EXT-X-KEY:METHOD=NONE")
      }
      if chance(0.2), !lines.contains(where: { $0.contains("METHOD=AES") }) {
        lines.append("#EXT-X-MAP:URI=\"map-\(number).mp4\"")
      }
      if chance(0.1) { lines.append("#EXT-X-PROGRAM-DATE-TIME:2026-11-2\(number % 9)T10:00:00.250Z") }
      lines.append(
        "#EXTINF:\(Int.random(in: 1...8, using: &generator)).\(Int.random(in: 100...999, using: &generator)),")
      // Of gaps alone there is nothing to download, and it is refused.
      if chance(0.1), number > 0 { lines.append("#EXT-X-GAP") }
      if chance(0.2) { lines.append("#EXT-X-BYTERANGE:\(Int.random(in: 1...50, using: &generator))@\(number)") }
      lines.append("segment-\(number).ts")
    }
    return lines.joined(separator: "\n") + "\n#EXT-X-ENDLIST\n"
  }

  /// Periods with their own time stamps, sets with languages and roles, and a sphere.
  @Test func manifestsSayTheSame() throws {
    let text = """
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT15S">
        <Period duration="PT10S">
          <AdaptationSet mimeType="video/mp4">
            <SupplementalProperty schemeIdUri="urn:mpeg:mpegI:omaf:2017:pf" value="0"/>
            <Representation id="a&amp;b" bandwidth="100" codecs="avc1.64000C" width="640" height="320" frameRate="30000/1001">
              <SegmentTemplate timescale="1000" presentationTimeOffset="7000" initialization="a-init" media="a-$Number$">
                <SegmentTimeline><S t="7000" d="2000" r="3"/><S d="1500"/><S d="500"/></SegmentTimeline></SegmentTemplate>
            </Representation>
          </AdaptationSet>
          <AdaptationSet mimeType="audio/mp4" lang="de"><Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
            <Representation id="s" bandwidth="10" codecs="mp4a.40.2" audioSamplingRate="48000">
              <SegmentTemplate timescale="48000" duration="240000" initialization="s-init" media="s-$Number$"/>
            </Representation>
          </AdaptationSet>
        </Period>
        <Period duration="PT5S">
          <AdaptationSet mimeType="video/mp4"><Representation id="c" bandwidth="90" codecs="avc1.64000C">
            <SegmentTemplate timescale="90000" presentationTimeOffset="90000" duration="450000" media="c-$Time$"/>
          </Representation></AdaptationSet>
          <AdaptationSet mimeType="audio/mp4" lang="de"><Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
            <Representation id="t" bandwidth="10" codecs="mp4a.40.2"><SegmentTemplate timescale="1" duration="5" media="t-$Number$"/>
            </Representation></AdaptationSet>
        </Period>
      </MPD>
      """
    let server = try Self.server(["manifest.mpd": text])
    try TestFolders.withTemporary { folder in
      let made = try Download(server.url("/manifest.mpd"), into: folder).run()
      let written = try String(contentsOfFile: try #require(made.path), encoding: .utf8)
      let address = try StreamAddress(url: server.url("/manifest.mpd"))
      let (old, new) = (
        try Manifest.parse(Array(text.utf8), at: address), try Manifest.parse(Array(written.utf8), at: address)
      )
      #expect(old.duration == new.duration && old.periods.map(\.start) == new.periods.map(\.start), "\(written)")
      #expect(old.periods.map(\.duration) == new.periods.map(\.duration))
      for (before, after) in zip(old.periods, new.periods) {
        #expect(before.adaptationSets.map(\.language) == after.adaptationSets.map(\.language))
        #expect(before.adaptationSets.map(\.roles) == after.adaptationSets.map(\.roles))
        for (set, other) in zip(before.adaptationSets, after.adaptationSets) {
          let (first, second) = (try #require(set.renditions.first), try #require(other.renditions.first))
          #expect((first.id, first.codecs, first.video) == (second.id, second.codecs, second.video), "\(written)")
          let (a, b) = (try #require(first.timeline), try #require(second.timeline))
          #expect((a.count, a.timescale, a.mediaOffset, a.origin) == (b.count, b.timescale, b.mediaOffset, b.origin))
          for place in 0..<(a.count ?? 0) {
            let (x, y) = (try #require(a[place]), try #require(b[place]))
            #expect((x.start, x.duration) == (y.start, y.duration), "\(written)")
            #expect((x.initialization == nil) == (y.initialization == nil))
          }
        }
      }
    }
  }

  /// What a hostile playlist names is no place of ours.
  @Test func namesAreOurs() throws {
    let text = """
      #EXTM3U
      #EXT-X-TARGETDURATION:2
      #EXT-X-PLAYLIST-TYPE:VOD
      #EXTINF:2,
      ../../../../etc/passwd
      #EXTINF:2,
      %2e%2e%2f%2e%2e%2fx.sh?y=..%2f
      #EXTINF:2,
      a/../../b.exe
      #EXT-X-ENDLIST
      """
    let server = try Self.server(["x/media.m3u8": text])
    try TestFolders.withTemporary { folder in
      let made = try Download(server.url("/x/media.m3u8"), into: folder + "/library").run()
      let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
      let outside = files.filter { !$0.hasPrefix("library") }
      #expect(outside.isEmpty, "\(outside)")
      let segments = try FileManager.default.contentsOfDirectory(atPath: made.folder + "/video").sorted()
      #expect(segments == ["1-00001.ts", "1-00002.ts", "1-00003.ts"])
    }
  }
}
