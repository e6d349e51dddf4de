import Decode
import Encode
import Foundation
import Frames
import Media
import Support
import Testing

/// What cannot be decoded is named, and what is damaged is counted.
@Suite(.tier(.test)) struct RefusalTests {
  private static let hasMedia = TestFolders.media != nil

  @Test func damagedPacketsAreCounted() throws {
    let source = try SharedClips.synthetic("undamaged.mp4") { $0.frames = 24 }
    let packets = try Judge.packets(source)
    var data = try Data(contentsOf: URL(filePath: source))
    for number in [3, 10, 17] {
      // The length of the first unit in the packet: longer than the packet.
      let position = try #require(packets[number].pos.flatMap { Int($0) })
      data.replaceSubrange(position..<position + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
    }
    let path = try SharedClips.file("damaged.mp4") { try data.write(to: URL(filePath: $0)) }
    for threads in [1, 2] {
      let reader = try FrameReader(path: path, options: DecoderOptions(threads: threads))
      let frames = try reader.allFrames()
      #expect(reader.damagedPackets == 3 && frames.count >= 20, "\(threads) threads: \(reader.damagedPackets)")
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.presentationTime < $1.presentationTime })
    }
    let whole = try FrameReader(path: source)
    _ = try whole.allFrames()
    #expect(whole.damagedPackets == 0)
  }

  @Test func truncatedAndGarbledFilesEndCleanly() throws {
    let source = try SharedClips.synthetic("undamaged.mkv")
    let data = try Data(contentsOf: URL(filePath: source))
    var random = SeededGenerator(for: "truncatedAndGarbledFilesEndCleanly")
    for round in 0..<40 {
      var broken = data
      if round % 2 == 0 { broken = broken.prefix(Int.random(in: 1..<data.count, using: &random)) }
      for _ in 0..<(round % 5) * 8 {
        broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try TestFolders.withTemporary { folder in
        let path = folder + "/broken.mkv"
        try broken.write(to: URL(filePath: path))
        var count = 0
        let refused = failure {
          let reader = try FrameReader(path: path, options: DecoderOptions(threads: 1 + round % 2))
          while count < 1000, try reader.next() != nil { count += 1 }
        }
        #expect(count < 1000 && (count > 0 || refused != nil), "round \(round)")
        if let refused { #expect(refused.description.contains("'\(path)'") && !refused.description.contains("\n")) }
      }
    }
  }

  @Test func whatIsNoFileIsToldPlainly() throws {
    try TestFolders.withTemporary { folder in
      try Data().write(to: URL(filePath: folder + "/empty.mp4"))
      try Data("just text, no video".utf8).write(to: URL(filePath: folder + "/text.mp4"))
      let cases: [(String, Failure.Kind, String)] = [
        ("missing.mp4", .input, "no such file"), (".", .input, "folder"), ("empty.mp4", .media, "empty"),
        ("text.mp4", .media, ""), ("a:b.mp4", .input, "no such file"),
      ]
      for (name, kind, words) in cases {
        let refused = failure { _ = try FrameReader(path: folder + "/" + name) }
        #expect(
          refused?.kind == kind && refused.map { words.isEmpty || $0.cause.contains(words) } ?? false,
          "\(refused?.description ?? name)")
      }
      #expect(failure { try checkInput("/dev/null") }?.kind == .input)
    }
  }

  @Test func audioAloneIsNoVideo() throws {
    let path = try SharedClips.ffmpeg("sine.m4a", ["-f", "lavfi", "-i", "sine=d=0.3", "-c:a", "aac"])
    let refused = failure { _ = try probe(path) }
    #expect(refused?.kind == .media && refused?.cause == "it has no video stream (only audio)")
  }

  @Test(.enabled(if: hasMedia, "BENCH360_MEDIA names no folder of clips"))
  func encryptedVideoIsNamed() throws {
    let clips = [
      "debian+firefox-esr-140.12.0esr/dom/media/test/tearsofsteel_1frame_encrypted.mp4",
      "debian+firefox-esr-140.12.0esr/dom/media/test/bipbop-clearkey-video-av1.mp4",
      "debian+firefox-esr-140.12.0esr/dom/media/test/sample-encrypted-sgpdstbl-sbgptraf.mp4",
      "joeyparrish+shaka-packager/packager/app/test/testdata/hdr10-with-encryption/bear-640x360-hevc-hdr10-video.mp4",
    ].compactMap(TestFolders.clip)
    #expect(!clips.isEmpty)
    for path in clips {
      #expect(try probe(path).video.isEncrypted, "\(path)")
      #expect(failure { _ = try FrameReader(path: path) }?.kind == .encrypted, "\(path)")
    }
  }

  /// A playlist on this machine may name files beside it, never the network.
  @Test func playlistsReachNoNetwork() throws {
    let head = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\n"
    try TestFolders.withTemporary { folder in
      for (name, url) in [
        // No host answers at this address: without the list, opening it would wait.
        ("http", "http://192.0.2.1/segment.ts"), ("https", "https://192.0.2.1/a.ts"), ("tcp", "tcp://192.0.2.1:9"),
      ] {
        let path = folder + "/\(name).m3u8"
        try Data((head + url + "\n#EXT-X-ENDLIST\n").utf8).write(to: URL(filePath: path))
        let interruption = Interruption()
        interruption.setDeadline(MonotonicTime.now.advanced(byMilliseconds: Patience.seconds * 1000))
        let refused = failure {
          let reader = try FrameReader(path: path, interruption: interruption)
          _ = try reader.next()
        }
        #expect(refused != nil && refused?.kind != .cancelled, "\(refused?.description ?? "opened")")
      }
      let text = folder + "/data.m3u8"
      try Data((head + "data:text/plain,nothing\n#EXT-X-ENDLIST\n").utf8).write(to: URL(filePath: text))
      #expect(failure { _ = try FrameReader(path: text) } != nil)
    }
  }

  @Test func playlistsReachTheFilesBesideThem() throws {
    let clip = try SharedClips.many("ts")
    let path = try SharedClips.file("list.m3u8") { path in
      let list = "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:2.2,\nmany.ts\n#EXT-X-ENDLIST\n"
      try Data(list.utf8).write(to: URL(filePath: path))
    }
    let frames = try FrameReader(path: path).allFrames()
    #expect(frames.map { $0.number(SharedClips.manySpecification) } == (0..<64).map { $0 })
    withExtendedLifetime(clip) {}
  }
}
