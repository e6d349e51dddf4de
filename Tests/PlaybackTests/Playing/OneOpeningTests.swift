import Decode
import Foundation
import Frames
import Media
import Playback
import Support
import Testing

/// A clip that is played with subtitles and thumbnails is opened once.
@Suite(.tier(.test)) struct OneOpeningTests {
  private static func clip() throws -> String {
    let words = try SharedClips.file("opened.srt") { path in
      try Data("1\n00:00:00,000 --> 00:00:01,500\none\n\n2\n00:00:01,600 --> 00:00:02,000\ntwo\n".utf8)
        .write(to: URL(filePath: path))
    }
    let video = try SharedClips.synthetic("opened.mp4") { ($0.frames, $0.gop) = (60, 10) }
    return try SharedClips.ffmpeg("opened.mkv", ["-i", video, "-i", words, "-c:v", "copy", "-c:s", "subrip"])
  }

  /// Plays to the end, while thumbnails and subtitles are read beside; what came of each.
  private static func play(_ reader: FrameReader, _ interruption: Interruption) throws -> (Int, Int, [String]) {
    let feed = FrameFeed(reader: reader, interruption: interruption, start: .inOrder)
    let maker = ThumbnailMaker(of: try #require(reader.clip))
    let subtitles = SubtitleFeed(try #require(reader.info.subtitles.first), of: reader.clip)
    defer {
      feed.stop()
      maker.stop()
      subtitles.stop()
    }
    var (frames, pictures) = (0, 0)
    while let frame = try feed.next() {
      frames += 1
      guard frames % 20 == 0 else { continue }
      var isReady: Bool { maker.thumbnail(at: frame.presentationTime).status == .ready }
      if Patience.until({ isReady }) { pictures += 1 }
    }
    subtitles.waitUntilComplete()
    let state = subtitles.state
    let times = [0.5, 1.8].map { MediaTime(seconds: $0) }
    return (frames, pictures, times.flatMap { state.events.visible(at: $0).map { String($0.text) } })
  }

  /// What opened the source's name again would find no file.
  @Test func allReadTheSourceThatIsOpen() throws {
    let source = try CountingSource(try Self.clip())
    let interruption = Interruption()
    let reader = try FrameReader(path: source.path, source: source, interruption: interruption)
    let (frames, pictures, words) = try Self.play(reader, interruption)
    #expect(frames == 60 && pictures == 3 && words == ["one", "two"])
  }

  /// The kernel tells how often this process holds the file, by then without a name.
  @Test func oneDescriptorHoldsTheFile() throws {
    try TestFolders.withTemporary { folder in
      let path = folder + "/clip.mkv"
      try FileManager.default.copyItem(atPath: try Self.clip(), toPath: path)
      let interruption = Interruption()
      let reader = try FrameReader(path: path, interruption: interruption)
      try FileManager.default.removeItem(atPath: path)
      let other = try KeyFrameReader(of: try #require(reader.clip))
      #expect(try other.picture(at: MediaTime(seconds: 1)) != nil)
      #expect(Self.descriptors(of: path) == 1)
      let (frames, pictures, words) = try Self.play(reader, interruption)
      #expect(frames == 60 && pictures == 3 && words == ["one", "two"])
    }
  }

  private static func descriptors(of path: String) -> Int {
    let files = FileManager.default
    return ((try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count { number in
      (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + number))?.hasPrefix(path) ?? false
    }
  }
}
