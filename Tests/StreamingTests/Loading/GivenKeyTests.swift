import Foundation
import Frames
import Media
import Streaming
import Support
import Testing

/// Keys that the caller has for a stream: they come before its own licence server.
@Suite(.tier(.test)) struct GivenKeyTests {
  private struct Stage {
    var folder: String
    var keys: ContentKeys
    var identifier: String
    var licence: [UInt8]
  }

  private static func stage(_ encryption: LadderEncryptionChoice = .cenc) throws -> Stage {
    let ladder = try StreamStage.flat(encryption == .cenc ? .clearKey : .clearKeyPattern)
    let licence = [UInt8](try ladder.bytes("clearkey.json"))
    return Stage(
      folder: ladder.folder, keys: try ContentKeys(file: ladder.path("clearkey.json")),
      identifier: try #require(ladder.index.encryption?.keyIdentifier), licence: licence)
  }

  enum LadderEncryptionChoice: String, CaseIterable, Sendable { case cenc, cbcs }

  /// - Parameter isNamed: the manifest names the licence server.
  private static func origin(
    _ stage: Stage, isNamed: Bool, post: [UInt8]? = nil
  ) throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      let path = request.path.prefix { $0 != "?" }
      if path == "/licence" {
        guard request.method == "POST", let post else { return connection.respond("403 Forbidden") }
        // The question's body follows its head.
        _ = connection.respond(body: post)
        return false
      }
      guard path != "/clearkey.json", var data = FileManager.default.contents(atPath: stage.folder + path) else {
        return connection.respond("404 Not Found")
      }
      if path == "/manifest.mpd", !isNamed {
        let text = String(decoding: data, as: UTF8.self).split(separator: "\n").filter { !$0.contains("Laurl") }
        data = Data(text.joined(separator: "\n").utf8)
      }
      return connection.serve([UInt8](data), request)
    }
  }

  @Test(arguments: [(LadderEncryptionChoice.cenc, true), (.cbcs, false)])
  func aStreamPlaysByGivenKeys(encryption: LadderEncryptionChoice, isNamed: Bool) throws {
    let stage = try Self.stage(encryption)
    let server = try Self.origin(stage, isNamed: isNamed)
    var options = HostileOrigin.options
    options.keys = stage.keys
    let played = try StreamStage.play(server.url("/manifest.mpd"), options)
    #expect(played.frames == 135 && played.disordered == 0)
    #expect(!server.requests.contains { $0.path.contains("clearkey.json") }, "it has the keys")
    #expect(!played.history.requests.contains { $0.kind == .key })
  }

  @Test(arguments: [true, false])
  func aLicenceServerOfTheCallersIsAsked(isNamed: Bool) throws {
    let stage = try Self.stage()
    let server = try Self.origin(stage, isNamed: isNamed, post: stage.licence)
    var options = HostileOrigin.options
    options.keys.licenceURL = server.url("/licence?token=hidden7")
    let played = try StreamStage.play(server.url("/manifest.mpd"), options)
    #expect(played.frames == 135)
    #expect(server.requests.filter { $0.path.hasPrefix("/licence") }.map(\.method) == ["POST"])
    #expect(!played.history.requests.contains { $0.url.contains("hidden7") })
  }

  @Test func otherKeysAreNamedAsMissing() throws {
    let stage = try Self.stage()
    let other = "00112233445566778899aabbccddeeff"
    for (keys, named, cause) in [
      (try ContentKeys("\(other):\(other)"), false, "there is no key for it"),
      (ContentKeys(), false, "its manifest names no ClearKey licence"),
    ] {
      let server = try Self.origin(stage, isNamed: named)
      var options = HostileOrigin.options
      options.keys = keys
      let failure = try HostileOrigin.failure(server.url("/manifest.mpd"), options)
      #expect(failure?.kind == .encrypted && failure?.cause == cause, "\(String(describing: failure))")
      #expect(failure?.remedy?.contains(stage.identifier) == true, "\(String(describing: failure))")
    }
    let server = try Self.origin(stage, isNamed: true)
    var options = HostileOrigin.options
    options.keys = try ContentKeys("\(stage.identifier):\(other)")
    let failure = try HostileOrigin.failure(server.url("/manifest.mpd"), options)
    #expect(failure?.kind == .encrypted, "\(String(describing: failure))")
    #expect(failure?.remedy?.contains("is another's") == true, "\(String(describing: failure))")
  }

  // MARK: - Files of keys

  @Test func filesHaveLinesOrAKeySet() throws {
    try TestFolders.withTemporary { folder in
      let path = folder + "/keys"
      let (one, two) = ("00112233445566778899aabbccddeeff", "0f1e2d3c4b5a69788796a5b4c3d2e1f0")
      try Data("# mine\n\(one):\(two)\n\n  \(two):\(one)  \r\n".utf8).write(to: URL(filePath: path))
      var expected = try ContentKeys("\(one):\(two)")
      #expect(try ContentKeys(file: path) != expected)
      expected.add(try ContentKeys("\(two):\(one)"))
      #expect(try ContentKeys(file: path) == expected)
      let set = #" {"keys":[{"kty":"oct","kid":"ABEiM0RVZneImaq7zN3u_w","k":"Dx4tPEtaaXiHlqW0w9Lh8A"}]}"#
      try Data(set.utf8).write(to: URL(filePath: path))
      #expect(try ContentKeys(file: path) == ContentKeys("\(one):\(two)"))
      for (text, words) in [
        ("\(one):\(two)\n\(one):\(two)0\n", "line 2: its key has 33 hexadecimal digits"), ("\n", "it has none"),
        ("#\n", "it has none"), (#"{"keys":[]}"#, "no set of JSON Web Keys"),
        (#"{"keys":[{"kid":"ABEi","k":"Dx4t"}]}"#, "no set of JSON Web Keys"), ("{", "no set of JSON Web Keys"),
      ] {
        try Data(text.utf8).write(to: URL(filePath: path))
        let failure = Self.refusal(path)
        #expect(
          failure?.kind == .input && failure?.cause.contains(words) == true, "\(text): \(String(describing: failure))")
        #expect(failure?.description.contains(two) == false)
      }
      #expect(Self.refusal(folder + "/none")?.kind == .input)
    }
  }

  private static func refusal(_ path: String) -> Failure? {
    do throws(Failure) {
      _ = try ContentKeys(file: path)
      return nil
    } catch {
      return error
    }
  }
}
