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
@Suite struct FixedQualityTests {
  /// Three rungs, ten seconds in segments of half a second.
  private static func ladder() throws -> SharedLadders.Ladder {
    var ladder = LadderSpecification(projection: .flat)
    ladder.rungs = [250_000, 350_000, 500_000].map {
      LadderSpecification.Rung(size: PictureSize(width: 256, height: 144), bitRate: $0)
    }
    (ladder.clip.frames, ladder.clip.rate, ladder.segmentSeconds) = (200, Ratio(20, 1), 0.5)
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
    let choices: [Int: Int?] = [50: 2, 100: 1, 150: nil]
    var rungs: [Int] = []
    try StreamStage.with(ladder.folder) { origin in
      let played = try StreamStage.play(origin.url + file, options) { frame, stream in
        rungs.append(stream.segment(at: frame.presentationTime)?.rung ?? -1)
        guard let choice = choices[rungs.count] else { return }
        // All that can be is loaded ahead, so that there is something to take back.
        #expect(Patience.until { stream.loadedEnd >= MediaTime(seconds: 10) })
        stream.fixedRung = choice
        #expect(stream.fixedRung == choice)
      }
      #expect(played.frames == 200 && played.disordered == 0)
      #expect(played.truth?.wrong == 0 && played.truth?.wrongRung == 0, "\(played.truth?.firstWrong ?? "")")
    }
    // The segment that is being played, and one that bridges: 20 frames after a choice.
    for (frames, rung) in [(0..<50, 0), (75..<100, 2), (125..<150, 1), (175..<200, 0)] {
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
