import Adaptation
import Decode
import Encode
import Frames
import Media
import Streaming
import Support
import TestPicture
import Testing

/// The user fixes the rung of a stream that plays, and leaves it to the controller again.
@Suite(.tier(.test)) struct FixedQualityTests {
  /// Three rungs, five seconds in segments of a quarter of a second.
  private static func ladder() throws -> SharedLadders.Ladder {
    var ladder = LadderSpecification(projection: .flat)
    ladder.rungs = [250_000, 350_000, 500_000].map {
      LadderSpecification.Rung(size: PictureSize(width: 256, height: 144), bitRate: $0)
    }
    (ladder.clip.frames, ladder.clip.rate, ladder.segmentSeconds) = (100, Ratio(20, 1), 0.25)
    (ladder.languages, ladder.thumbnailSeconds) = (["en"], 10)
    return try SharedLadders.ladder("fixed-quality", ladder)
  }

  /// Every frame is shown once, in order, and is of the rung that is claimed; two segments after a choice all are of that.
  @Test(arguments: [LadderIndex.Presentation.Kind.hlsFMP4, .hlsTS, .dash])
  func theChoiceHoldsAndThePositionStays(kind: LadderIndex.Presentation.Kind) throws {
    let ladder = try Self.ladder()
    let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
    var options = StreamOptions(controller: try #require(ControllerChoice("lowest")))
    options.load = LoadPolicy(minimum: 60, maximum: 60)
    let choices: [Int: Int?] = [25: 2, 50: 1, 75: nil]
    var rungs: [Int] = []
    try StreamStage.with(ladder.folder) { origin in
      let played = try StreamStage.play(origin.url + file, options) { frame, stream in
        rungs.append(stream.segment(at: frame.presentationTime)?.rung ?? -1)
        guard let choice = choices[rungs.count] else { return }
        // All that can be is loaded ahead, so that there is something to take back.
        #expect(Patience.until { stream.loadedEnd >= MediaTime(seconds: 5) })
        stream.fixedRung = choice
        #expect(stream.fixedRung == choice)
      }
      #expect(played.frames == 100 && played.disordered == 0)
      #expect(played.truth?.wrong == 0 && played.truth?.wrongRung == 0, "\(played.truth?.firstWrong ?? "")")
    }
    // The segment that is being played, and one that bridges: 10 frames after a choice.
    for (frames, rung) in [(0..<25, 0), (37..<50, 2), (62..<75, 1), (87..<100, 0)] {
      #expect(rungs[frames].allSatisfy { $0 == rung }, "\(frames): \(rungs)")
    }
  }

  /// Other numbers than there are rungs mean the nearest one, and the same choice again changes nothing.
  @Test func aChoiceIsClamped() throws {
    let ladder = try Self.ladder()
    let file = try #require(ladder.index.presentations.first { $0.kind == .dash }?.file)
    try StreamStage.with(ladder.folder) { origin in
      let stream = try LoadedStream(
        origin.url + file, StreamOptions(controller: try #require(ControllerChoice("lowest"))))
      defer { stream.stop() }
      stream.fixedRung = 99
      #expect(stream.fixedRung == 2)
      stream.fixedRung = -1
      #expect(stream.fixedRung == 0)
    }
  }
}
