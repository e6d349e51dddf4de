import Decode
import Frames
import Media
import Streaming

extension FuzzTarget {
  static let media = [
    // Boxes, edit lists, sync samples, spherical metadata: MP4 first; libavformat probes it as any container.
    FuzzTarget("container", isMedia: true) { bytes in
      let source = MemorySource(bytes, name: "clip.mp4")
      let interruption = Interruption()
      let file = try Demuxer(path: source.path, source: source, network: NetworkOptions(), interruption: interruption)
      let clip = try ProbedClip(file, describe(file).info)
      let reader = try FrameReader(of: clip, options: DecoderOptions(threads: 1), interruption: interruption)
      for _ in 0..<3 { _ = try reader.next() }
      _ = try reader.seek(SeekRequest(target: MediaTime(seconds: 0.2)))
      _ = try reader.next()
    },
    FuzzTarget("event-message") { _ = EventMessage.all(in: $0[...]) },
  ]

  static let subtitles =
    ["srt", "vtt", "ass"].map { kind in
      FuzzTarget("subtitles-\(kind)", isMedia: true) { bytes in
        let name = "side.\(kind)"
        let reader = try SubtitleReader(SideSubtitles.track(named: name), piece: bytes, of: name)
        while try reader.next() != nil {}
      }
    } + [
      FuzzTarget("thumbnails") { bytes in
        let track = try ThumbnailTrack.read(bytes, path: "thumbnails.vtt").track
        for seconds in [0, 1, 1e9] { _ = track.cue(at: MediaTime(seconds: seconds)) }
      }
    ]
}
