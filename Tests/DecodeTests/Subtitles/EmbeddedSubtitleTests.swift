import Decode
import Encode
import Foundation
import Frames
import Media
import Support
import Testing

/// Tracks inside of clips, which FFmpeg's own tool puts there and reads back.
@Suite(.tier(.test)) struct EmbeddedSubtitleTests {
  private static let ass = """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: 640
    PlayResY: 320

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Alignment
    Style: Default,Sans,40,&H0000FFFF,0,8

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    Dialogue: 0,0:00:00.10,0:00:00.40,Default,,0,0,0,,Oben, mit {\\i1}Komma{\\i0}
    Dialogue: 1,0:00:00.20,0:00:00.70,Default,,0,0,0,,{\\pos(100,100)}zweite
    """

  private static func file(_ name: String, _ text: String) throws -> String {
    try SharedClips.file(name) { try Data(text.utf8).write(to: URL(filePath: $0)) }
  }

  /// Every container with two languages in it.
  private static let clips: [(name: String, codecs: [String], options: [String])] = [
    ("embedded.mp4", ["mov_text", "mov_text"], []),
    ("embedded.mkv", ["subrip", "ass"], []),
    ("embedded-late.mkv", ["subrip", "ass"], ["-output_ts_offset", "5"]),
    ("embedded.webm", ["webvtt", "webvtt"], ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "16"]),
  ]

  private static func make(_ clip: (name: String, codecs: [String], options: [String])) throws -> String {
    let video = try SharedClips.synthetic("embedded-video.mp4")
    let srt = try file("embedded.srt", SubtitleReaderTests.srt)
    return try SharedClips.ffmpeg(
      clip.name,
      [
        "-i", video, "-i", srt, "-i", try file("embedded.ass", ass), "-map", "0:v", "-map", "1", "-map", "2", "-c:v",
        "copy",
      ]
        + ["-c:s:0", clip.codecs[0], "-c:s:1", clip.codecs[1]]
        + ["-metadata:s:s:0", "language=eng", "-metadata:s:s:1", "language=ger"]
        + ["-disposition:s:0", "0", "-disposition:s:1", "default"] + clip.options)
  }

  @Test(arguments: clips.map(\.name))
  func everyTrackIsReadAsFFmpegReadsIt(name: String) throws {
    let clip = try #require(Self.clips.first { $0.name == name })
    let path = try Self.make(clip)
    let tracks = try probe(path).subtitles
    #expect(tracks.map(\.codec) == clip.codecs && tracks.map(\.streamIndex) == [1, 2])
    #expect(tracks.map(\.language?.code) == ["en", "de"] && tracks.map(\.isDefault) == [false, true])
    for (number, track) in tracks.enumerated() {
      let found = try subtitles(track, of: try ProbedClip(path: path))
      let judged = try PlainSubtitle.judged(path, stream: number)
      #expect(found == judged && !found.isEmpty, "\(found) instead of \(judged)")
    }
  }

  /// Subtitles have the times of the frames: from the first one on, wherever the file's clock begins.
  @Test func timesAreThoseOfTheFrames() throws {
    let paths = try [Self.clips[1], Self.clips[2]].map { try Self.make($0) }
    let start = try Judge.ffprobe(paths[1]).streams?.first?.startTime.flatMap { Double($0) }
    #expect((start ?? 0) > 4.5, "the file begins late")
    let both = try paths.map { try subtitles(try probe($0).subtitles[0], of: try ProbedClip(path: $0)) }
    #expect(both[0] == both[1] && both[0].first?.start == 500)
  }

  @Test func anAuthorsStylesAreKept() throws {
    let path = try Self.make(Self.clips[1])
    let tracks = try probe(path).subtitles
    let reader = try SubtitleReader(tracks[1], of: try ProbedClip(path: path))
    #expect(reader.script.isStyled && reader.script.header.contains("PlayResX: 640"))
    #expect(try reader.next()?.text == "Oben, mit {\\i1}Komma{\\i0}")
    #expect(try !SubtitleReader(tracks[0], of: try ProbedClip(path: path)).script.isStyled)
  }

  @Test func fontsComeWithTheirFile() throws {
    let font = try Self.file("made-up.ttf", "no font at all")
    let path = try SharedClips.ffmpeg(
      "fonts.mkv",
      ["-i", try Self.make(Self.clips[1]), "-map", "0", "-c", "copy", "-attach", font, "-metadata:s:t"]
        + ["mimetype=application/x-truetype-font"])
    let reader = try SubtitleReader(try probe(path).subtitles[1], of: try ProbedClip(path: path))
    #expect(reader.script.fonts.map(\.name) == ["made-up.ttf"])
    #expect(reader.script.fonts.first?.bytes == Array("no font at all".utf8))
  }

  @Test func picturesAreNamedAndRefused() throws {
    let pictures = try SharedClips.file("pictures.sup") { path in
      // Presentation graphics of Blu-ray discs: a composition without objects, and its end.
      let times: [UInt8] = [0, 1, 0x5F, 0x90, 0, 1, 0x5F, 0x90]
      let composition: [UInt8] = [7, 0x80, 4, 0x38, 0x10, 0, 1, 0x80, 0, 0, 0]
      let bytes = Array("PG".utf8) + times + [0x16, 0, 11] + composition + Array("PG".utf8) + times + [0x80, 0, 0]
      try Data(bytes).write(to: URL(filePath: path))
    }
    let video = try SharedClips.synthetic("embedded-video.mp4")
    let path = try SharedClips.ffmpeg(
      "bitmap.mkv", ["-i", video, "-f", "sup", "-i", pictures, "-map", "0:v", "-map", "1:s", "-c", "copy"])
    let track = try #require(try probe(path).subtitles.first)
    #expect(track.codec == "hdmv_pgs_subtitle" && track.refusal?.contains("holds pictures") == true)
    let failure = #expect(throws: Failure.self) { try SubtitleReader(track, of: try ProbedClip(path: path)) }
    #expect(failure?.kind == .unsupported && failure?.attempt.contains(path) == true)
  }
}
