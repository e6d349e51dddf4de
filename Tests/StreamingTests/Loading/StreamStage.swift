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

    /// Between frames that follow on each other, as their pictures tell.
    var switches = 0
  }

  /// The frames of each rung of the ladder of pictures.
  static let frames = 120

  /// Three rungs, two of them of one size, at 20 frames/s: in segments of two frames, or of so many seconds.
  static func pictures(
    _ encryption: LadderSpecification.Encryption? = nil, seconds: Double = 0.1
  ) throws -> SharedLadders.Ladder {
    var ladder = LadderSpecification(projection: .flat)
    ladder.rungs = [
      LadderSpecification.Rung(size: PictureSize(width: 256, height: 144), bitRate: 250_000),
      LadderSpecification.Rung(size: PictureSize(width: 256, height: 144), bitRate: 350_000),
      LadderSpecification.Rung(size: PictureSize(width: 320, height: 180), bitRate: 500_000),
    ]
    (ladder.clip.frames, ladder.clip.rate, ladder.segmentSeconds) = (frames, Ratio(20, 1), seconds)
    (ladder.languages, ladder.thumbnailSeconds, ladder.encryption) = (["en"], 10, encryption)
    let name = "pictures-\(seconds)" + (encryption.map { "-" + Self.name(of: $0) } ?? "")
    return try SharedLadders.ladder(name, ladder)
  }

  /// The flat ladder with encrypted segments.
  static func flat(_ encryption: LadderSpecification.Encryption?) throws -> SharedLadders.Ladder {
    guard let encryption else { return try SharedLadders.flat() }
    return try SharedLadders.ladder("flat-" + name(of: encryption)) { $0.encryption = encryption }
  }

  static func name(of encryption: LadderSpecification.Encryption) -> String {
    switch encryption {
    case .aes128: "AES-128"
    case .clearKey: "ClearKey"
    case .clearKeyPattern: "ClearKey, cbcs"
    }
  }

  /// Loads all that is left, however far the picture is.
  static func options(_ controller: ControllerChoice) -> StreamOptions {
    var options = StreamOptions(controller: controller)
    options.load = LoadPolicy(minimum: 60, maximum: 60)
    return options
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

  /// Ends what would never end. A time limit of the test library would count the time in which a test waits for its turn, too.
  static func limit() -> Interruption {
    let interruption = Interruption()
    interruption.setDeadline(MonotonicTime.now.advanced(byMilliseconds: 5 * Patience.seconds * 1000))
    return interruption
  }

  /// Decodes all frames of a stream in their order, as fast as they come: the picture is where the last frame is.
  static func play(
    _ url: String, _ options: StreamOptions, each: (VideoFrame, LoadedStream) -> Void = { _, _ in }
  ) throws -> Played {
    let interruption = Self.limit()
    let stream = try LoadedStream(url, options, interruption: interruption)
    defer { stream.stop() }
    let packets = try stream.packets(interruption: interruption)
    var decoding = DecoderOptions()
    decoding.threads = 1
    let reader = try FrameReader(packets, packets.info, options: decoding)
    var played = Played(truth: FrameTruth(packets.info.synthetic))
    var (last, rung): (MediaTime?, Int?) = (nil, nil)
    while let frame = try reader.next() {
      played.frames += 1
      if let last, frame.presentationTime <= last { played.disordered += 1 }
      last = frame.presentationTime
      stream.played(to: frame.presentationTime)
      let reading = played.truth?.inspect(frame, rung: stream.segment(at: frame.presentationTime)?.rung)
      if let rung, reading?.rung != rung { played.switches += 1 }
      rung = reading?.rung
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
  /// Of other rungs than the segment before.
  private let isRestless: Bool

  init(seed: UInt64, rungs: Int, isRestless: Bool = false) {
    (generator, self.rungs, self.isRestless) = (SeededGenerator(seed: seed), rungs, isRestless)
  }

  mutating func decide(_ situation: Situation) -> RungDecision {
    guard isRestless, rungs > 1 else { return RungDecision(rung: Int.random(in: 0..<rungs, using: &generator)) }
    let step = Int.random(in: 1..<rungs, using: &generator)
    return RungDecision(rung: (situation.previousRung + step) % rungs)
  }

  static func choice(seed: UInt64, isRestless: Bool = false) -> ControllerChoice {
    ControllerChoice(
      ControllerRow(name: "random", summary: "each rung alike", takesNumber: false) { setting in
        RandomController(seed: seed, rungs: setting.table.count, isRestless: isRestless)
      })
  }
}
