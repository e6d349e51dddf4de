import Adaptation
import Foundation
import Frames
import HTTP
import Media
import Streaming
import Support
import Synchronization
import Testing

/// Licence servers of ClearKey, which are asked by POST (Encrypted Media Extensions, 9.1.3 and 9.1.4).
@Suite(.tier(.test)) struct LicenceServerTests {
  /// What a server does with GET.
  enum Get: String, CaseIterable, Sendable {
    case refused, page, otherKey
  }

  private static func ladder() throws -> (folder: String, licence: [UInt8]) {
    let folder = try StreamStage.flat(.clearKey).folder
    let data = try #require(FileManager.default.contents(atPath: folder + "/clearkey.json"))
    return (folder, [UInt8](data))
  }

  /// What comes of a stream whose licence server answers so, and the methods that it was asked by.
  private static func play(
    get: Get, post: @escaping @Sendable (ScriptedServer.Connection) -> Bool
  ) throws -> (failure: Failure?, requests: [ScriptedServer.Request], history: [StreamRequest]) {
    let (folder, _) = try ladder()
    let origin = try HostileOrigin(folder) { request in
      guard request.path.hasSuffix("clearkey.json") else { return nil }
      return { request, connection in
        guard request.method == "GET" else { return post(connection) }
        switch get {
        case .refused: return connection.respond("405 Method Not Allowed")
        case .page: return connection.respond(body: Array("<html></html>".utf8))
        case .otherKey:
          let key = "AAAAAAAAAAAAAAAAAAAAAA"
          return connection.respond(body: Array(#"{"keys":[{"kty":"oct","kid":"\#(key)","k":"\#(key)"}]}"#.utf8))
        }
      }
    }
    var history: [StreamRequest] = []
    let failure = try HostileOrigin.failure {
      history = try StreamStage.play(origin.server.url("/manifest.mpd"), HostileOrigin.options).history.requests
    }
    return (failure, origin.server.requests.filter { $0.path.hasSuffix("clearkey.json") }, history)
  }

  @Test(arguments: Get.allCases)
  func aServerIsAskedForTheKey(get: Get) throws {
    let (_, licence) = try Self.ladder()
    // The question's body follows its head: its end is that of the answer's connection.
    let played = try Self.play(get: get) { connection in
      _ = connection.respond(body: licence)
      return false
    }
    #expect(played.failure == nil, "\(played.failure?.description ?? "")")
    #expect(played.requests.map(\.method) == ["GET", "POST"])
    let post = try #require(played.requests.last)
    #expect(post.fields["content-type"] == "application/json")
    // {"kids":["22 characters"],"type":"temporary"}
    #expect(post.fields["content-length"] == "54")
    #expect(played.history.count { $0.kind == .key } == 2)
  }

  @Test(arguments: Get.allCases)
  func aServerWithoutAnAnswerIsNamed(get: Get) throws {
    let none = try Self.play(get: get) {
      _ = $0.respond(body: Array("none".utf8)); return false
    }
    #expect(none.failure?.cause == "its ClearKey licence is damaged, or none", "\(String(describing: none.failure))")
    let refused = try Self.play(get: get) { $0.respond("403 Forbidden") }
    let cause =
      switch get {
      case .refused: "the server answered 403 Forbidden"
      case .page: "its ClearKey licence is damaged, or none"
      case .otherKey: "its ClearKey licence has no key for it"
      }
    #expect(refused.failure?.cause.contains(cause) == true, "\(String(describing: refused.failure))")
    #expect(refused.requests.map(\.method) == ["GET", "POST"])
  }
}

/// Which inputs are playlists and manifests, for any name.
@Suite(.tier(.test)) struct ManifestChoiceTests {
  @Test(
    arguments: [
      ("/stream?id=1", "application/vnd.apple.mpegurl", "", true), ("/stream?id=1", "text/plain", "#EXTM3U\n#E", true),
      ("/watch", "application/dash+xml", "", true),
      ("/watch", "text/plain", "<?xml version=\"1.0\"?>\n<MPD>", true),
      ("/watch", "video/mp4", "\0\0\0\u{18}ftypmp42", false), ("/a.m3u8", "text/html", "<html>", true),
      ("/a.mp4", "application/dash+xml", "<MPD>", false), ("/missing", "", "", false),
    ])
  func aServerIsAskedWhatItSends(path: String, type: String, start: String, isManifest: Bool) throws {
    let content = Array(start.utf8) + [UInt8](repeating: 0x20, count: 1000)
    let server = try ScriptedServer { request, connection in
      request.path == "/missing"
        ? connection.respond("404 Not Found") : connection.respond("200 OK", ["Content-Type: \(type)"], body: content)
    }
    let answer = try isWebManifest(server.url(path), interruption: Interruption(), isClip: { $0 == "a.mp4" })
    #expect(answer == isManifest)
    #expect(server.requests.count == (path.hasPrefix("/a.") ? 0 : 1))
  }

  @Test func aFileTellsItself() throws {
    try TestFolders.withTemporary { folder in
      for (name, text, isPlaylist) in [
        ("list", "#EXTM3U\n", true), ("manifest.xml", "<?xml?><MPD>", true), ("clip", "ftyp", false),
        ("a.MPD", "", true),
        ("empty", "", false),
      ] {
        try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
        #expect(Media.isManifest(file: folder + "/" + name) == isPlaylist, "\(name)")
      }
      #expect(!Media.isManifest(file: folder + "/none") && !Media.isManifest(file: folder))
    }
  }
}
