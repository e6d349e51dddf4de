import Encode
import Foundation
import Frames
import Support
import Testing

/// The files of a ladder: what the index, the playlists and the manifest say of them, and outside judges.
@Suite(.tier(.test)) struct LadderFileTests {
  @Test func theIndexAgreesWithTheFiles() throws {
    let ladder = try SharedLadders.flat()
    #expect(ladder.index.schema == "bench360-ladder/1" && ladder.index.frames == 135)
    #expect(ladder.index.presentations.map(\.file) == ["hls-ts/main.m3u8", "hls-fmp4/main.m3u8", "manifest.mpd"])
    for rendition in ladder.index.rungs.flatMap(\.renditions) + ladder.index.audio.flatMap(\.renditions) {
      let files = rendition.segments.map { LadderIndex.File(file: $0.file, bytes: $0.bytes) }
      for file in files + [rendition.initialization].compactMap({ $0 }) {
        #expect(try ladder.bytes(file.file).count == file.bytes, "\(file.file)")
      }
      #expect(rendition.segments.count == 5)
      var end = 0.0
      for segment in rendition.segments {
        #expect(abs(segment.start - end) < 1e-9)
        end = segment.start + segment.duration
      }
      #expect(abs(end - 4.5) < 1024.0 / 48_000)
      let bits = rendition.segments.reduce(0) { $0 + $1.bytes * 8 }
      #expect(abs(Double(bits) / end - Double(rendition.averageBitRate)) <= 1)
      // Segments of nearly a second: the highest one or more of them; the last one is half as long.
      let highest = rendition.segments.map { Double($0.bytes * 8) / $0.duration }.max() ?? 0
      #expect(rendition.peakBitRate >= rendition.averageBitRate && Double(rendition.peakBitRate) <= highest + 1)
      if let playlist = rendition.playlist {
        let lines = String(decoding: try ladder.bytes(playlist), as: UTF8.self).split(separator: "\n")
        let durations = lines.compactMap { $0.hasPrefix("#EXTINF:") ? Double($0.dropFirst(8).dropLast()) : nil }
        #expect(zip(durations, rendition.segments).allSatisfy { abs($0 - $1.duration) < 1e-6 } && durations.count == 5)
      }
    }
    // The table for 'abr'.
    #expect(ladder.index.bitrates == [150_000, 400_000] && ladder.index.seconds == [1, 1, 1, 1, 0.5])
    for (number, bytes) in ladder.index.bytes.enumerated() {
      #expect(bytes == ladder.index.rungs.map { $0.renditions.last?.segments[number].bytes })
    }
    #expect(ladder.index.bytes.count == 5)
    for rung in ladder.index.rungs {
      #expect(rung.renditions.allSatisfy { $0.segments.map(\.frames) == [30, 30, 30, 30, 15] })
      #expect(rung.codecs.hasPrefix("avc1.") && rung.codecs.count == 11)
      // The encoder keeps to its target; a transport stream's headers are on top.
      #expect((rung.renditions.last?.averageBitRate ?? 0) < rung.bitRate * 5 / 4)
    }
  }

  @Test(.enabled(if: PythonJudge.hasJSONSchema || PythonJudge.isRequired, "no python3 with jsonschema"))
  func theIndexFitsItsSchema() throws {
    let ladders = [
      try SharedLadders.sphere(), try SharedLadders.ladder("ladder-aes") { $0.encryption = .aes128(rotation: 2) },
      try SharedLadders.ladder("ladder-clearkey") { $0.encryption = .clearKey },
    ]
    let refusals = try PythonJudge.schemaRefusals(ladders.map { $0.path("ladder.json") }, of: .ladder)
    #expect(refusals == [])
  }

  /// FFmpeg opens every playlist and the manifest, and decodes the frames that the index has checksums of.
  @Test(arguments: ["hls-ts/video-0.m3u8", "hls-ts/video-1.m3u8", "hls-fmp4/video-0.m3u8", "hls-fmp4/video-1.m3u8"])
  func theJudgeDecodesTheSameFrames(playlist: String) throws {
    for ladder in [try SharedLadders.flat(), try SharedLadders.sphere()] {
      let rung = try #require(ladder.index.rungs.first { $0.renditions.contains { $0.playlist == playlist } })
      let path = ladder.path(playlist)
      let hashes = try Support.Judge.hashes(path).map { hexadecimal($0) }
      #expect(hashes == rung.checksums && hashes.count == 135)
      let lines = Judge.text("ffprobe -v error -select_streams v:0 -show_packets -show_streams '\(path)'")
        .split(separator: "\n").map(String.init)
      let facts = ["codec_name=h264", "width=\(rung.width)", "height=\(rung.height)", "r_frame_rate=30/1"]
      #expect(Set(lines).isSuperset(of: facts))
      let flags = lines.filter { $0.hasPrefix("flags=") }
      #expect(flags.count == 135)
      let places = flags.indices.filter { flags[$0].hasPrefix("flags=K") }
      #expect(places == [0, 30, 60, 90, 120])
    }
  }

  @Test(arguments: ["hls-ts/main.m3u8", "hls-fmp4/main.m3u8", "manifest.mpd"])
  func theJudgeOpensEveryPresentation(file: String) throws {
    let ladder = try SharedLadders.flat()
    let text = Judge.text(
      "ffprobe -v fatal -allowed_extensions ALL -show_entries stream=codec_type,codec_name,width,height:format=duration"
        + " -of compact '\(ladder.path(file))'"
    )
    for part in ["codec_name=h264|codec_type=video|width=256|height=144", "width=426|height=240", "codec_name=aac"] {
      #expect(text.contains(part), "\(text)")
    }
    let duration = text.firstMatch(of: /duration=([0-9.]+)/).flatMap { Double($0.1) }
    // FFmpeg 5.1 reads whole seconds of a manifest's duration.
    #expect(abs((duration ?? 0) - 4.5) < (file.hasSuffix("mpd") ? 0.51 : 0.05), "\(text)")
  }

  /// A frame of each segment, by its byte range alone.
  @Test(arguments: ["hls-ts/video-1-iframes.m3u8", "hls-fmp4/video-1-iframes.m3u8"])
  func syncSamplesStandAlone(playlist: String) throws {
    let ladder = try SharedLadders.flat()
    let rung = ladder.index.rungs[1]
    let rendition = try #require(rung.renditions.first { $0.iFramePlaylist == playlist })
    let text = String(decoding: try ladder.bytes(playlist), as: UTF8.self)
    let paths = try rendition.segments.enumerated().map { number, segment in
      let count = try #require(segment.syncBytes)
      #expect(text.contains("#EXT-X-BYTERANGE:\(count)@0\n\(segment.file.split(separator: "/", maxSplits: 1)[1])\n"))
      return try SharedClips.file("sync-\(rendition.packaging)-\(number)") { path in
        let head = try rendition.initialization.map { try ladder.bytes($0.file) } ?? Data()
        try (head + ladder.bytes(segment.file).prefix(count)).write(to: URL(filePath: path))
      }
    }
    #expect(try Judge.frameHashes(paths) == paths.indices.map { [rung.checksums[30 * $0]] })
  }

  @Test func theMultivariantPlaylistTellsTheRungs() throws {
    let ladder = try SharedLadders.flat()
    for (folder, packaging) in [("hls-ts", LadderIndex.Packaging.ts), ("hls-fmp4", .fmp4)] {
      let text = String(decoding: try ladder.bytes("\(folder)/main.m3u8"), as: UTF8.self)
      let audio = ladder.index.audio.compactMap { $0.renditions.first { $0.packaging == packaging }?.peakBitRate }.max()
      for rung in ladder.index.rungs {
        let rendition = try #require(rung.renditions.first { $0.packaging == packaging })
        #expect(
          text.contains(
            "#EXT-X-STREAM-INF:BANDWIDTH=\(rendition.peakBitRate + (audio ?? 0)),AVERAGE-BANDWIDTH="))
        #expect(
          text.contains(
            ",CODECS=\"\(rung.codecs),mp4a.40.2\",RESOLUTION=\(rung.width)x\(rung.height),FRAME-RATE=30.000,"
              + "AUDIO=\"audio\",SUBTITLES=\"subtitles\"\nvideo-\(rung.rung).m3u8\n"))
        #expect(text.contains(",URI=\"video-\(rung.rung)-iframes.m3u8\"\n"))
      }
      #expect(text.contains("TYPE=AUDIO,GROUP-ID=\"audio\",LANGUAGE=\"de\",NAME=\"de\",DEFAULT=NO,AUTOSELECT=YES"))
      #expect(text.contains("VALUE=\"\(ladder.index.synthetic)\""))
    }
  }

  /// The sphere's initialization segments and its manifest say so.
  @Test func spheresAreTagged() throws {
    let ladder = try SharedLadders.sphere()
    let rendition = try #require(ladder.index.rungs[0].renditions.last)
    #expect(Judge.videoStream(try ladder.joined(rendition)).contains("projection=equirectangular"))
    let manifest = String(decoding: try ladder.bytes("manifest.mpd"), as: UTF8.self)
    #expect(manifest.contains("omaf:projection_type=\"0\""))
    #expect(
      !String(decoding: try SharedLadders.flat().bytes("manifest.mpd"), as: UTF8.self).contains("projection_type"))
  }

  /// Python's parser reads the manifest; its timeline is the index's.
  @Test func theManifestIsXML() throws {
    let ladder = try SharedLadders.flat()
    let script = """
      import sys, xml.etree.ElementTree as tree
      space = "{urn:mpeg:dash:schema:mpd:2011}"
      root = tree.parse(sys.argv[1]).getroot()
      print(root.tag.replace(space, ""), root.get("mediaPresentationDuration"))
      for group in root.iter(space + "AdaptationSet"):
        names = [item.get("id") for item in group.iter(space + "Representation")]
        ticks = [(int(item.get("d")), int(item.get("r", "0"))) for item in group.iter(space + "S")]
        print(group.get("contentType"), names, sum(d * (r + 1) for d, r in ticks), sum(r + 1 for d, r in ticks))
      """
    let result = try PythonJudge.run(script, module: "xml.etree.ElementTree", [ladder.path("manifest.mpd")])
    let seconds: Double = ladder.index.audio[0].renditions.last?.segments.map(\.duration).reduce(0, +) ?? 0
    let sampleFrames = Int((seconds * 48_000).rounded())
    let expected: [String] = [
      "MPD PT4.500000S", "video ['video-0', 'video-1'] 69120 5", "audio ['audio-en'] \(sampleFrames) 5",
      "audio ['audio-de'] \(sampleFrames) 5", "text ['subtitles-en'] 0 0", "text ['subtitles-de'] 0 0",
      "image ['thumbnails'] 0 0",
    ]
    #expect(result.output.split(separator: "\n").map(String.init) == expected)
  }

  @Test func sameSpecificationSameBytes() throws {
    var specification = SharedLadders.small()
    specification.clip.frames = 45
    let ladder = try SharedLadders.ladder("ladder-once", specification)
    let again = try SharedLadders.ladder("ladder-again", specification)
    let run = try CommandOutput.of("diff", ["-r", ladder.folder, again.folder])
    #expect(run.status == 0, "\(run.text.prefix(500))")
    specification.clip.seed = 7
    specification.rungs.removeLast()
    let other = try SharedLadders.ladder("ladder-other", specification)
    #expect(other.index.rungs[0].checksums != ladder.index.rungs[0].checksums)
  }

  /// 29.97 frames per second: durations stay exact, and no time stamp drifts.
  @Test func oddRatesAreExact() throws {
    var specification = SharedLadders.small {
      $0.clip.rate = Ratio(30000, 1001)
      $0.rungs.removeLast()
      $0.languages = ["en"]
    }
    specification.clip.frames = 75
    let ladder = try SharedLadders.ladder("ladder-ntsc", specification)
    let rendition = try #require(ladder.index.rungs[0].renditions.last)
    #expect(rendition.segments.map(\.duration) == [1.001, 1.001, 0.5005])
    let times = Judge.text(
      "ffprobe -v error -select_streams v -show_entries frame=pts -of csv=p=0 '\(ladder.path("hls-fmp4/video-0.m3u8"))'"
    )
    let stamps = times.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Int($0) }
    #expect(stamps == (0..<75).map { $0 * 1001 })
  }

  private func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
