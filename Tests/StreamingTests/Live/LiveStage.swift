import Adaptation
import Decode
import Encode
import Foundation
import Frames
import Media
import Origin
import Support
import TestPicture

import Streaming

/// A ladder that an origin on loopback serves live, in real time, and streams of it that are decoded as fast as their frames come.
enum LiveStage {
  /// What came of a live stream.
  struct Played {
    var frames = 0
    /// Frames that do not follow on the one before by a frame's length.
    var gaps = 0
    /// Frames that came before they were live.
    var early = 0
    var truth: FrameTruth?
    /// From the moment of a frame to its arrival, seconds, in order.
    var latencies: [Double] = []
    var first: MediaTime?
    var history = StreamHistory()
    var edge: LiveEdge?
    var failure: Failure?
    /// Frames that came before their segment was whole.
    var beforeWhole = 0
  }

  /// Two rungs of 3 s at 20 frames/s, in segments of half a second.
  static func ladder() throws -> SharedLadders.Ladder {
    var ladder = LadderSpecification(projection: .flat)
    ladder.rungs = [
      LadderSpecification.Rung(size: PictureSize(width: 256, height: 144), bitRate: 150_000),
      LadderSpecification.Rung(size: PictureSize(width: 256, height: 144), bitRate: 300_000),
    ]
    (ladder.clip.frames, ladder.clip.rate, ladder.segmentSeconds) = (60, Ratio(20, 1), 0.5)
    (ladder.languages, ladder.thumbnailSeconds) = (["en"], 10)
    return try SharedLadders.ladder("live", ladder)
  }

  static func with<Result>(
    _ change: (inout LiveOptions) -> Void = { _ in }, faults: [FaultRule] = [], _ body: (Origin) throws -> Result
  ) throws -> Result {
    var live = LiveOptions()
    live.windowSeconds = 8
    // The first segment that a player sees is not the first of the stream.
    live.start = live.clock.now / 1_000_000 * 1_000_000 - 61_370_000_000
    change(&live)
    var options = OriginOptions()
    (options.live, options.faults) = (live, faults)
    let origin = try Origin.start(try ladder().folder, options: options)
    let result = try body(origin)
    try origin.stop()
    return result
  }

  static func options(_ change: (inout StreamOptions) -> Void = { _ in }) -> StreamOptions {
    var options = StreamOptions(controller: RandomController.choice(seed: 7))
    change(&options)
    return options
  }

  /// Decodes so many frames, fewer if it is `enough`, or to the end.
  static func play(
    _ url: String, frames: Int, _ options: StreamOptions, until enough: (Played) -> Bool = { _ in false },
    each: (VideoFrame, LoadedStream) -> Void = { _, _ in }
  ) throws -> Played {
    let stream = try LoadedStream(url, options)
    defer { stream.stop() }
    let packets = try stream.packets(interruption: Interruption())
    var decoding = DecoderOptions()
    decoding.threads = 1
    let reader = try FrameReader(packets, packets.info, options: decoding)
    var played = Played(truth: FrameTruth(packets.info.synthetic))
    var last: MediaTime?
    do throws(Failure) {
      while played.frames < frames, !enough(played), let frame = try reader.next() {
        let place = frame.presentationTime
        played.frames += 1
        if let last, abs((place - last).seconds - 0.05) > 0.002 { played.gaps += 1 }
        (last, played.first) = (place, played.first ?? place)
        stream.played(to: place)
        played.truth?.inspect(frame, rung: stream.segment(at: place)?.rung)
        if let latency = stream.liveEdge?.latency(of: place, wall: stream.wall) {
          played.latencies.append(latency)
          if latency < 0 { played.early += 1 }
          if latency < 0.5 - place.seconds.truncatingRemainder(dividingBy: 0.5) { played.beforeWhole += 1 }
        }
        each(frame, stream)
      }
    } catch {
      played.failure = error
    }
    (played.history, played.edge) = (stream.history, stream.liveEdge)
    return played
  }

  static let packagings = ["hls-fmp4/main.m3u8", "hls-ts/main.m3u8", "manifest.mpd"]
}
