import Adaptation
import Decode
import Encode
import Foundation
import Frames
import HTTP
import Media
import Support
import Testing

import Streaming

/// A stream of the web whose documents name this machine: no connection is made there, for any kind of URL. `AdNetworkTests` has the
/// documents of ads. The web's server is behind a proxy here, which is the test's.
@Suite(.tier(.test)) struct ReferredAddressTests {
  /// A document of a ladder, and what is replaced in it by a URL on this machine.
  struct Mention: CustomStringConvertible {
    var description: String
    /// What the manifest's name ends with.
    var manifest = "hls-fmp4/main.m3u8"
    var document = "main.m3u8"
    var pattern: String
    /// In place of a match; `@` is the address.
    var replacement = "@"
    var encryption: LadderSpecification.Encryption?

    static let all = [
      Mention(description: "a rung's playlist", pattern: #"(?m)^video-\d\.m3u8$"#),
      Mention(description: "a track's playlist", pattern: #"audio-\w\w\.m3u8"#),
      Mention(description: "subtitles' playlist", pattern: #"subtitles-\w\w\.m3u8"#),
      Mention(description: "small pictures' playlist", pattern: #"video-\d-iframes\.m3u8"#),
      Mention(description: "a segment", document: "video-", pattern: #"(?m)^video-.*m4s$"#),
      Mention(description: "a section", document: "video-", pattern: #"video-\d/init\.mp4"#),
      Mention(
        description: "a key", document: "video-", pattern: "#EXT-X-MAP",
        replacement: "#EXT-X-KEY:METHOD=AES-128,URI=\"@\"\n#EXT-X-MAP"),
      Mention(description: "a segment of sound", document: "audio-", pattern: #"(?m)^audio-.*m4s$"#),
      Mention(description: "a segment of subtitles", document: "subtitles-", pattern: #"(?m)^subtitles-.*vtt$"#),
      Mention(
        description: "segments of a manifest", manifest: "manifest.mpd", document: "manifest.mpd",
        pattern: #"media="hls-fmp4"#, replacement: #"media="@"#),
      Mention(
        description: "sections of a manifest", manifest: "manifest.mpd", document: "manifest.mpd",
        pattern: #"initialization="hls-fmp4"#, replacement: #"initialization="@"#),
      Mention(
        description: "a manifest's base", manifest: "manifest.mpd", document: "manifest.mpd",
        pattern: "<Period ", replacement: "<BaseURL>@/</BaseURL><Period "),
      Mention(
        description: "a licence", manifest: "manifest.mpd", document: "manifest.mpd",
        pattern: #"clearkey\.json"#, encryption: .clearKey),
      Mention(
        description: "small pictures of a manifest", manifest: "manifest.mpd", document: "manifest.mpd",
        pattern: #"(media|BaseURL)(="|>)thumbnails[^"<]*"#, replacement: "$1$2@"),
    ]
  }

  @Test(arguments: Mention.all) func theWebNamesNothingOfThisMachine(mention: Mention) throws {
    let ladder = try StreamStage.flat(mention.encryption)
    let trap = try ScriptedServer { _, connection in connection.respond() }
    let replacement = mention.replacement.replacing("@", with: trap.url("/x"))
    let server = try Self.web(ladder.folder) { path, text in
      guard path.split(separator: "/").last?.hasPrefix(mention.document) == true else { return text }
      return text.replacingOccurrences(of: mention.pattern, with: replacement, options: .regularExpression)
    }
    try Self.expectRefusal(server, mention.manifest, "\(mention)")
    #expect(trap.connectionsAccepted == 0, "\(mention): \(trap.requests.map(\.path))")
  }

  /// A segment of the web's own leads there by a redirect.
  @Test func aRedirectLeadsNowhereEither() throws {
    let ladder = try SharedLadders.flat()
    let trap = try ScriptedServer { _, connection in connection.respond() }
    let url = trap.url("/x")
    let server = try Self.web(ladder.folder, redirect: { $0.hasSuffix(".m4s") ? url : nil }) { $1 }
    try Self.expectRefusal(server, "hls-fmp4/main.m3u8", "a redirect")
    #expect(trap.connectionsAccepted == 0)
  }

  /// A proxy that gives the files of a folder for `http://web.test/`.
  private static func web(
    _ folder: String, redirect: @escaping @Sendable (String) -> String? = { _ in nil },
    _ edit: @escaping @Sendable (_ path: String, _ text: String) -> String
  ) throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      let path = String(request.path.dropFirst("http://web.test".count))
      if let target = redirect(path) { return connection.respond("302 Found", ["Location: \(target)"]) }
      guard let data = FileManager.default.contents(atPath: folder + path) else {
        return connection.respond("404 Not Found")
      }
      guard path.hasSuffix(".m3u8") || path.hasSuffix(".mpd") else { return connection.serve([UInt8](data), request) }
      return connection.respond(body: Array(edit(path, String(decoding: data, as: UTF8.self)).utf8))
    }
  }

  /// Loads all that there is: pictures, sound, subtitles and small pictures. One of them ends with the sentence.
  private static func expectRefusal(_ server: ScriptedServer, _ manifest: String, _ name: String) throws {
    let (url, proxy) = ("http://web.test/" + manifest, server.url(""))
    var settings = HTTPClientOptions()
    settings.proxies = ProxySettings { $0 == "http_proxy" ? proxy : nil }
    let transport = HTTPTransport(try HTTPClient(settings), try HTTPURL(url))
    let limit = StreamStage.limit()
    defer { limit.request() }
    var failures: [Failure] = []
    func load(_ body: () throws -> Void) throws {
      if let failure = try HostileOrigin.failure(body) { failures.append(failure) }
    }
    try load {
      let stream = try LoadedStream(
        "stream", try StreamAddress(url: url), transport, HostileOrigin.options, interruption: limit)
      defer { stream.stop() }
      try load {
        let packets = try stream.packets(interruption: limit)
        let video = try FrameReader(packets, packets.info, options: DecoderOptions(threads: 1))
        while let frame = try video.next() { stream.played(to: frame.presentationTime) }
        stream.played(to: .zero)
        try load {
          let reader = try AudioReader(
            stream.audio[0], of: try stream.sound(0, interruption: limit), sampleRate: SoundStage.rate)
          _ = try SoundStage.next(reader)
        }
        try load {
          for _ in 0..<2 { _ = try stream.text(0, interruption: limit).next() }
        }
        try load { _ = try stream.previews(interruption: limit)?.piece(at: .zero) }
      }
    }
    let refused = failures.filter { $0.cause.contains("other places may not name") }
    #expect(refused.count == 1 && failures.count == 1, "\(name): \(failures)")
  }
}
