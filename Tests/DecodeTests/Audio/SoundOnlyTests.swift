import Decode
import Foundation
import Frames
import Media
import Support
import Testing

/// Files of sound alone: black pictures stand in for the video, where that is wanted.
@Suite(.tier(.test)) struct SoundOnlyTests {
  private static func withSound(_ name: String, _ options: [String] = [], _ body: (String) throws -> Void) throws {
    try TestFolders.withTemporary { folder in
      let made = try CommandOutput.of(
        "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=440:duration=3.05"] + options + [folder + "/" + name])
      try #require(FileManager.default.fileExists(atPath: folder + "/" + name), "\(made.errors)")
      try body(folder + "/" + name)
    }
  }

  private static func reader(_ path: String) throws -> FrameReader {
    var options = DecoderOptions()
    (options.acceptsSound, options.showsFirstSoon) = (true, true)
    return try FrameReader(path: path, options: options)
  }

  /// As many black pictures as the sound is long, and the sound itself.
  @Test(arguments: ["a.m4a", "a.mp3", "a.flac", "a.wav", "a.ogg", "a.mka"])
  func picturesLastAsLongAsTheSound(name: String) throws {
    try Self.withSound(name) { path in
      let reader = try Self.reader(path)
      #expect(reader.info.isSoundOnly && reader.info.audio.count == 1)
      var times: [MediaTime] = []
      while let frame = try reader.next() {
        times.append(frame.presentationTime)
        let luma = frame.picture.planes[0]
        let bytes = UnsafeRawBufferPointer(start: luma.base, count: luma.rowBytes)
        #expect(bytes.allSatisfy { $0 == 16 })
      }
      #expect(
        (30...33).contains(times.count)
          && times == (0..<times.count).map { MediaTime(nanoseconds: Int64($0) * 100_000_000) })
      let clip = try #require(reader.clip)
      let sound = try AudioReader(clip.info.audio[0], of: clip, sampleRate: 48_000)
      #expect(abs(Double(try sound.rest().samples.count / sound.format.channelCount) / 48_000 - 3.05) < 0.06)
    }
  }

  @Test func placesAreReached() throws {
    try Self.withSound("a.wav") { path in
      let reader = try Self.reader(path)
      for (wanted, found) in [(2.0, 2.0), (0.55, 0.5), (0, 0), (99, 3.0)] {
        let frame = try reader.seek(SeekRequest(target: MediaTime(seconds: wanted)))
        #expect(frame?.presentationTime == MediaTime(seconds: found), "\(wanted)")
      }
      try reader.rewind()
      #expect(try reader.next()?.presentationTime == .zero)
    }
  }

  /// Measuring wants a picture: what has none is refused, and what has a cover alone too.
  @Test func measuringRefusesThem() throws {
    try Self.withSound("a.m4a") { path in
      let failure = #expect(throws: Failure.self) { try FrameReader(path: path) }
      #expect(failure?.kind == .media && failure?.description.contains("'bench360 view' plays sound alone") == true)
      #expect(throws: Failure.self) { try probe(path) }
      let info = try probe(path, acceptsSound: true)
      #expect(info.isSoundOnly)
    }
    let cover = ["-f", "lavfi", "-i", "color=red:size=64x64:rate=1:duration=1", "-map", "0", "-map", "1"]
    try Self.withSound("a.mp3", cover + ["-disposition:v", "attached_pic", "-c:v", "mjpeg"]) { path in
      #expect(throws: Failure.self) { try FrameReader(path: path) }
      let info = try Self.reader(path).info
      #expect(info.isSoundOnly)
    }
    // A clip with video is what it was.
    try Self.withSound(
      "a.mp4", ["-f", "lavfi", "-i", "color=red:size=64x64:rate=10:duration=1", "-map", "0", "-map", "1"]
    ) {
      let info = try Self.reader($0).info
      #expect(!info.isSoundOnly)
    }
  }
}
