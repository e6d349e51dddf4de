import Decode
import Foundation
import Frames
import Media
import Support
import Testing

/// Clips under common encryption, and the keys for them. FFmpeg encrypts, and decrypts beside us.
@Suite(.tier(.test)) struct ContentKeyTests {
  private static func random(_ generator: inout SeededGenerator) -> String {
    (0..<16).map { _ in String(format: "%02x", UInt8.random(in: 0...255, using: &generator)) }.joined()
  }

  private static let source = [
    "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=10:duration=2", "-f", "lavfi", "-i", "sine=duration=2", "-c:v",
    "libx264", "-threads", "1", "-g", "10", "-c:a", "aac",
  ]

  private static func encrypted(_ key: String, _ identifier: String, in folder: String) throws -> String {
    let path = folder + "/locked.mp4"
    let run = try CommandOutput.of(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-y"] + source + [
        "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", key, "-encryption_kid", identifier, path,
      ])
    try #require(run.status == 0, "\(run.errors)")
    return path
  }

  private static func options(_ keys: ContentKeys) -> DecoderOptions {
    var options = DecoderOptions()
    options.network.keys = keys
    return options
  }

  private static func frames(_ path: String, _ keys: ContentKeys) throws -> [[UInt8]] {
    try FrameReader(path: path, options: options(keys)).allFrames().map(\.packedBytes)
  }

  /// As FFmpeg shows them with the same key; of fragments, where it reads no index of them before.
  private static func judged(_ path: String, _ key: String) throws -> [UInt8] {
    let run = try CommandOutput.of(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-fflags", "ignidx", "-decryption_key", key, "-i", path, "-map", "0:v:0",
        "-fps_mode", "passthrough",
        "-f", "rawvideo", "-",
      ])
    try #require(run.status == 0, "\(run.errors)")
    return [UInt8](run.output)
  }

  @Test func aClipWithItsKeyIsFFmpegs() throws {
    var generator = SeededGenerator(for: "aClipWithItsKeyIsFFmpegs")
    let (key, identifier, other) = (
      Self.random(&generator), Self.random(&generator), Self.random(&generator)
    )
    try TestFolders.withTemporary { folder in
      let path = try Self.encrypted(key, identifier, in: folder)
      var keys = try ContentKeys("\(other):\(other)")
      keys.add(try ContentKeys("\(identifier.uppercased()):\(key)"))
      let found = try Self.frames(path, keys)
      let judged = try Self.judged(path, key)
      #expect(found.count == 20 && found.flatMap { $0 } == judged)
      // Places that are sought, and the sound, come by demuxers of their own.
      let reader = try FrameReader(path: path, options: Self.options(keys))
      let sought = try reader.seek(SeekRequest(target: MediaTime(seconds: 1.3)))
      #expect(sought?.packedBytes == found[13])
      let clip = try #require(reader.clip)
      let track = try #require(clip.info.audio.first)
      #expect(track.refusal == nil && clip.info.video.keyIdentifier == identifier && !clip.info.video.isEncrypted)
      let sound = try AudioReader(track, of: clip, sampleRate: 44_100).rest()
      #expect(sound.isWhole && sound.samples.count > 80_000 && sound.samples.contains { abs($0) > 0.05 })
    }
  }

  /// `cbcs`, which FFmpeg 5.1 opens and does not write: the ladder's writer does.
  @Test func patternsAreDecrypted() throws {
    let (locked, open) = (
      try SharedLadders.ladder("keys-cbcs") { $0.encryption = .clearKeyPattern }, try SharedLadders.flat()
    )
    let rendition = try #require(locked.index.rungs.first?.renditions.first { $0.packaging == .fmp4 })
    let path = try locked.joined(rendition)
    let facts = try #require(locked.index.encryption)
    let identifier = try #require(try probe(path).video.keyIdentifier)
    let key = try #require(facts.keys.first)
    let found = try Self.frames(path, try ContentKeys("\(identifier):\(key)"))
    let judged = try Self.judged(path, key)
    #expect(!found.isEmpty && found.flatMap { $0 } == judged)
    let clear = try #require(open.index.rungs.first?.renditions.first { $0.packaging == .fmp4 })
    let opened = try Self.frames(try open.joined(clear), ContentKeys())
    #expect(found == opened, "the same pictures as without encryption")
  }

  @Test func missingAndWrongKeysAreNamed() throws {
    var generator = SeededGenerator(for: "missingAndWrongKeysAreNamed")
    let (key, identifier, other) = (
      Self.random(&generator), Self.random(&generator), Self.random(&generator)
    )
    try TestFolders.withTemporary { folder in
      let path = try Self.encrypted(key, identifier, in: folder)
      for keys in [ContentKeys(), try ContentKeys("\(other):\(key)")] {
        let missing = failure { _ = try Self.frames(path, keys) }
        #expect(missing?.kind == .encrypted, "\(String(describing: missing))")
        #expect(missing?.cause == "its video is encrypted, and there is no key \(identifier)")
        #expect(missing?.description.contains(key) == false)
      }
      let wrongKeys = try ContentKeys("\(identifier):\(other)")
      let wrong = failure { _ = try Self.frames(path, wrongKeys) }
      #expect(wrong?.kind == .encrypted, "\(String(describing: wrong))")
      #expect(wrong?.remedy?.contains("the key \(identifier) is another's") == true, "\(String(describing: wrong))")
      #expect(wrong?.description.contains(other) == false)
    }
  }

  @Test(
    arguments: [
      ("", "it is not written KID:KEY"), ("00:11:22", "it is not written KID:KEY"),
      ("00112233445566778899aabbccddeeff:00", "its key has 2 hexadecimal digits, not 32"),
      ("0011:00112233445566778899aabbccddeeff", "its identifier has 4 hexadecimal digits, not 32"),
      ("00112233445566778899aabbccddeefg:00112233445566778899aabbccddeeff", "its identifier is not hexadecimal"),
      ("00112233445566778899aabbccddeeff:00112233445566778899aabbccddeef-", "its key is not hexadecimal"),
    ])
  func textThatIsNoKeyIsRefused(text: String, cause: String) {
    let refused = failure { _ = try ContentKeys(text) }
    #expect(refused?.kind == .usage && refused?.cause == cause)
    // What is wrong may be one digit of a secret.
    #expect(text.isEmpty || refused?.description.contains(text) == false)
  }

  @Test func descriptionsTellNoKey() throws {
    let keys = try ContentKeys("00112233-4455-6677-8899-aabbccddeeff:0f1e2d3c4b5a69788796a5b4c3d2e1f0")
    var network = NetworkOptions()
    network.keys = keys
    var dumped = ""
    dump(network, to: &dumped)
    for text in ["\(keys)", "\(network)", String(reflecting: network), dumped] {
      #expect(!text.contains("15, 30") && !text.lowercased().contains("0f1e"), "\(text)")
    }
    let copy = try JSONDecoder().decode(ContentKeys.self, from: try JSONEncoder().encode(keys))
    #expect(copy == keys && copy.count == 1)
  }
}
