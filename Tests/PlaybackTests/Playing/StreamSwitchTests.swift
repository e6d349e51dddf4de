import Adaptation
import Encode
import Frames
import Origin
import Playback
import Session
import Streaming
import Support
import TestPicture
import Testing

/// A stream whose rung changes with each segment, on a display by hand: switching itself costs no frame.
@Suite(.tier(.test)) struct StreamSwitchTests {
  /// One of two rungs, by turns.
  private struct Alternating: AdaptationController {
    mutating func decide(_ situation: Situation) -> RungDecision { RungDecision(rung: situation.segment % 2) }

    static let choice = ControllerChoice(
      ControllerRow(name: "alternating", summary: "each rung by turns", takesNumber: false) { _ in Alternating() })
  }

  private static let frames = 90

  /// Of two sizes, in segments of three frames.
  private static func ladder() throws -> SharedLadders.Ladder {
    var ladder = LadderSpecification(projection: .flat)
    ladder.rungs = [
      LadderSpecification.Rung(size: PictureSize(width: 256, height: 144), bitRate: 300_000),
      LadderSpecification.Rung(size: PictureSize(width: 320, height: 180), bitRate: 500_000),
    ]
    (ladder.clip.frames, ladder.clip.rate, ladder.segmentSeconds) = (frames, Ratio(30, 1), 0.1)
    return try SharedLadders.ladder("switches", ladder)
  }

  /// Each frame is seen once, for two refreshes, with its own number and rung, 29 switches among them.
  @Test(arguments: [LadderIndex.Presentation.Kind.hlsFMP4, .hlsTS, .dash])
  func noFrameIsDroppedOrRepeated(kind: LadderIndex.Presentation.Kind) throws {
    let ladder = try Self.ladder()
    let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
    let origin = try Origin.start(ladder.folder)
    var options = StreamOptions(controller: Alternating.choice)
    options.load = LoadPolicy(minimum: 60, maximum: 60)
    let stream = try LoadedStream(origin.url + file, options)
    defer { stream.stop() }
    let stage = try PlayStage(
      try RenderSession(stream, options: PlayStage.options), on: 60, cost: 0.002, loops: false)
    let (log, ticks, ready) = try stage.play(end: nil)
    #expect(log.presented == Self.frames && log.dropped == 0 && log.skipped == 0)
    #expect(log.repeated == 0 && log.late == 0 && log.stalls.isEmpty)
    let readings = ticks.compactMap { PlayStage.reading($0) }
    #expect(readings.map(\.number) == (0..<Self.frames).map { $0 })
    #expect(readings.map(\.rung) == (0..<Self.frames).map { $0 / 3 % 2 })
    let grid = RefreshGrid(start: MonotonicTime(nanoseconds: 7_654_321), rate: Ratio(60, 1))
    let refreshes = try PlayStage.screen(ticks, ready, grid).map(\.refresh)
    #expect(zip(refreshes, refreshes.dropFirst()).allSatisfy { $1 - $0 == 2 }, "\(refreshes)")
    try origin.stop()
  }
}
