import Encode
import Foundation
import Frames
import Support
import Testing

/// A clip as HLS and DASH, by copying its packets; FFmpeg's tools judge the result.
@Suite(.tier(.test)) struct PackageTests {
  private static func clip(_ codec: String) -> ClipSpecification {
    SharedClips.small {
      $0.codec = codec
      $0.size = PictureSize(width: 160, height: 80)
      $0.frames = 100
      $0.gop = 24
    }
  }

  /// The presentation times of all frames in seconds.
  private static func times(_ path: String) -> [Double] {
    Judge.text(
      "ffprobe -v error -select_streams v:0 -show_entries frame=best_effort_timestamp_time -of csv=p=0 '\(path)'"
    ).split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
  }

  private static func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test(arguments: [
    ("h264", "mp4", false), ("h264", "mkv", false), ("h264", "mp4", true), ("hevc", "mp4", false),
    ("vp9", "webm", false),
    ("av1", "mkv", false),
  ])
  func theJudgeDecodesTheSameFramesAtTheSameTimes(codec: String, container: String, isVariable: Bool) throws {
    let source = try SharedClips.file("packaged-\(codec)-\(isVariable).\(container)") { path in
      var clip = Self.clip(codec)
      clip.isVariableRate = isVariable
      clip.hasAudio = true
      try generateClip(clip, to: path)
    }
    try TestFolders.withTemporary { folder in
      let package = try packageClip(source, to: folder + "/p")
      #expect(package.presentations == ["main.m3u8", "manifest.mpd"] && package.leftOut.isEmpty)
      let files = package.presentations.map { "\(folder)/p/\($0)" }
      let hashes = try Judge.frameHashes([source] + files)
      let times = Self.times(source)
      #expect(hashes[0].count == 100 && times.count == 100)
      for (number, file) in files.enumerated() {
        #expect(hashes[number + 1] == hashes[0], "\(file)")
        let told = Self.times(file)
        // Matroska's clock has milliseconds.
        let isNear = zip(told, times).allSatisfy { abs($0 - $1) < 0.0011 }
        #expect(told.count == times.count && isNear, "\(file)")
      }
      let streams = try Support.Judge.ffprobe(folder + "/p/main.m3u8").streams ?? []
      #expect(Set(streams.compactMap(\.codecType)) == ["video", "audio"])
      let main = try Self.text(folder + "/p/main.m3u8")
      #expect(main.contains("RESOLUTION=160x80") && main.contains("bench360-synthetic/1 "))
      let names = ["h264": "avc1.", "hevc": "hvc1.1.6.L", "vp9": "vp09.00.", "av1": "av01.0."]
      #expect(main.contains("CODECS=\"\(try #require(names[codec]))") && main.contains(",AUDIO=\"audio\""), "\(main)")
    }
  }

  /// Segments stand alone, begin at sync samples and last two seconds or more; sound is cut where the pictures are.
  @Test func segmentsBeginAtSyncSamples() throws {
    let source = try SharedClips.file("packaged-segments.mp4") { path in
      var clip = Self.clip("h264")
      clip.hasAudio = true
      try generateClip(clip, to: path)
    }
    try TestFolders.withTemporary { folder in
      _ = try packageClip(source, to: folder + "/p")
      let lines = try Self.text(folder + "/p/video.m3u8").split(separator: "\n")
      // Sync samples lie 0.8 s apart.
      #expect(lines.filter { $0.hasPrefix("#EXTINF") } == ["#EXTINF:2.400000,", "#EXTINF:0.933333,"])
      #expect(lines.contains("#EXT-X-TARGETDURATION:2") && lines.last == "#EXT-X-ENDLIST")
      for number in 0..<2 {
        let files = ["init.mp4", "0000\(number).m4s"].map { URL(filePath: "\(folder)/p/video/\($0)") }
        let alone = "\(folder)/alone-\(number).mp4"
        try files.map { try Data(contentsOf: $0) }.reduce(Data(), +).write(to: URL(filePath: alone))
        let packets = try Support.Judge.packets(alone)
        #expect(packets.count == [72, 28][number] && packets.first?.flags?.hasPrefix("K") == true)
      }
      let stream = try Support.Judge.ffprobe(folder + "/alone-0.mp4").streams?.first
      #expect(stream?.sideDataList?.contains { $0.projection == "equirectangular" } == true, "the sphere is kept")
      let durations = try Self.text(folder + "/p/audio-0.m3u8").matches(of: /#EXTINF:([0-9.]+),/).compactMap {
        Double($0.1)
      }
      #expect(durations.count == 2 && abs(durations[0] - 2.4) < 0.022)
      let manifest = try Self.text(folder + "/p/manifest.mpd")
      #expect(manifest.contains("<S t=\"0\" d=\"36864\"/>") && !manifest.contains("t=\"-"), "\(manifest)")
    }
  }

  /// Two languages and subtitles: the sound stays, the rest is told.
  @Test func tracksAreKeptOrTold() throws {
    try TestFolders.withTemporary { folder in
      var clip = Self.clip("h264")
      clip.hasAudio = true
      try generateClip(clip, to: folder + "/a.mp4")
      try Data("1\n00:00:00,000 --> 00:00:01,000\nhello\n".utf8).write(to: URL(filePath: folder + "/a.srt"))
      let made = try CommandOutput.of(
        "ffmpeg",
        [
          "-v", "error", "-i", "a.mp4", "-i", "a.srt", "-map", "0:v", "-map", "0:a", "-map", "0:a", "-map", "1", "-c",
          "copy",
          "-c:a:1", "libopus", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger", "b.mkv",
        ], folder: folder)
      try #require(made.status == 0, "\(made.errors)")
      let package = try packageClip(folder + "/b.mkv", to: folder + "/p")
      #expect(package.leftOut == ["subtitle subrip"])
      let main = try Self.text(folder + "/p/main.m3u8")
      #expect(main.contains("LANGUAGE=\"eng\",NAME=\"1\",DEFAULT=YES") && main.contains("LANGUAGE=\"ger\",NAME=\"2\""))
      #expect(main.contains(",mp4a.40.2,opus\""), "\(main)")
      let streams = try Support.Judge.ffprobe(folder + "/p/manifest.mpd").streams ?? []
      #expect(streams.compactMap(\.codecName).sorted() == ["aac", "h264", "opus"])
    }
  }

  @Test func whatCannotBePackagedIsRefused() throws {
    try TestFolders.withTemporary { folder in
      try Data("#EXTM3U\nhttp://127.0.0.1/a.ts\n".utf8).write(to: URL(filePath: folder + "/a.m3u8"))
      try generateClip(Self.clip("mpeg4"), to: folder + "/old.mp4")
      try generateClip(Self.clip("h264"), to: folder + "/a.ts")
      let key = String(repeating: "0", count: 32)
      let made = try CommandOutput.of(
        "ffmpeg",
        [
          "-v", "error", "-i", "a.ts", "-c", "copy", "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", key,
          "-encryption_kid", key, "locked.mp4",
        ], folder: folder)
      try #require(made.status == 0, "\(made.errors)")
      for (name, kind, cause) in [
        ("locked.mp4", Failure.Kind.unsupported, "it is encrypted"),
        ("a.m3u8", .unsupported, "not MP4, MOV, Matroska or WebM"),
        ("a.ts", .unsupported, "not MP4, MOV, Matroska or WebM"),
        ("old.mp4", .unsupported, "its video is mpeg4"), ("none.mp4", .input, "no such file"),
      ] {
        let failure = #expect(throws: Failure.self) { try packageClip("\(folder)/\(name)", to: folder + "/p") }
        #expect(
          failure?.kind == kind && failure?.description.lowercased().contains(cause.lowercased()) == true,
          "\(failure as Any)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 4)
    }
  }

  /// The clip's edit list hides two pictures before its start and one behind its end; FFmpeg shows all.
  @Test(.enabled("BENCH360_MEDIA is not set") { TestFolders.clip(hidingClip) != nil })
  func picturesThatOthersNeedAreKept() throws {
    let clip = try #require(TestFolders.clip(Self.hidingClip))
    try TestFolders.withTemporary { folder in
      let package = try packageClip(clip, to: folder + "/p")
      let (shown, packaged) = (try Support.Judge.hashes(clip), try Support.Judge.hashes(folder + "/p/main.m3u8"))
      #expect(package.hiddenFrames == 3 && packaged.count == shown.count + 3)
      #expect(packaged.dropFirst(2).starts(with: shown))
    }
  }

  private static let hidingClip = "flimshaw+Valiant360/build/overpass-clip.mp4"

  @Test func cancellingLeavesNothing() throws {
    try TestFolders.withTemporary { folder in
      try generateClip(Self.clip("h264"), to: folder + "/a.mp4")
      var told: [Double] = []
      let failure = #expect(throws: Failure.self) {
        try packageClip(folder + "/a.mp4", to: folder + "/p") { share in
          told.append(share)
          return share < 0.5
        }
      }
      #expect(failure?.kind == .cancelled && told == told.sorted() && (told.last ?? 0) >= 0.5)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.mp4"])
    }
  }
}
