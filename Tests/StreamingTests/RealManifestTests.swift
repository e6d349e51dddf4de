import Foundation
import Frames
import Support
import Testing

import Streaming

/// Manifests of other projects are read, or refused for the reason that stands here.
@Suite(.tier(.test), .enabled("BENCH360_MEDIA names no folder of clips") { RealManifests.root != nil })
struct RealManifestTests {
  /// A part of the name, and of the sentence with which it is refused.
  private static let refused: [(name: String, reason: String)] = [
    // Encryption that is not played.
    ("clear-encrypted-hls/audio-swapped.m3u8", "FairPlay"), ("clear-encrypted-hls/video-swapped.m3u8", "FairPlay"),
    ("hls-aes-256/media.m3u8", "AES-256"),
    // Expected outputs of a packager, with words in place of dates.
    ("avc-aac-ts/output.mpd", "@availabilityStartTime"), ("with-segment-deletion/output.mpd", "@availabilityStartTime"),
    ("dash-start-number/output.mpd", "@availabilityStartTime"),
    ("dash-only-captions/output.mpd", "@availabilityStartTime"),
    ("segmented-ttml-text/output.mpd", "@availabilityStartTime"),
    ("segmented-webvtt-text/output.mpd", "@availabilityStartTime"),
    ("with-language-override/output.mpd", "@availabilityStartTime"),
    // A comment stands before #EXTM3U.
    ("manifests/main.m3u8", "#EXTM3U"), ("manifests/main-captions.m3u8", "#EXTM3U"),
    ("manifests/main-subtitles.m3u8", "#EXTM3U"), ("manifests/one-rendition.m3u8", "#EXTM3U"),
    ("manifests/two-renditions.m3u8", "#EXTM3U"), ("manifests/streamInfInvalid.m3u8", "#EXTM3U"),
    ("manifests/manifestNoExtM3u.m3u8", "#EXTM3U"),
    // Made to be broken.
    ("manifests/byteRange.m3u8", "line 13: #EXT-X-BYTERANGE names no offset"),
    ("manifests/emptyMediaSequence.m3u8", "line 3: #EXT-X-MEDIA-SEQUENCE"),
    ("manifests/invalidMediaSequence.m3u8", "line 3: #EXT-X-MEDIA-SEQUENCE"),
    ("manifests/negativeMediaSequence.m3u8", "line 3: #EXT-X-MEDIA-SEQUENCE"),
    ("manifests/twoMediaSequences.m3u8", "line 4: #EXT-X-MEDIA-SEQUENCE stands twice"),
    ("manifests/emptyTargetDuration.m3u8", "line 2: #EXT-X-TARGETDURATION stands among"),
    ("manifests/invalidTargetDuration.m3u8", "line 2: #EXT-X-TARGETDURATION"),
    ("manifests/manifestExtTTargetdurationNegative.m3u8", "line 3: #EXT-X-TARGETDURATION"),
    ("manifests/extinf.m3u8", "line 9: #EXTINF"),
    ("manifests/liveMissingSegmentDuration.m3u8", "line 8: a segment has no #EXTINF"),
    ("manifests/missingExtinf.m3u8", "line 8: a segment has no #EXTINF"),
    ("manifests/missingSegmentDuration.m3u8", "line 8: a segment has no #EXTINF"),
    ("manifests/multipleTargetDurations.m3u8", "line 2: a segment has no #EXTINF"),
    // Templates of a build step.
    ("playlist_allow_cache_template.m3u8", "no #EXTINF"), ("playlist_byte_range_template.m3u8", "no #EXTINF"),
    ("playlist_extinf_template.m3u8", "no #EXTINF"), ("playlist_media_sequence_template.m3u8", "no #EXTINF"),
    ("playlist_target_duration_template.m3u8", "no #EXTINF"), ("playlist_type_template.m3u8", "no #EXTINF"),
  ]

  private static func reason(_ file: RealManifests.File) -> String? {
    refused.first { file.name.hasSuffix($0.name) }?.reason
  }

  @Test(arguments: RealManifests.files)
  func isReadOrRefusedForItsReason(file: RealManifests.File) throws {
    let address = try StreamAddress(url: "https://media.example/\(file.name.replacing(" ", with: "%20"))")
    do {
      let presentation = try Manifest.parse(file.bytes(), at: address)
      #expect(Self.reason(file) == nil)
      #expect(presentation.format == (file.isDASH ? .dash : .hls))
      ManifestCheck(presentation, isRemote: true).check(file.name)
    } catch {
      let reason = try #require(Self.reason(file), "\(error)")
      #expect("\(error)".contains(reason))
    }
  }

  /// All reasons of the table are still needed.
  @Test func theTableNamesFilesThatExist() {
    for row in Self.refused {
      #expect(RealManifests.files.contains { $0.name.hasSuffix(row.name) }, "\(row.name)")
    }
  }

  /// From disk, local segments that exist are found where the player will look for them.
  @Test func localSegmentsAreFound() throws {
    let root = try #require(RealManifests.root)
    var found = 0
    for file in RealManifests.files where file.path.hasPrefix(root) && Self.reason(file) == nil {
      let address = try StreamAddress(file: file.path, root: root)
      guard let presentation = try? Manifest.parse(file.bytes(), at: address) else { continue }
      for set in presentation.periods.flatMap(\.adaptationSets) {
        for timeline in set.renditions.compactMap(\.timeline) {
          guard let path = timeline[0]?.address.path else { continue }
          found += FileManager.default.fileExists(atPath: path) ? 1 : 0
        }
      }
    }
    #expect(found > 60, "\(found) first segments found")
  }

  /// Python counts segments and adds their durations in decimals.
  @Test(.enabled("no python3") { PythonJudge.hasCSV || PythonJudge.isRequired })
  func pythonAddsTheSameDurations() throws {
    let script = """
      import re, sys
      from decimal import Decimal
      for path in sys.argv[1:]:
        text = open(path, encoding="utf-8", errors="replace").read()
        durations = re.findall(r"^\\s*#EXTINF:\\s*([0-9.]+)", text, re.M)
        print(len(durations), int(sum(map(Decimal, durations)) * 10**9))
      """
    let files = try RealManifests.files.filter { file in
      guard !file.isDASH, Self.reason(file) == nil else { return false }
      return try !PlaylistKind.isMultivariant(file.bytes())
    }
    let output = try PythonJudge.run(script, module: "csv", files.map(\.path)).output.split(separator: "\n")
    try #require(output.count == files.count)
    for (file, line) in zip(files, output) {
      let playlist = try #require(try MediaPlaylist.parse(file.bytes(), at: Playlists.address()))
      let end = playlist.timeline.end?.nanoseconds ?? 0
      #expect("\(playlist.timeline.count ?? -1) \(end)" == line, "\(file.name)")
    }
  }

  /// Python's XML parser counts representations, and the segments of timelines and lists.
  @Test(.enabled("no python3") { PythonJudge.hasCSV || PythonJudge.isRequired })
  func pythonFindsTheSameInManifests() throws {
    let script = """
      import sys
      import xml.etree.ElementTree as tree
      for path in sys.argv[1:]:
        root = tree.parse(path).getroot()
        for element in root.iter(): element.tag = element.tag.split("}")[-1]
        rows = []
        for period in root.iter("Period"):
          for set in period.iter("AdaptationSet"):
            for r in set.iter("Representation"):
              count = -1
              for level in (r, set, period):
                timeline = level.find("SegmentTemplate/SegmentTimeline")
                urls = level.findall("SegmentList/SegmentURL")
                if timeline is not None:
                  count = sum(1 + int(s.get("r", 0)) for s in timeline) if all(s.get("r") != "-1" for s in timeline) else -1
                if urls: count = len(urls)
                if count >= 0: break
              rows.append(f"{r.get('id')}/{r.get('bandwidth', 0)}/{r.get('width') or set.get('width')}/{count}")
        print(" ".join(rows))
      """
    let files = RealManifests.files.filter { $0.isDASH && Self.reason($0) == nil }
    let output = try PythonJudge.run(script, module: "xml.etree.ElementTree", files.map(\.path)).output
      .split(separator: "\n", omittingEmptySubsequences: false)
    try #require(output.count >= files.count)
    for (file, line) in zip(files, output) {
      let presentation = try Manifest.parse(file.bytes(), at: Playlists.address())
      let renditions = presentation.periods.flatMap(\.adaptationSets).filter { $0.kind != .captions }.flatMap(
        \.renditions)
      let judged = line.split(separator: " ").map { $0.split(separator: "/", omittingEmptySubsequences: false) }
      try #require(judged.count == renditions.count, "\(file.name)")
      for (row, rendition) in zip(judged, renditions) {
        #expect(row[0] == rendition.id && row[1] == "\(rendition.bandwidth.peak)", "\(file.name)")
        #expect(row[2] == rendition.video.width.map { "\($0)" } ?? "None", "\(file.name)")
        guard row[3] != "-1", let timeline = rendition.timeline, let count = timeline.count else { continue }
        // Segments behind the period's end are left out.
        let isCut = presentation.duration.map { duration in timeline.end.map { $0 >= duration } ?? false } ?? false
        #expect(row[3] == "\(count)" || isCut && Int(row[3]).map { $0 > count } ?? false, "\(file.name)")
      }
    }
  }
}
