import Decode
import Foundation
import Frames
import Media
import Support
import Testing

/// How inputs are named, and what ends an opening that would not end by itself.
@Suite(.tier(.test)) struct OpeningTests {
  @Test func fileURLsAreFiles() throws {
    #expect(plainInput("file:///a/b%20c.mp4") == "/a/b c.mp4")
    #expect(plainInput("FILE://localhost/a.mp4?x#y") == "/a.mp4")
    for other in ["a.mp4", "./file://x", "file://host/a.mp4", "http://h/a.mp4", "a:b.mp4", "://x"] {
      #expect(plainInput(other) == other)
    }
    let path = try SharedClips.many("mp4")
    #expect(try probe("file://" + path).video.codec == "h264")
    #expect(failure { _ = try probe("file:///nothing.mp4") }?.cause.hasPrefix("no such file") == true)
  }

  @Test func schemesInCapitalsAreKnown() {
    let refused = failure { _ = try probe("HTTP://127.0.0.1:1/x.mp4") }
    #expect(refused?.kind == .input && refused?.cause == "connection refused", "\(refused.map(\.description) ?? "")")
  }

  @Test func playlistsAndURLsNameOtherInputs() throws {
    try TestFolders.withTemporary { folder in
      let (list, clip) = (try HostileStreams.selfNaming(in: folder), try SharedClips.many("mp4"))
      #expect(namesOtherInputs(list) && namesOtherInputs("https://h/x.mp4"))
      #expect(!namesOtherInputs(clip))
      #expect(!namesOtherInputs(folder + "/missing"))
    }
  }

  @Test func aPlaylistThatNamesItselfIsRefused() throws {
    try TestFolders.withTemporary { folder in
      let path = try HostileStreams.selfNaming(in: folder)
      let refused = failure { _ = try probe(path) }
      #expect(refused?.kind == .media && refused?.cause.contains("over and over: 'self.m3u8'") == true)
    }
  }

  /// What FFmpeg logged is told wherever the code that asks for it was compiled.
  @Test func aMissingKeyIsNamed() throws {
    try TestFolders.withTemporary { folder in
      let clip = try SharedClips.many("ts")
      try FileManager.default.copyItem(atPath: clip, toPath: folder + "/a.ts")
      let list =
        "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXT-X-KEY:METHOD=AES-128,URI=\"k.key\"\n#EXTINF:9,\na.ts\n#EXT-X-ENDLIST\n"
      try Data(list.utf8).write(to: URL(filePath: folder + "/a.m3u8"))
      let refused = failure { _ = try probe(folder + "/a.m3u8") }
      #expect(refused?.cause.contains("Unable to open key file") == true, "\(refused?.description ?? "")")
    }
  }

  @Test func anInitialisationSegmentIsNamed() throws {
    try TestFolders.withTemporary { folder in
      _ = try segmented(in: folder)
      let refused = failure { _ = try FrameReader(path: folder + "/init.mp4").next() }
      #expect(refused?.cause.hasPrefix("it has no packet") == true, "\(refused?.description ?? "")")
      #expect(refused?.remedy?.contains("initialisation segment") == true)
    }
  }

  /// libavformat 5.1 gives no packet of these after any seek, even to the start.
  @Test func segmentsOfFragmentedMP4CanBeLoopedAndSought() throws {
    try TestFolders.withTemporary { folder in
      let reader = try FrameReader(path: try segmented(in: folder))
      let first = try reader.first()
      let times = [first?.presentationTime] + (try reader.allFrames().map(\.presentationTime))
      #expect(times.count == 40 && times == times.sorted { $0 ?? .zero < $1 ?? .zero })
      try reader.rewind()
      #expect(try reader.allFrames().map(\.presentationTime) == times)
      for second in [1.25, 0.3, 1.9, 0] {
        let landed = try reader.seek(SeekRequest(target: MediaTime(seconds: second)))
        let place = try #require(landed)
        #expect(place.presentationTime <= MediaTime(seconds: second))
        #expect(MediaTime(seconds: second) < place.presentationTime + place.duration)
      }
    }
  }

  /// HLS in segments of fragmented MP4: 40 frames in two seconds.
  private func segmented(in folder: String) throws -> String {
    let made = try CommandOutput.of(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=64x64:r=20:d=2", "-c:v", "libx264", "-g", "10", "-bf", "0"]
        + ["-hls_segment_type", "fmp4", "-hls_time", "0.5", "-hls_playlist_type", "vod", "list.m3u8"], folder: folder)
    try #require(made.status == 0, "\(made.errors)")
    return folder + "/list.m3u8"
  }

  @Test func fragmentsAreLoopedWhereEnoughIsThere() throws {
    let whole = try Data(contentsOf: URL(filePath: SharedClips.many("mp4")))
    try TestFolders.withTemporary { folder in
      // The index first, then samples up to three quarters.
      let path = folder + "/cut.mp4"
      let copied = try CommandOutput.of(
        "ffmpeg", ["-v", "error", "-i", try SharedClips.many("mp4"), "-c", "copy", "-movflags", "faststart", path])
      try #require(copied.status == 0, "\(copied.errors)")
      try Data(contentsOf: URL(filePath: path)).prefix(whole.count * 3 / 4).write(to: URL(filePath: path))
      var options = DecoderOptions()
      for (least, isLooped) in [(nil, false), (0.5, true), (60, false)] as [(Double?, Bool)] {
        options.leastLoopSeconds = least
        let reader = try FrameReader(path: path, options: options)
        let count = try reader.allFrames().count
        let refused = failure { try reader.rewind() }
        #expect((refused == nil) == isLooped, "\(least ?? -1): \(refused?.description ?? "")")
        #expect(reader.endsEarly?.hasPrefix("the file ends early after \(count) of 64 frames: ") == true)
        #expect(reader.prematureEnd?.cause == reader.endsEarly)
        if isLooped { #expect(try reader.allFrames().count == count) }
        // A decoder that is behind leaves frames out: they are there all the same.
        let late = try FrameReader(path: path, options: options)
        late.skipsNonReferences = true
        #expect(try late.allFrames().count < count)
        // The packet that is cut counts by itself.
        let counted = (count...count + 1).contains { number in
          late.endsEarly?.hasPrefix("the file ends early after \(number) of 64 frames: ") == true
        }
        #expect(counted, "\(count), \(late.endsEarly ?? "-")")
      }
    }
  }

  @Test func aServerThatBreaksOffEndsTheClipEarly() throws {
    let path = try SharedClips.many("ts")
    let whole = try FrameReader(path: path).allFrames().count
    let size = try Data(contentsOf: URL(filePath: path)).count
    let server = try ClipServer(file: path, manner: .breaksOff(after: size / 2))
    let reader = try FrameReader(path: "http://127.0.0.1:\(server.port)/many.ts")
    let count = try reader.allFrames().count
    #expect(count > 0 && count < whole)
    #expect(
      reader.endsEarly?.hasPrefix("the file ends early after \(count) frames: ") == true, "\(reader.endsEarly ?? "-")")
    let sound = try ClipServer(file: path)
    let complete = try FrameReader(path: "http://127.0.0.1:\(sound.port)/many.ts")
    #expect(try complete.allFrames().count == whole && complete.endsEarly == nil)
  }

  @Test func liveStreamsAreKnown() throws {
    let path = try SharedClips.synthetic("live.ts") {
      $0 = SharedClips.manySpecification
      $0.frames = 400
    }
    let (live, file) = (try ClipServer(file: path, manner: .live), try ClipServer(file: path))
    #expect(try probe("http://127.0.0.1:\(live.port)/live.ts").isLive)
    #expect(try !probe("http://127.0.0.1:\(file.port)/live.ts").isLive && !probe(path).isLive)
  }

  @Test func callsThatIgnoreTheirEndAreTold() {
    let interruption = Interruption()
    let call = MediaCall("x.mpd", interruption)
    defer { call.close() }
    let start = MonotonicTime.now
    func told(after seconds: Double, endsOverdue: Bool = true, bytes: Int = 0) -> Failure? {
      call.failure(endsOverdue: endsOverdue, now: start.advanced(byMilliseconds: seconds * 1000)) { bytes }
    }
    call.begin()
    #expect(told(after: 100) == nil, "it was not told to stop")
    interruption.request()
    #expect(told(after: 101) == nil, "it gets a second")
    #expect(told(after: 101.9) == nil)
    #expect(told(after: 102.1, endsOverdue: false) == nil)
    #expect(told(after: 102.1)?.attempt == "cannot open 'x.mpd'")
    call.end()
    #expect(told(after: 110) == nil, "it has ended")
    call.begin()
    #expect(told(after: 111) == nil, "the next one gets a second of its own")
    #expect(told(after: 111, bytes: 1 << 40)?.cause.contains("1024 MiB") == true)
    call.hasOpened()
    #expect(told(after: 111.5, bytes: 1 << 40) == nil, "what plays may take memory")
    #expect(told(after: 113)?.attempt == "cannot read 'x.mpd'")
  }
}
