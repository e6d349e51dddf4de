import Foundation
import Frames
import Support
import Testing

import Streaming

/// Packages that FFmpeg makes: the segments that a manifest tells are the files that lie there, and joined they hold
/// each packet of the source.
@Suite(.tier(.test), .enabled("ffmpeg is not installed") { FFmpegTool.isInstalled || PythonJudge.isRequired })
struct PackageTests {
  /// The arguments of the muxer, and the manifest that it writes.
  struct Package: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    let manifest: String
    var testDescription: String { name }
  }

  private static let packages = [
    Package(
      name: "HLS in transport streams",
      arguments: ["-map", "0", "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod", "main.m3u8"],
      manifest: "main.m3u8"),
    Package(
      name: "HLS in fragments with separate audio",
      arguments: [
        "-map", "0:v", "-map", "0:a", "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod", "-hls_segment_type",
        "fmp4", "-master_pl_name", "main.m3u8", "-var_stream_map", "v:0,agroup:a a:0,agroup:a,language:de",
        "-hls_segment_filename",
        "%v-%d.m4s", "%v.m3u8",
      ], manifest: "main.m3u8"),
    Package(
      name: "HLS in one file of fragments",
      arguments: [
        "-map", "0", "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4",
        "-hls_flags", "single_file", "main.m3u8",
      ],
      manifest: "main.m3u8"),
    Package(
      name: "HLS in one transport stream",
      arguments: [
        "-map", "0", "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod", "-hls_flags", "single_file",
        "main.m3u8",
      ],
      manifest: "main.m3u8"),
    Package(
      name: "DASH with timelines",
      arguments: ["-map", "0", "-f", "dash", "-seg_duration", "1", "-use_timeline", "1", "main.mpd"],
      manifest: "main.mpd"),
    Package(
      name: "DASH with numbers",
      arguments: ["-map", "0", "-f", "dash", "-seg_duration", "1", "-use_timeline", "0", "main.mpd"],
      manifest: "main.mpd"),
    Package(
      name: "DASH in single files",
      arguments: ["-map", "0", "-f", "dash", "-seg_duration", "1", "-single_file", "1", "main.mpd"],
      manifest: "main.mpd"),
    Package(
      name: "DASH in single files with an index",
      arguments: [
        "-map", "0", "-f", "dash", "-seg_duration", "1", "-single_file", "1", "-global_sidx", "1", "main.mpd",
      ], manifest: "main.mpd"),
  ]

  private static func run(_ program: String, _ arguments: [String], in folder: String) throws -> String {
    let run = try CommandOutput.of(program, ["-v", "error"] + arguments, folder: folder)
    try #require(run.status == 0, "\(run.errors)")
    return run.text
  }

  /// Packets and seconds by kind of stream, as ffprobe counts them.
  private static func packets(_ path: String, in folder: String) throws -> [String: Int] {
    let text = try run(
      "ffprobe", ["-count_packets", "-show_entries", "stream=codec_type,nb_read_packets", "-of", "csv=p=0", path],
      in: folder)
    let rows = text.split(separator: "\n").map { $0.split(separator: ",") }
    return Dictionary(rows.compactMap { row in row.count >= 2 ? (String(row[0]), Int(row[1]) ?? -1) : nil }) { $1 }
  }

  @Test(arguments: packages)
  func segmentsHoldThePacketsOfTheSource(package: Package) throws {
    try TestFolders.withTemporary { folder in
      let source = try SharedClips.ffmpeg(
        "packages.mp4",
        [
          "-f", "lavfi", "-i", "testsrc=s=64x64:r=10:d=5.3", "-f", "lavfi", "-i", "sine=d=5.3", "-c:v", "libx264", "-g",
          "10", "-bf", "0", "-c:a", "aac",
        ])
      _ = try Self.run("ffmpeg", ["-i", source, "-c", "copy"] + package.arguments, in: folder)
      let expected = try Self.packets(source, in: folder)
      let presentation = try Manifest.parse(
        Self.bytes(folder + "/" + package.manifest), at: StreamAddress(file: folder + "/" + package.manifest))
      var found: [String: Int] = [:]
      // FFmpeg lists a track of audio as a variant too.
      var addresses: Set<StreamAddress> = []
      for rendition in presentation.periods.flatMap(\.adaptationSets).flatMap(\.renditions) {
        let timeline = try Self.timeline(rendition, presentation)
        guard addresses.insert(try #require(timeline[0]).address).inserted else { continue }
        let end = try #require(timeline.end)
        #expect(abs(end.seconds - 5.3) < 0.25, "\(end.seconds) s")
        #expect((5...6).contains(timeline.count ?? 0), "\(timeline.count ?? 0) segments")
        try Self.join(timeline, to: folder + "/joined")
        found.merge(try Self.packets("joined", in: folder)) { $0 + $1 }
      }
      #expect(found == expected)
    }
  }

  private static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

  /// What a downloader does to know the segments.
  private static func timeline(_ rendition: Rendition, _ presentation: Presentation) throws -> SegmentTimeline {
    switch rendition.source {
    case .timeline(let timeline): return timeline
    case .playlist(let address, let loaded):
      if let loaded { return loaded.timeline }
      let path = try #require(address.path)
      return try #require(try MediaPlaylist.parse(bytes(path), at: address, variables: presentation.variables)).timeline
    case .index(let file):
      let whole = try bytes(try #require(file.address.path))
      return try file.timeline(index: Array(whole[Int(file.indexRange.offset)..<Int(file.indexRange.end)]))
    case .insideVideo: throw Failure(.failed, "cannot load the track", cause: "it has no segments of its own")
    }
  }

  /// Writes initialisation and segments one behind the other. Ranges of one file lie end to end, and the last ends it.
  private static func join(_ timeline: SegmentTimeline, to path: String) throws {
    var joined = Data()
    var end: Int64?
    let segments = Playlists.segments(timeline)
    if let section = segments.first?.initialization {
      joined += try read(section.address, section.range)
    }
    for segment in segments {
      if let range = segment.range {
        #expect(end == nil || end == range.offset)
        end = range.end
      }
      joined += try read(segment.address, segment.range)
    }
    if let end, let file = segments.first?.address.path { #expect(try bytes(file).count == Int(end)) }
    try joined.write(to: URL(filePath: path))
  }

  private static func read(_ address: StreamAddress, _ range: ByteRange?) throws -> Data {
    let data = try Data(contentsOf: URL(filePath: #require(address.path)))
    guard let range else { return data }
    try #require(range.end <= data.count)
    return data[Int(range.offset)..<Int(range.end)]
  }
}

private enum FFmpegTool {
  static let isInstalled = (try? CommandOutput.of("ffmpeg", ["-version"]).status) == 0
}
