import Adaptation
import Decode
import Encode
import Foundation
import Frames
import Media
import Support
import TestPicture
import Testing

import Streaming

/// A stream whose pictures and sound are read side by side, and what the sound tells of its place.
final class SoundStage {
  let stream: LoadedStream
  let video: FrameReader
  private(set) var truth: FrameTruth?
  static let rate = 48_000

  /// Opens a stream; its first picture is decoded.
  init(_ url: String, _ options: StreamOptions) throws {
    let interruption = StreamStage.limit()
    stream = try LoadedStream(url, options, interruption: interruption)
    let packets = try stream.packets(interruption: interruption)
    var decoding = DecoderOptions()
    decoding.threads = 1
    video = try FrameReader(packets, packets.info, options: decoding)
    truth = FrameTruth(packets.info.synthetic)
    try see(try video.next())
  }

  deinit { stream.stop() }

  /// Of a picture: it shows the number that its time says.
  func see(_ frame: VideoFrame?) throws {
    guard let frame else { return }
    stream.played(to: frame.presentationTime)
    let reading = truth?.inspect(frame, rung: stream.segment(at: frame.presentationTime)?.rung)
    if let reading { #expect(abs(frame.presentationTime.seconds * 30 - Double(reading.number ?? -1)) < 0.01) }
  }

  func reader(_ number: Int) throws -> AudioReader {
    let segments = try stream.sound(number, interruption: Interruption())
    return try AudioReader(stream.audio[number], of: segments, sampleRate: Self.rate, layout: .mono)
  }

  /// The next sound, however long it takes to load; nil at the end.
  static func next(_ reader: AudioReader) throws -> AudioFrame? {
    var frame: AudioFrame?
    let hasCome = try Patience.until {
      frame = try reader.next()
      return frame != nil || !reader.isStarving
    }
    #expect(hasCome, "the sound does not come")
    return frame
  }

  /// Sound from where a reader is on, without a break: for so many seconds, or to the end.
  static func listen(_ reader: AudioReader, seconds: Double = .infinity) throws -> Heard {
    var heard = Heard()
    while Double(heard.samples.count) < seconds * Double(rate), let frame = try next(reader) {
      heard.start = heard.start ?? frame.presentationTime
      let end = (heard.start ?? .zero) + frame.format.duration(of: heard.samples.count)
      if abs((frame.presentationTime - end).seconds) > 0.0005 { heard.breaks += 1 }
      heard.samples += frame.samples
    }
    return heard
  }

  /// Samples in a row, of one channel.
  struct Heard {
    var start: MediaTime?
    var samples: [Float] = []
    var breaks = 0

    var end: Double { (start?.seconds ?? 0) + Double(samples.count) / Double(SoundStage.rate) }

    /// The tone tells at each place which one it is, to a millisecond, and which track.
    func check(track: Int, _ name: String) {
      #expect(breaks == 0, "\(name)")
      let count = 12_000
      // A decoder begins with what it lacks the samples before of.
      for first in Swift.stride(from: 2048, to: max(2049, samples.count - count), by: 7001) {
        guard first + count <= samples.count else { return }
        let place = (start?.seconds ?? 0) + Double(first) / Double(SoundStage.rate)
        let reading = TonePosition.read(Array(samples[first..<first + count]), rate: SoundStage.rate)
        #expect(reading?.track == track, "\(name) at \(place)")
        #expect(abs((reading?.seconds ?? -1) - place) < 0.001, "\(name) at \(place): \(reading?.seconds ?? -1)")
      }
    }
  }

  /// Two rungs with the first track's sound in their segments, of one second.
  static func muxed(_ packaging: LadderIndex.Packaging) throws -> SharedLadders.Ladder {
    var ladder = try SharedLadders.flat()
    let sound = try #require(ladder.index.audio[0].renditions.first { $0.packaging == .fmp4 })
    let joined = try ladder.joined(sound)
    let videos = try ladder.index.rungs.map { rung in
      let video = try #require(rung.renditions.first { $0.packaging == .fmp4 })
      return (rung: rung, rate: video.peakBitRate, path: try ladder.joined(video))
    }
    let folder = try SharedClips.file("muxed-\(packaging.rawValue)") { path in
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      var main = "#EXTM3U\n#EXT-X-SESSION-DATA:DATA-ID=\"bench360.synthetic\",VALUE=\"\(ladder.index.synthetic)\"\n"
      for (rung, rate, video) in videos {
        let type = packaging == .ts ? "mpegts" : "fmp4"
        let made = try CommandOutput.of(
          "ffmpeg",
          ["-v", "error", "-i", video, "-i", joined, "-map", "0:v", "-map", "1:a"]
            + ["-c", "copy", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "-hls_segment_type", type]
            + ["-hls_fmp4_init_filename", "init-\(rung.rung).mp4"]
            + ["-hls_segment_filename", "\(rung.rung)-%d.\(packaging == .ts ? "ts" : "m4s")", "\(rung.rung).m3u8"],
          folder: path)
        #expect(made.status == 0, "\(made.errors)")
        main +=
          "#EXT-X-STREAM-INF:BANDWIDTH=\(rate),CODECS=\"\(rung.codecs),mp4a.40.2\"\n\(rung.rung).m3u8\n"
      }
      try Data(main.utf8).write(to: URL(filePath: path + "/main.m3u8"))
    }
    ladder.folder = folder
    return ladder
  }
}
