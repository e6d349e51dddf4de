import Adaptation
import Ads
import Foundation
import Frames
import HTTP
import Media
import Playlists
import Streaming

extension FuzzTarget {
  static let streams = [
    FuzzTarget("hls") { bytes in
      let address = try StreamAddress(url: "https://example.org/a/index.m3u8")
      guard !PlaylistKind.isMultivariant(bytes) else { return _ = try Manifest.parse(bytes, at: address) }
      let first = try MediaPlaylist.parse(bytes, at: address)
      _ = try MediaPlaylist.parse(bytes, at: address, previous: first)
    },
    FuzzTarget("mpd") { _ = try Manifest.parse($0, at: StreamAddress(url: "https://example.org/a/dash.mpd")) },
    FuzzTarget("splice") { bytes in
      _ = SpliceSection(bytes)
      _ = SpliceSection(text: String(decoding: bytes, as: UTF8.self))
    },
    FuzzTarget("ads") { _ = AdBreaks(try AdSchedule($0, "ads.xml"), duration: MediaTime(seconds: 60)) },
    FuzzTarget("url") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      _ = redactingSecrets(text)
      let url = try? HTTPURL(text)
      _ = url?.description
      _ = try StreamAddress(url: text)
    },
    FuzzTarget("playlist-m3u") { _ = try PlaylistFile(m3u: $0, path: "list.m3u") },
    FuzzTarget("playlist-json") { _ = try PlaylistFile(json: $0, path: "list.json") },
    FuzzTarget("trace") { bytes in
      let trace = try TraceFormat.read(Data(bytes), name: "trace")
      _ = trace.end(ofBytes: 1_000_000, from: 0.5)
    },
  ]
}
