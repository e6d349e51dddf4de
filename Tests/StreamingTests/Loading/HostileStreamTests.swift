import Adaptation
import Encode
import Foundation
import Frames
import HTTP
import Media
import Support
import Testing

import Streaming

/// Servers that mean harm, or are broken: each ends in one sentence, in time and in bounded memory.
@Suite(.tier(.test)) struct HostileStreamTests {
  /// A resource of a stream: in which presentation, and how the paths of all rungs' end.
  enum Place: String, CaseIterable, Sendable {
    case playlist, manifest, mediaPlaylist, section, segment, key, licence

    var file: String {
      switch self {
      case .playlist, .mediaPlaylist, .section, .segment, .key: "hls-fmp4/main.m3u8"
      case .manifest, .licence: "manifest.mpd"
      }
    }

    func holds(_ path: String) -> Bool {
      switch self {
      case .playlist: path.hasSuffix("main.m3u8")
      case .manifest: path.hasSuffix(".mpd")
      case .mediaPlaylist: path.contains("/video-") && path.hasSuffix(".m3u8")
      case .section: path.hasSuffix("init.mp4")
      case .segment: path.hasSuffix(".m4s")
      case .key: path.hasSuffix(".key")
      case .licence: path.hasSuffix("clearkey.json")
      }
    }

    func ladder() throws -> SharedLadders.Ladder {
      switch self {
      case .key: try StreamStage.flat(.aes128(rotation: 2))
      case .licence: try StreamStage.flat(.clearKey)
      default: try SharedLadders.flat()
      }
    }
  }

  private static func failure(
    _ place: Place, _ options: StreamOptions, _ answer: @escaping ScriptedServer.Answer
  ) throws -> Failure? {
    let origin = try HostileOrigin(try place.ladder().folder) { place.holds($0.path) ? answer : nil }
    return try HostileOrigin.failure(origin.server.url("/" + place.file), options)
  }

  /// One sentence of the right kind, which has this in it.
  private static func expect(_ failure: Failure?, _ cause: String, _ name: String) throws {
    let failure = try #require(failure, "\(name): it plays")
    #expect(failure.description.contains(cause), "\(name): \(failure)")
    #expect([.input, .media, .encrypted].contains(failure.kind), "\(name): \(failure.kind) \(failure)")
    #expect(failure.description.hasPrefix("cannot ") && !failure.description.contains("\n"), "\(name): \(failure)")
  }

  /// What the sentence has in it.
  private static func cause(_ place: Place, _ hostility: Hostility) -> String {
    let isText = [.playlist, .mediaPlaylist, .manifest].contains(place)
    return switch (hostility, place) {
    case (.silent, _): "the server did not answer within 0.5 s"
    case (.creeping, .segment): "bytes in 1 s"
    case (.creeping, _): "it took longer than 1 s"
    case (.endless, _), (.tooLong, _): "is longer than "
    case (.endlessHeader, _): "the server's header is longer than 256 KiB"
    case (.looping, _): "it is redirected more than 10 times"
    case (.redirectingToFile, _): "the protocol 'file' is not allowed there"
    case (.redirectingToLinkLocal, _): "is in the local network segment"
    case (.missing, _): "the server answered 404 Not Found"
    case (.cut, _): "the connection ended after 8 of 100000 bytes"
    case (.wrongPart, _): "the server sent another part of the file"
    case (.bomb, _) where isText: "is longer than 16 MiB"
    case (.page, _): "a web page came in place of the media"
    case (_, .manifest), (_, .playlist), (_, .mediaPlaylist): "it does not begin with #EXTM3U"
    case (.empty, .key): "its key has 0 bytes, not 16"
    case (_, .key): "its key or licence is longer than 16 bytes"
    case (_, .licence): "its ClearKey licence is damaged, or none"
    case (_, .section): "what it names is missing, damaged or not a video"
    case (_, .segment): "it has no packet of its video"
    }
  }

  /// The resources that a server of this kind serves in these tests: long texts of one kind are enough, because they take their time.
  private static func places(of hostility: Hostility) -> [Place] {
    let isLong = [.endless, .bomb, .tooLong].contains(hostility)
    return Place.allCases.filter { !isLong || ![.manifest, .mediaPlaylist, .licence].contains($0) }
  }

  private static let pairs: [(Place, Hostility)] = Hostility.allCases.flatMap { hostility in
    places(of: hostility).map { ($0, hostility) }
  }

  /// Two resources for each kind of server, so that each resource has servers of several kinds.
  private static let fewPairs: [(Place, Hostility)] = Hostility.allCases.enumerated().flatMap { number, hostility in
    let places = places(of: hostility)
    return [number, number + 3].map { (places[$0 % places.count], hostility) }
  }

  @Test(arguments: fewPairs)
  func eachServerEndsInOneSentence(place: Place, hostility: Hostility) throws {
    try Self.expectOneSentence(place, hostility)
  }

  @Test(.tier(.full), arguments: pairs)
  func eachServerEndsInOneSentenceForEachResource(place: Place, hostility: Hostility) throws {
    try Self.expectOneSentence(place, hostility)
  }

  private static func expectOneSentence(_ place: Place, _ hostility: Hostility) throws {
    let failure = try Self.failure(place, hostility.options) { hostility.answer($0, $1) }
    try Self.expect(failure, Self.cause(place, hostility), "\(place), \(hostility)")
  }

  @Test(arguments: HostileText.all)
  func eachTextEndsInOneSentence(row: HostileText) throws {
    let bytes = try row.bytes()
    try Self.expect(
      try Self.failure(row.place, HostileOrigin.options) { $1.respond(body: bytes) }, row.cause, row.name)
  }

  /// Segments that are ranges of one file, the last of which ends too many bytes behind it.
  private static func playRanges(excess: Int) throws -> StreamStage.Played {
    let ladder = try SharedLadders.flat()
    let rendition = try #require(ladder.index.rungs.first?.renditions.first { $0.packaging == .fmp4 })
    let files = [try #require(rendition.initialization?.file)] + rendition.segments.map(\.file)
    let parts = try files.map { [UInt8](try ladder.bytes($0)) }
    var (ranges, end): ([String], Int) = ([], 0)
    for part in parts {
      ranges.append("\(end)-\(end + part.count - 1 + (ranges.count == parts.count - 1 ? excess : 0))")
      end += part.count
    }
    let segments = ranges.dropFirst().map { "<SegmentURL mediaRange=\"\($0)\"/>" }.joined()
    let manifest = """
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT4.5S"><ProgramInformation><Source>\(ladder.index.synthetic)</Source>\
      </ProgramInformation><Period><AdaptationSet mimeType="video/mp4"><Representation id="a" bandwidth="1000">\
      <BaseURL>a.mp4</BaseURL><SegmentList duration="1"><Initialization range="\(ranges[0])"/>\(segments)</SegmentList>\
      </Representation></AdaptationSet></Period></MPD>
      """
    let whole = parts.flatMap { $0 }
    let server = try ScriptedServer { request, connection in
      connection.serve(request.path == "/a.mp4" ? whole : Array(manifest.utf8), request)
    }
    return try StreamStage.play(server.url("/a.mpd"), HostileOrigin.options)
  }

  @Test func aRangeOfOneByteTooManyIsClipped() throws {
    let exact = try Self.playRanges(excess: 0)
    let played = try Self.playRanges(excess: 1)
    #expect(played.frames == 135 && played.truth?.wrong == 0)
    #expect(exact.history.requests.allSatisfy { !$0.isClipped })
    #expect(played.history.requests.filter { $0.isClipped }.map(\.kind) == [.segment])
    let cut = try HostileOrigin.failure { _ = try Self.playRanges(excess: 2) }
    #expect(cut?.kind == .input, "a file that lacks more is truncated: \(String(describing: cut))")
  }

  /// The bytes at hand are those after decoding: the rest is asked for without compression.
  @Test func aCompressedPlaylistThatBreaksOffGoesOn() throws {
    let folder = try SharedLadders.flat().folder
    let plain = try #require(FileManager.default.contents(atPath: folder + "/hls-fmp4/main.m3u8"))
    let packed = try CommandOutput.of("gzip", ["-1", "-c"], input: plain).output
    let origin = try HostileOrigin(folder) { request in
      guard request.path.hasSuffix("main.m3u8"), request.fields["accept-encoding"] != nil else { return nil }
      return { _, connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
        connection.send(packed.dropLast(20))
        return false
      }
    }
    let played = try StreamStage.play(origin.server.url("/hls-fmp4/main.m3u8"), HostileOrigin.options)
    #expect(played.frames == 135 && played.truth?.wrong == 0)
    let requests = origin.server.requests.filter { $0.path.hasSuffix("main.m3u8") }
    #expect(requests.map { $0.fields["accept-encoding"] == nil } == [false, true])
  }

  // MARK: - Other places

  /// What a server of the web names on this machine and in its network, itself or by a redirect, is not opened. The server is
  /// behind a proxy here, which is this test's.
  @Test(
    arguments: ["http://127.0.0.1:9/a.m3u8", "http://localhost/a.m3u8", "http://[::1]/a", "http://169.254.1.1/a"],
    [
      true, false,
    ])
  func theWebDoesNotReachThisMachine(target: String, redirects: Bool) throws {
    let server = try ScriptedServer { request, connection in
      guard request.path == "http://web.test/main.m3u8" else {
        return connection.respond("302 Found", ["Location: \(target)"])
      }
      let address = redirects ? "other.m3u8" : target
      return connection.respond(body: Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(address)\n".utf8))
    }
    var settings = HTTPClientOptions()
    let proxy = server.url("")
    settings.proxies = ProxySettings { $0 == "http_proxy" ? proxy : nil }
    let transport = HTTPTransport(try HTTPClient(settings), try HTTPURL("http://web.test/main.m3u8"))
    let failure = try HostileOrigin.failure {
      let stream = try LoadedStream(
        "stream", try StreamAddress(url: "http://web.test/main.m3u8"), transport, HostileOrigin.options,
        interruption: Interruption())
      defer { stream.stop() }
      _ = try stream.packets(interruption: Interruption())
    }
    try Self.expect(failure, "which playlists and redirects from other places may not name", target)
    #expect(server.requests.allSatisfy { $0.path.hasPrefix("http://web.test/") })
  }

  /// User and password go to their own origin, and are told in no request, sentence and name.
  @Test func credentialsStayWithTheirOrigin() throws {
    let folder = try SharedLadders.flat().folder
    let other = try HostileOrigin(folder) { _ in nil }
    let foreign = other.server.url("/hls-fmp4/video-0.m3u8?token=hidden7")
    let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS=\"avc1.64000C\"\n"
    let origin = try HostileOrigin(folder) { request in
      guard request.path.hasSuffix("main.m3u8?token=hidden7") else { return nil }
      let variants = text + foreign + "\n" + text.dropFirst("#EXTM3U\n".count).replacing("100000", with: "200000")
      return { $1.respond(body: Array((variants + "/hls-fmp4/video-1.m3u8\n").utf8)) }
    }
    let url = "http://user7:secret7@127.0.0.1:\(origin.server.port)/main.m3u8?token=hidden7"
    var texts: [String] = []
    for name in ["fixed:0", "fixed:1"] {
      var options = HostileOrigin.options
      options.controller = try #require(ControllerChoice(name))
      let stream = try LoadedStream(url, options)
      defer { stream.stop() }
      _ = try stream.packets(interruption: Interruption())
      #expect(Patience.until { stream.store.isFinished })
      texts += ["\(stream.history)", stream.path]
    }
    #expect(!other.server.requests.isEmpty && other.server.requests.allSatisfy { $0.fields["authorization"] == nil })
    let basic = "Basic " + Data("user7:secret7".utf8).base64EncodedString()
    #expect(
      origin.server.requests.count > 3 && origin.server.requests.allSatisfy { $0.fields["authorization"] == basic })
    let failure = try HostileOrigin.failure(url.replacing("main.m3u8", with: "none.m3u8"))
    for text in texts + ["\(try #require(failure))"] {
      for secret in ["user7", "secret7", "hidden7"] { #expect(!text.contains(secret), "\(text.prefix(2000))") }
    }
  }
}

/// Text and bytes that are hostile in themselves.
struct HostileText: Sendable, CustomStringConvertible {
  let name: String
  let place: HostileStreamTests.Place
  /// Of its sentence.
  let cause: String
  let bytes: @Sendable () throws -> [UInt8]

  var description: String { name }

  init(
    _ name: String, _ place: HostileStreamTests.Place, _ cause: String, _ text: @escaping @Sendable () throws -> String
  ) {
    (self.name, self.place, self.cause) = (name, place, cause)
    bytes = { Array(try text().utf8) }
  }

  private static func variant(_ address: String) -> String {
    "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS=\"avc1.64000C\"\n\(address)\n"
  }

  private static func media(_ lines: String) -> String {
    "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n\(lines)\n#EXT-X-ENDLIST\n"
  }

  private static func manifest(_ content: String, before: String = "") -> String {
    "<?xml version=\"1.0\"?>\(before)<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" xmlns:xlink=\"http://www.w3.org/1999/xlink\""
      + " type=\"static\" mediaPresentationDuration=\"PT4S\">\(content)</MPD>"
  }

  private static func set(_ content: String, _ protection: String = "") -> String {
    manifest(
      "<Period><AdaptationSet mimeType=\"video/mp4\">\(protection)<Representation id=\"0\" bandwidth=\"100000\""
        + " codecs=\"avc1.64000C\">\(content)</Representation></AdaptationSet></Period>")
  }

  private static let ladderTemplate =
    "<SegmentTemplate timescale=\"1\" duration=\"1\" startNumber=\"0\" initialization=\"hls-fmp4/video-0/init.mp4\""
    + " media=\"hls-fmp4/video-0/$Number%05d$.m4s\"/>"

  private static let clearKey = "<ContentProtection schemeIdUri=\"urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e\"/>"
  private static let widevine = "<ContentProtection schemeIdUri=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"/>"

  static let all: [HostileText] = [
    HostileText("too long a playlist", .playlist, "it is longer than 16 MiB") {
      "#EXTM3U\n" + String(repeating: "#\n", count: 9 << 20)
    },
    HostileText("too long a media playlist", .mediaPlaylist, "its playlist is longer than 16 MiB") {
      "#EXTM3U\n" + String(repeating: "#\n", count: 9 << 20)
    },
    HostileText("too many segments", .mediaPlaylist, "it has more than 100000 segments") {
      media(String(repeating: "#EXTINF:1,\na\n", count: 100_001))
    },
    HostileText("a local playlist", .playlist, "a remote playlist names a local file") {
      variant("file:///etc/passwd")
    },
    HostileText("a local segment", .mediaPlaylist, "a remote playlist names a local file") {
      media("#EXTINF:1,\nfile:///etc/passwd")
    },
    HostileText("a local section", .mediaPlaylist, "a remote playlist names a local file") {
      media("#EXT-X-MAP:URI=\"file:///etc/passwd\"\n#EXTINF:1,\na")
    },
    HostileText("a link-local playlist", .playlist, "is in the local network segment") {
      variant("http://169.254.169.254/latest")
    },
    HostileText("a link-local segment", .mediaPlaylist, "is in the local network segment") {
      media("#EXTINF:1,\nhttp://[fe80::1]/a")
    },
    HostileText("a link-local key", .mediaPlaylist, "is in the local network segment") {
      media("#EXT-X-KEY:METHOD=AES-128,URI=\"http://169.254.1.1/key\"\n#EXTINF:1,\na")
    },
    HostileText("a range that overflows", .mediaPlaylist, "#EXT-X-BYTERANGE is not LENGTH@OFFSET") {
      media("#EXTINF:1,\n#EXT-X-BYTERANGE:9223372036854775807@9223372036854775807\na")
    },
    HostileText("a huge range", .mediaPlaylist, "what it names is missing, damaged or not a video") {
      media("#EXTINF:1,\n#EXT-X-BYTERANGE:1000000000000@0\nvideo-0/00000.m4s")
    },
    HostileText("a duration that overflows", .mediaPlaylist, "#EXTINF is not a number of seconds") {
      media("#EXTINF:1e999,\na")
    },
    HostileText("FairPlay", .mediaPlaylist, "the segments are protected by FairPlay") {
      media("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n#EXTINF:1,\na")
    },
    HostileText("xlink", .manifest, "refers to another document (xlink), which is not followed") {
      manifest("<Period xlink:href=\"http://127.0.0.1:1/p\"/>")
    },
    HostileText("entities", .manifest, "it declares a document type") {
      manifest("<Period id=\"&a;\"/>", before: "<!DOCTYPE MPD [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>")
    },
    HostileText("a timeline that overflows", .manifest, "<S> has no positive @d, or a number that is none") {
      set(
        "<SegmentTemplate timescale=\"1\" media=\"$Number$\"><SegmentTimeline>"
          + "<S t=\"9223372036854775807\" d=\"9223372036854775807\" r=\"9223372036854775807\"/>"
          + "</SegmentTimeline></SegmentTemplate>")
    },
    HostileText("a damaged index", .manifest, "a box in it is damaged or truncated") {
      set("<BaseURL>hls-fmp4/video-0/00000.m4s</BaseURL><SegmentBase indexRange=\"0-99\"/>")
    },
    HostileText("another system", .manifest, "all its tracks are protected by Widevine") {
      set(ladderTemplate, widevine)
    },
    HostileText("no licence", .manifest, "its manifest names no ClearKey licence") { set(ladderTemplate, clearKey) },
    HostileText("a damaged licence", .licence, "its ClearKey licence is damaged, or none") {
      "{\"keys\":[{\"kid\":\"a\",\"k\":\"b\"}]}"
    },
    HostileText("a licence of other keys", .licence, "its ClearKey licence has no key for it") {
      "{\"keys\":[{\"kid\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"k\":\"AAAAAAAAAAAAAAAAAAAAAA\"}]}"
    },
    HostileText("a short key", .key, "its key has 15 bytes, not 16") { "123456789012345" },
    HostileText("a long key", .key, "its key or licence is longer than 16 bytes") { "12345678901234567" },
    HostileText("another key", .key, "it cannot be decrypted: its key is another's") { "1234567890123456" },
  ]
}
