import Adaptation
import Decode
import Encode
import Frames
import Media
import Support
import TestPicture
import Testing

import Streaming

/// Each picture of a stream shows its own number and its own rung while the rungs change by chance.
@Suite(.serialized) struct StreamPictureTests {
  private static let frames = StreamStage.frames

  private static func options(seed: UInt64) -> StreamOptions {
    StreamStage.options(RandomController.choice(seed: seed))
  }

  /// Switches that each presentation shows at least; `Benchmarks/streams/switches` wants 10,000 of all together.
  private static let wanted = ProofSize.count("BENCH360_SWITCHES", usual: 400)

  /// The rung changes with each segment. Requests: manifest and segment, and a playlist, an initialisation section and a key where
  /// there are.
  @Test(arguments: [
    (LadderIndex.Presentation.Kind.hlsFMP4, false, 4), (.hlsTS, false, 3), (.dash, false, 3), (.hlsFMP4, true, 5),
    (.hlsTS, true, 4),
  ])
  func eachPictureIsTheRightOne(kind: LadderIndex.Presentation.Kind, isEncrypted: Bool, requests: Int) throws {
    var generator = SeededGenerator(for: "each picture is the right one, \(kind.rawValue)")
    let ladder = try StreamStage.pictures(encryption: isEncrypted ? .aes128(rotation: 50) : nil)
    let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
    try StreamStage.with(ladder.folder) { origin in
      var (switches, frames, wrong, wrongRung) = (0, 0, 0, 0)
      while switches < Self.wanted {
        let seed = generator.next()
        let choice = RandomController.choice(seed: seed, isRestless: true)
        let played = try StreamStage.play(origin.url + file, StreamStage.options(choice))
        #expect(played.frames == Self.frames && played.disordered == 0, "seed \(seed)")
        let truth = try #require(played.truth)
        #expect(truth.checked == Self.frames && truth.wrong == 0, "seed \(seed): \(truth.firstWrong ?? "")")
        #expect(truth.wrongRung == 0, "seed \(seed): \(truth.firstWrong ?? "")")
        #expect(played.requestsToFirstFrame == requests, "seed \(seed)")
        #expect(played.history.decisions.count == Self.frames / 2)
        try #require(played.switches == Self.frames / 2 - 1, "\(played.switches) switches, seed \(seed)")
        (switches, frames) = (switches + played.switches, frames + played.frames)
        (wrong, wrongRung) = (wrong + truth.wrong, wrongRung + truth.wrongRung)
      }
      let name = kind.rawValue + (isEncrypted ? ", AES-128" : "")
      print("switches|\(name)|\(switches)|\(frames)|\(wrong)|\(wrongRung)")
    }
  }

  /// The rung that is claimed matters, for the test above.
  @Test func aWrongClaimIsFound() throws {
    let ladder = try StreamStage.pictures()
    let file = try #require(ladder.index.presentations.first { $0.kind == .dash }?.file)
    try StreamStage.with(ladder.folder) { origin in
      var truth = FrameTruth(SyntheticTag(comment: ladder.index.synthetic))
      _ = try StreamStage.play(origin.url + file, Self.options(seed: 1)) { frame, stream in
        truth?.inspect(frame, rung: stream.segment(at: frame.presentationTime).map { ($0.rung + 1) % 3 })
      }
      #expect(truth?.wrong == 0 && truth?.wrongRung == Self.frames)
    }
  }

  /// A picture in the middle, reached by a jump, and those after it.
  @Test(arguments: [LadderIndex.Presentation.Kind.hlsFMP4, .hlsTS, .dash])
  func picturesAfterAJumpAreTheRightOnes(kind: LadderIndex.Presentation.Kind) throws {
    var generator = SeededGenerator(for: "pictures after a jump, \(kind.rawValue)")
    let ladder = try StreamStage.pictures()
    let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
    try StreamStage.with(ladder.folder) { origin in
      let stream = try LoadedStream(origin.url + file, Self.options(seed: generator.next()))
      defer { stream.stop() }
      let packets = try stream.packets(interruption: Interruption())
      var decoding = DecoderOptions()
      decoding.threads = 1
      let reader = try FrameReader(packets, packets.info, options: decoding)
      var truth = try #require(FrameTruth(SyntheticTag(comment: ladder.index.synthetic)))
      for _ in 0..<30 {
        let number = Int.random(in: 0..<Self.frames, using: &generator)
        let place = MediaTime(seconds: (Double(number) + 0.5) / 20)
        let found = try reader.seek(SeekRequest(target: place))
        for (offset, frame) in try ([found] + (0..<3).map { _ in try reader.next() }).enumerated() {
          guard let frame else {
            #expect(number + offset >= Self.frames, "frame \(number) + \(offset), seed \(generator.seed)")
            continue
          }
          stream.played(to: frame.presentationTime)
          let rung = stream.segment(at: frame.presentationTime)?.rung
          let reading = truth.inspect(frame, rung: rung)
          #expect(reading?.number == number + offset, "seed \(generator.seed)")
        }
      }
      #expect(truth.wrong == 0 && truth.wrongRung == 0, "seed \(generator.seed): \(truth.firstWrong ?? "")")
    }
  }
}
