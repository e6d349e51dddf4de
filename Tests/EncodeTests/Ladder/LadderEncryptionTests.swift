import Encode
import Foundation
import Frames
import Support
import Testing

@Suite(.tier(.test)) struct LadderEncryptionTests {
  /// FFmpeg fetches each key and decrypts with it; the frames are those of the clear ladder.
  @Test(arguments: ["hls-ts/video-0.m3u8", "hls-fmp4/video-0.m3u8"])
  func segmentsAreDecryptedByTheirPlaylist(playlist: String) throws {
    let ladder = try Self.rotating()
    let clear = try SharedLadders.flat()
    #expect(ladder.index.presentations.map(\.kind) == [.hlsTS, .hlsFMP4])
    #expect(!FileManager.default.fileExists(atPath: ladder.path("manifest.mpd")))
    let text = String(decoding: try ladder.bytes(playlist), as: UTF8.self)
    #expect(text.components(separatedBy: "#EXT-X-KEY:METHOD=AES-128,URI=\"../keys/").count == 4)
    let run = try CommandOutput.of(
      "ffmpeg",
      [
        "-v", "error", "-allowed_extensions", "ALL", "-i", ladder.path(playlist), "-map", "0:v", "-fps_mode",
        "passthrough", "-f", "framehash", "-hash", "crc32", "-",
      ])
    let hashes = run.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: " ").last.map(String.init) }
    #expect(hashes == clear.index.rungs[0].checksums, "\(run.errors)")
  }

  /// The keys and vectors that the index and the playlist tell give the clear segments, by OpenSSL.
  @Test func wholeSegmentsAreEncrypted() throws {
    let ladder = try Self.rotating()
    let clear = try SharedLadders.flat()
    let encryption = try #require(ladder.index.encryption)
    #expect(encryption.scheme == .aes128 && encryption.rotation == 2 && encryption.keys.count == 3)
    for rendition in [ladder.index.rungs[1].renditions[0], ladder.index.audio[0].renditions[1]] {
      let playlist = String(decoding: try ladder.bytes(try #require(rendition.playlist)), as: UTF8.self)
      let vectors = playlist.matches(of: /IV=0x([0-9a-f]{32})/).map { String($0.1) }
      #expect(Set(vectors).count == 3)
      for (number, segment) in rendition.segments.enumerated() {
        let bytes = try ladder.bytes(segment.file)
        #expect(bytes.count % 16 == 0)
        let run = try CommandOutput.of(
          "openssl", ["enc", "-d", "-aes-128-cbc", "-K", encryption.keys[number / 2], "-iv", vectors[number / 2]],
          input: bytes)
        let original = try clear.bytes(segment.file)
        #expect(run.status == 0 && run.output == original, "\(segment.file): \(run.errors)")
      }
    }
    for (file, key) in zip(encryption.files, encryption.keys) {
      let bytes = try ladder.bytes(file)
      #expect(bytes.count == 16 && Self.hexadecimal(bytes) == key)
    }
  }

  /// With the licence's key FFmpeg decodes the frames of the clear ladder; without it, it does not.
  @Test(arguments: [
    ("cenc", "ladder-clearkey", LadderSpecification.Encryption.clearKey), ("cbcs", "ladder-cbcs", .clearKeyPattern),
  ])
  func clearKeyDecrypts(scheme: String, folder: String, choice: LadderSpecification.Encryption) throws {
    let ladder = try SharedLadders.ladder(folder) {
      $0.encryption = choice
      // Several rungs have one key: one scheme shows that.
      if choice == .clearKeyPattern { $0.rungs.removeLast() }
    }
    let clear = try SharedLadders.flat()
    #expect(ladder.index.presentations.map(\.kind) == [.dash])
    let encryption = try #require(ladder.index.encryption)
    let key = try #require(encryption.keys.first)
    for rung in ladder.index.rungs {
      let path = try ladder.joined(try #require(rung.renditions.first))
      let hashes = try Self.hashes(path, key: key)
      #expect(hashes == clear.index.rungs[rung.rung].checksums, "rung \(rung.rung)")
      guard rung.rung == 0 else { continue }
      #expect(try Self.hashes(path, key: String(key.reversed())) != clear.index.rungs[0].checksums)
    }
    let sound = try ladder.joined(try #require(ladder.index.audio[1].renditions.first))
    let open = try clear.joined(try #require(clear.index.audio[1].renditions.last))
    let decrypted = try Self.decrypted(sound, key: key, ["-f", "f32le", "-"])
    #expect([UInt8](decrypted.output) == Judge.run("ffmpeg -v error -i '\(open)' -f f32le -"))
    #expect(decrypted.output.count >= Int(4.5 * 48_000 * 4))
    // The manifest alone, which names every segment.
    let played = try CommandOutput.of(
      "ffmpeg",
      [
        "-v", "error", "-allowed_extensions", "ALL", "-cenc_decryption_key", key, "-i", ladder.path("manifest.mpd"),
        "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framehash", "-hash", "crc32", "-",
      ])
    #expect(played.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == 135, "\(played.errors)")
    #expect(played.text.contains(clear.index.rungs[0].checksums[134]))
    let manifest = String(decoding: try ladder.bytes("manifest.mpd"), as: UTF8.self)
    #expect(manifest.contains("mp4protection:2011\" value=\"\(scheme)\""))
    let identifier = try #require(encryption.keyIdentifier)
    let dashed = manifest.firstMatch(of: /default_KID="([0-9a-f-]+)"/).map { String($0.1) }
    #expect(dashed?.replacing("-", with: "") == identifier)
    let licence = try JSONDecoder().decode(Licence.self, from: try ladder.bytes("clearkey.json"))
    #expect(licence.type == "temporary" && licence.keys.count == 1)
    #expect(Self.bytes(licence.keys[0].k).flatMap { Self.hexadecimal($0) } == key)
    #expect(Self.bytes(licence.keys[0].kid).flatMap { Self.hexadecimal($0) } == identifier)
  }

  /// One key, and no initialization vector twice in all tracks: in counter mode that would show both samples.
  @Test func vectorsDiffer() throws {
    let ladder = try SharedLadders.ladder("ladder-clearkey") { $0.encryption = .clearKey }
    var seen: Set<[UInt8]> = []
    var count = 0
    for rendition in ladder.index.rungs.flatMap(\.renditions) + ladder.index.audio.flatMap(\.renditions) {
      for segment in rendition.segments {
        let bytes = [UInt8](try ladder.bytes(segment.file))
        let start = try #require(Data(bytes).firstRange(of: Data("senc".utf8))).upperBound
        let hasParts = bytes[start + 3] == 2
        let samples = bytes[start + 4..<start + 8].reduce(0) { $0 << 8 | Int($1) }
        #expect(segment.frames == nil || segment.frames == samples)
        var place = start + 8
        for _ in 0..<samples {
          seen.insert(Array(bytes[place..<place + 8]))
          place += 8 + (hasParts ? 2 + 6 * (Int(bytes[place + 8]) << 8 | Int(bytes[place + 9])) : 0)
        }
        count += samples
      }
    }
    #expect(seen.count == count && count > 2 * 135)
  }

  private struct Licence: Decodable {
    struct Key: Decodable {
      var kty: String
      var k: String
      var kid: String
    }
    var keys: [Key]
    var type: String
  }

  private static func rotating() throws -> SharedLadders.Ladder {
    try SharedLadders.ladder("ladder-aes") { $0.encryption = .aes128(rotation: 2) }
  }

  private static func hashes(_ path: String, key: String) throws -> [String] {
    try decrypted(
      path, key: key, ["-map", "0:v", "-fps_mode", "passthrough", "-f", "framehash", "-hash", "crc32", "-"]
    )
    .text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    .compactMap { $0.split(separator: " ").last.map(String.init) }
  }

  /// As standard input: of a file that it can seek in, FFmpeg 5.1 takes each sample's vector from the last fragment.
  private static func decrypted(_ path: String, key: String, _ output: [String]) throws -> CommandOutput {
    try CommandOutput.of(
      "sh",
      [
        "-c", #"key=$1 path=$2; shift 2; cat "$path" | ffmpeg -v quiet -decryption_key "$key" -i - "$@""#, "sh", key,
        path,
      ]
        + output)
  }

  private static func bytes(_ base64URL: String) -> Data? {
    let text = base64URL.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))
  }

  private static func hexadecimal(_ bytes: Data) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
