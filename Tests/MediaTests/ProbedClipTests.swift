import CFFmpeg
import Decode
import Foundation
import Frames
import Media
import Support
import Testing

/// Further readings of a clip that is open: they share its bytes, probe nothing, and read what a reading of their own would.
@Suite(.tier(.test)) struct ProbedClipTests {
  private struct Packet: Hashable {
    var stream: Int32
    var (presentation, decoding, duration): (Int64, Int64, Int64)
    var size: Int32
    var isSyncSample: Bool
  }

  private static func packets(_ file: Demuxer) throws -> [Packet] {
    var packet = av_packet_alloc()
    defer { av_packet_free(&packet) }
    let read = try #require(packet)
    var found: [Packet] = []
    while try file.read(into: read) {
      let value = read.pointee
      found.append(
        Packet(
          stream: value.stream_index, presentation: value.pts, decoding: value.dts, duration: value.duration,
          size: value.size, isSyncSample: value.isSyncSample))
      av_packet_unref(read)
    }
    return found
  }

  /// With B-frames, sound and, where the container holds some, subtitles.
  private static func clip(_ container: String) throws -> String {
    let text = "1\n00:00:00,500 --> 00:00:01,500\none\n\n2\n00:00:02,000 --> 00:00:03,000\ntwo\n"
    let words = try SharedClips.file("probed.srt") { try Data(text.utf8).write(to: URL(filePath: $0)) }
    let subtitles = ["mp4": "mov_text", "mkv": "subrip"][container]
    let codec = container == "avi" ? "mpeg4" : container == "mpg" ? "mpeg2video" : "libx264"
    return try SharedClips.ffmpeg(
      "probed.\(container)",
      ["-f", "lavfi", "-i", "testsrc=s=320x240:r=25:d=6", "-f", "lavfi", "-i", "sine=d=6", "-i", words]
        + ["-map", "0:v", "-map", "1:a"] + (subtitles.map { ["-map", "2:s", "-c:s", $0] } ?? [])
        + ["-c:v", codec, "-g", "25", "-bf", "2", "-b:v", "2M", "-c:a", container == "mpg" ? "mp2" : "aac"])
  }

  @Test(arguments: ["mp4", "mkv", "ts", "avi", "mpg"])
  func anotherReadingGivesTheSamePackets(container: String) throws {
    let source = try CountingSource(try Self.clip(container))
    let file = try Demuxer(
      path: source.path, source: source, network: NetworkOptions(), interruption: Interruption())
    let clip = try ProbedClip(file, try describe(file).info)
    let judged = try Self.packets(file)
    let probing = source.takeByteCount()
    let other = try Demuxer(clip, interruption: Interruption())
    let opening = source.takeByteCount()
    #expect(try Self.packets(other) == judged && judged.count > 250)
    for index in 0..<Int(file.context.pointee.nb_streams) {
      let (a, b) = (try #require(file.stream(index)).pointee, try #require(other.stream(index)).pointee)
      #expect(a.start_time == b.start_time && a.duration == b.duration)
      #expect(Ratio(a.avg_frame_rate) == Ratio(b.avg_frame_rate) && Ratio(a.r_frame_rate) == Ratio(b.r_frame_rate))
      #expect(a.codecpar.pointee.width == b.codecpar.pointee.width)
      #expect(a.codecpar.pointee.video_delay == b.codecpar.pointee.video_delay)
    }
    // The others' streams are told by their packets, so that they are probed for.
    if ["mp4", "mkv", "ts"].contains(container) {
      #expect(opening < 150_000 && opening < probing / 3, "\(opening) of \(probing) bytes")
    }
  }

  @Test func aClipIsReadOnAfterItsFirstReadingHasEnded() throws {
    let source = try CountingSource(try Self.clip("mkv"))
    var reader: FrameReader? = try FrameReader(path: source.path, source: source)
    let clip = try #require(reader?.clip)
    let frames = try #require(reader).allFrames().map(\.presentationTime)
    reader = nil
    let again = try FrameReader(of: clip, options: DecoderOptions(), interruption: Interruption())
    #expect(try again.allFrames().map(\.presentationTime) == frames && frames.count == 150)
  }
}
