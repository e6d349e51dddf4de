import Adaptation
import Decode
import Foundation
import Frames
import Media
import Origin
import Support
import TestPicture

import Streaming

/// A folder behind an origin on loopback, and streams of it that are played to their end.
enum StreamStage {
  /// What came of a stream.
  struct Played {
    var frames = 0
    /// Frames that are not later than those before them.
    var disordered = 0
    var truth: FrameTruth?
    var history = StreamHistory()

    /// Up to the segment that holds the first frame, with that.
    var requestsToFirstFrame: Int { 1 + (history.requests.firstIndex { $0.kind == .segment } ?? 0) }

    /// Between segments that follow on each other.
    var switches: Int {
      let rungs = history.requests.filter { $0.kind == .segment && $0.outcome == .finished }.compactMap(\.rung)
      return zip(rungs, rungs.dropFirst()).count { $0 != $1 }
    }
  }

  static func with<Result>(
    _ folder: String, _ change: (inout OriginOptions) -> Void = { _ in }, _ body: (Origin) throws -> Result
  ) throws -> Result {
    var options = OriginOptions()
    change(&options)
    let origin = try Origin.start(folder, options: options)
    let result = try body(origin)
    try origin.stop()
    return result
  }

  /// Decodes all frames of a stream in their order, as fast as they come: the picture is where the last frame is.
  static func play(
    _ url: String, _ options: StreamOptions, each: (VideoFrame, LoadedStream) -> Void = { _, _ in }
  ) throws -> Played {
    let stream = try LoadedStream(url, options)
    defer { stream.stop() }
    let interruption = Interruption()
    let packets = try stream.packets(interruption: interruption)
    var decoding = DecoderOptions()
    decoding.threads = 1
    let reader = try FrameReader(packets, packets.info, options: decoding)
    var played = Played(truth: FrameTruth(packets.info.synthetic))
    var last: MediaTime?
    while let frame = try reader.next() {
      played.frames += 1
      if let last, frame.presentationTime <= last { played.disordered += 1 }
      last = frame.presentationTime
      stream.played(to: frame.presentationTime)
      played.truth?.inspect(frame, rung: stream.segment(at: frame.presentationTime)?.rung)
      each(frame, stream)
    }
    played.history = stream.history
    return played
  }
}

/// Each segment of a rung that is drawn by chance.
struct RandomController: AdaptationController {
  private var generator: SeededGenerator
  private let rungs: Int

  init(seed: UInt64, rungs: Int) { (generator, self.rungs) = (SeededGenerator(seed: seed), rungs) }

  mutating func decide(_ situation: Situation) -> RungDecision {
    RungDecision(rung: Int.random(in: 0..<rungs, using: &generator))
  }

  static func choice(seed: UInt64) -> ControllerChoice {
    ControllerChoice(
      ControllerRow(name: "random", summary: "each rung alike", takesNumber: false) { setting in
        RandomController(seed: seed, rungs: setting.table.count)
      })
  }
}
