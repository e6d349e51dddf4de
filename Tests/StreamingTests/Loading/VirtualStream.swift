import Adaptation
import Foundation
import Frames
import Support

import Streaming

/// A presentation in memory, whose media no decoder reads: text as HLS or DASH, and segments of bytes that tell their places.
struct VirtualStream {
  enum Form: CaseIterable {
    /// A file for each segment, behind an initialisation section for each rung.
    case hls
    /// A file for each rung, of which the playlist names parts.
    case hlsRanges
    /// A file for each segment, named by number; no initialisation sections.
    case dash
  }

  /// What lies at an address: some bytes of `block`, or text.
  enum File {
    case text([UInt8])
    case media(phase: Int, count: Int)

    var count: Int {
      switch self {
      case .text(let bytes): bytes.count
      case .media(_, let count): count
      }
    }

    func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> {
      switch self {
      case .text(let bytes): bytes[range]
      case .media(let phase, _): VirtualStream.media((phase + range.lowerBound)..<(phase + range.upperBound))
      }
    }
  }

  let table: RungTable
  let form: Form
  /// One track beside the video, with segments of the same lengths.
  let hasSound: Bool
  var files: [String: File] = [:]
  /// Of each rung's initialisation section; empty where there are none.
  private(set) var sections: [Int] = []

  static let folder = "http://origin/"
  var manifest: String { form == .dash ? "main.mpd" : "main.m3u8" }
  var url: String { Self.folder + manifest }

  private static let phases = 251
  /// Any two places of it differ within a few bytes.
  private static let block: [UInt8] = {
    var generator = SeededGenerator(seed: 360)
    return (0..<(1 << 20)).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) }
  }()

  /// The block, again and again.
  private static func media(_ range: Range<Int>) -> ArraySlice<UInt8> {
    var start = range.lowerBound % block.count
    if range.count <= block.count - start { return block[start..<(start + range.count)] }
    var bytes: [UInt8] = []
    while bytes.count < range.count {
      bytes += block[start...].prefix(range.count - bytes.count)
      start = 0
    }
    return bytes[...]
  }

  init(_ table: RungTable, _ form: Form, sectionBytes: Int = 700, hasSound: Bool = false) {
    (self.table, self.form, self.hasSound) = (table, form, hasSound)
    if form == .hls { sections = table.bitrates.indices.map { sectionBytes + $0 } }
    for (rung, bytes) in sections.enumerated() { files["\(rung)/init"] = .media(phase: rung, count: bytes) }
    for rung in table.bitrates.indices {
      if form == .hlsRanges {
        let count = table.durations.indices.reduce(0) { $0 + table.bytes(segment: $1, rung: rung) }
        files["\(rung)/all"] = .media(phase: 64 * rung, count: count)
      } else {
        for segment in table.durations.indices {
          files["\(rung)/\(segment)"] = .media(
            phase: (64 * rung + segment) % Self.phases * 64, count: table.bytes(segment: segment, rung: rung))
        }
      }
      if form != .dash { files["\(rung)/list.m3u8"] = .text(Array(playlist(rung).utf8)) }
    }
    if hasSound {
      for segment in table.durations.indices { files["sound/\(segment)"] = .media(phase: segment, count: 2000) }
      if form != .dash { files["sound/list.m3u8"] = .text(Array(soundPlaylist.utf8)) }
    }
    files[manifest] = .text(Array((form == .dash ? mpd : multivariant).utf8))
  }

  /// Where a segment lies.
  func place(of segment: Int, rung: Int) -> (path: String, range: Range<Int>) {
    let count = table.bytes(segment: segment, rung: rung)
    guard form == .hlsRanges else { return ("\(rung)/\(segment)", 0..<count) }
    let start = (0..<segment).reduce(0) { $0 + table.bytes(segment: $1, rung: rung) }
    return ("\(rung)/all", start..<(start + count))
  }

  /// What a reader of the segment gets: the section and the segment.
  func bytes(of segment: Int, rung: Int) -> [UInt8] {
    let (path, range) = place(of: segment, rung: rung)
    let section = sections.isEmpty ? [] : files["\(rung)/init"].map { Array($0.bytes(0..<$0.count)) } ?? []
    return section + (files[path].map { Array($0.bytes(range)) } ?? [])
  }

  /// `1/7`: the rung and the number of the segment that a reader got; nil for bytes of none.
  ///
  /// - Parameter segment: its number, where it is known.
  func name(of bytes: [UInt8], segment: Int? = nil) -> String? {
    for rung in table.bitrates.indices {
      let header = sections.isEmpty ? 0 : sections[rung]
      for segment in segment.map({ $0..<($0 + 1) }) ?? table.durations.indices
      where table.bytes(segment: segment, rung: rung) + header == bytes.count {
        if self.bytes(of: segment, rung: rung) == bytes { return "\(rung)/\(segment)" }
      }
    }
    return nil
  }

  /// As a folder that an origin serves.
  func write(to folder: String) throws {
    for (path, file) in files {
      let url = URL(filePath: folder + "/" + path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.bytes(0..<file.count)).write(to: url)
    }
  }

  // MARK: - Text

  private var multivariant: String {
    "#EXTM3U\n"
      + (hasSound
        ? "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"one\",DEFAULT=YES,URI=\"sound/list.m3u8\"\n" : "")
      + table.bitrates.enumerated().map { rung, bitrate in
        "#EXT-X-STREAM-INF:BANDWIDTH=\(Int(bitrate)),RESOLUTION=320x180,CODECS=\"avc1.42c01e\"\(hasSound ? ",AUDIO=\"a\"" : "")\n\(rung)/list.m3u8\n"
      }.joined()
  }

  private func playlist(_ rung: Int) -> String {
    let longest = Int(table.segmentSeconds.rounded(.up))
    var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:\(longest)\n#EXT-X-PLAYLIST-TYPE:VOD\n"
    if !sections.isEmpty { text += "#EXT-X-MAP:URI=\"init\"\n" }
    for (segment, seconds) in table.durations.enumerated() {
      text += "#EXTINF:\(seconds),\n"
      let (path, range) = place(of: segment, rung: rung)
      if form == .hlsRanges { text += "#EXT-X-BYTERANGE:\(range.count)@\(range.lowerBound)\n" }
      text += path.dropFirst("\(rung)/".count) + "\n"
    }
    return text + "#EXT-X-ENDLIST\n"
  }

  private var soundPlaylist: String {
    let longest = Int(table.segmentSeconds.rounded(.up))
    let segments = table.durations.enumerated().map { "#EXTINF:\($1),\n\($0)\n" }.joined()
    return "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:\(longest)\n#EXT-X-PLAYLIST-TYPE:VOD\n" + segments
      + "#EXT-X-ENDLIST\n"
  }

  private var mpd: String {
    let milliseconds = table.durations.map { Int(($0 * 1000).rounded()) }
    let timeline = milliseconds.map { "<S d=\"\($0)\"/>" }.joined()
    let length = Double(milliseconds.reduce(0, +)) / 1000
    let rungs = table.bitrates.enumerated().map { rung, bitrate in
      "<Representation id=\"\(rung)\" bandwidth=\"\(Int(bitrate))\" codecs=\"avc1.42c01e\" width=\"320\" height=\"180\"/>"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT\(length)S"><Period>
      <AdaptationSet mimeType="video/mp4"><SegmentTemplate timescale="1000" startNumber="0" \
      media="$RepresentationID$/$Number$"><SegmentTimeline>\(timeline)</SegmentTimeline></SegmentTemplate>\
      \(rungs.joined())</AdaptationSet>\(hasSound ? sound(timeline) : "")</Period></MPD>
      """
  }
}

extension VirtualStream {
  private func sound(_ timeline: String) -> String {
    """
    <AdaptationSet mimeType="audio/mp4"><SegmentTemplate timescale="1000" startNumber="0" media="sound/$Number$">\
    <SegmentTimeline>\(timeline)</SegmentTimeline></SegmentTemplate>\
    <Representation id="sound" bandwidth="8000" codecs="mp4a.40.2"/></AdaptationSet>
    """
  }

  /// Where a file of sound ends, in seconds; nil: it is another one.
  func soundEnd(_ path: String) -> Double? {
    guard path.hasPrefix("sound/"), let segment = Int(path.dropFirst(6)) else { return nil }
    return table.durations[...segment].reduce(0, +)
  }

  /// - Parameter isConstant: each segment has exactly its rung's bit rate.
  static func random(_ form: Form, isConstant: Bool, using generator: inout SeededGenerator) throws -> VirtualStream {
    var bitrates: [Double] = []
    for _ in 0..<Int.random(in: 1...5, using: &generator) {
      bitrates.append(((bitrates.last ?? 20_000) * .random(in: 1.3...2.2, using: &generator)).rounded())
    }
    let whole = Double.random(in: 0.5...3, using: &generator)
    let durations = (0..<Int.random(in: 3...24, using: &generator)).map { _ in
      ((isConstant ? whole : whole * .random(in: 0.7...1.2, using: &generator)) * 1000).rounded() / 1000
    }
    let sizes = durations.map { seconds in
      bitrates.map { max(1, Int($0 * seconds / 8 * .random(in: 0.5...1.5, using: &generator))) }
    }
    return VirtualStream(
      try RungTable(name: "random", bitrates: bitrates, durations: durations, bytes: isConstant ? nil : sizes), form)
  }
}
