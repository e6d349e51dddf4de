import Decode
import Foundation
import Frames
import Media
import Support
import Testing

/// Clips whose start is easily missed: a first sample that is decoded and not shown, and a demuxer whose time stamps run on after a seek.
@Suite(.tier(.test)) struct HostileStartTests {
  private static let names = ["mov_ibi_elst_starts_b.mp4", "4xm/version1.mp4"]

  private static func path(_ name: String) -> String? { TestFolders.clip("../hostile/" + name) }

  /// Each pass has the same frames, and every one of them can be sought.
  @Test(
    .enabled(if: names.allSatisfy { path($0) != nil }, "BENCH360_MEDIA has no hostile clips beside it"),
    arguments: names)
  func everyPassBeginsAtTheStart(name: String) throws {
    let reader = try FrameReader(path: #require(Self.path(name)))
    let times = try reader.allFrames().map(\.presentationTime)
    #expect(times.first == .zero && times == times.sorted() && times.count > 14)
    for _ in 0..<2 {
      try reader.rewind()
      #expect(try reader.allFrames().map(\.presentationTime) == times)
    }
    for index in [0, 1, times.count / 2, 7, times.count - 1, 0] {
      #expect(try reader.seek(SeekRequest(target: times[index]))?.presentationTime == times[index], "frame \(index)")
    }
    let fresh = try FrameReader(path: #require(Self.path(name)))
    #expect(try fresh.seek(SeekRequest(target: .zero))?.presentationTime == .zero)
    #expect(try fresh.seek(SeekRequest(target: times[8]))?.presentationTime == times[8])
  }

  /// libavformat waits for segments to come.
  @Test(arguments: ["", "master.m3u8"]) func aLocalLivePlaylistNamesWhatIsMissing(master: String) throws {
    try TestFolders.withTemporary { folder in
      let media = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:1,\na-2.ts\n#EXTINF:1,\na-3.ts\n"
      try Data(media.utf8).write(to: URL(filePath: folder + "/a.m3u8"))
      try Data("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n".utf8).write(
        to: URL(filePath: folder + "/master.m3u8"))
      let failure = failure { _ = try FrameReader(path: folder + "/" + (master.isEmpty ? "a.m3u8" : master)) }
      #expect(failure?.cause == "'a-2.ts', which it names, is missing", "\(String(describing: failure))")
      #expect(failure?.kind == .input)
    }
  }

  /// libavformat reads the first segment over and over.
  @Test func rangesOfALocalManifestAreRefused() throws {
    try TestFolders.withTemporary { folder in
      let clip = try SharedClips.ffmpeg(
        "fragments.mp4", ["-i", try SharedClips.many("mp4"), "-c", "copy", "-movflags", "+frag_keyframe+empty_moov"])
      try FileManager.default.copyItem(atPath: clip, toPath: folder + "/a.mp4")
      let count = try Data(contentsOf: URL(filePath: clip)).count
      let manifest = """
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:full:2011" type="static" \
        minBufferTime="PT1S" mediaPresentationDuration="PT1S"><Period>\
        <AdaptationSet mimeType="video/mp4"><Representation id="a" bandwidth="1000"><BaseURL>a.mp4</BaseURL>\
        <SegmentList duration="1"><SegmentURL mediaRange="0-\(count - 1)"/></SegmentList></Representation></AdaptationSet></Period></MPD>
        """
      try Data(manifest.utf8).write(to: URL(filePath: folder + "/a.mpd"))
      let failure = failure { _ = try FrameReader(path: folder + "/a.mpd") }
      #expect(
        failure?.kind == .unsupported && failure?.cause.contains("ranges of bytes") == true,
        "\(String(describing: failure))")
    }
  }
}
