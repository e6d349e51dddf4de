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

/// Each picture of a stream shows its own number and its own rung while the rungs change by chance.
@Suite(.tier(.test), .serialized) struct StreamPictureTests {
  private static let frames = StreamStage.frames

  /// The rung in the middle has segments of three pictures, the others of two.
  private static func unaligned(_ format: Presentation.Format) throws -> SharedLadders.Ladder {
    var ladder = try StreamStage.pictures()
    let names = [ladder, try StreamStage.pictures(seconds: 0.15)].map {
      URL(filePath: $0.folder).lastPathComponent
    }
    let rungs = [(0, 250_000, 2), (1, 350_000, 3), (2, 500_000, 2)]
    let variants = rungs.map { rung, rate, pictures in
      let folder = names[pictures - 2]
      switch format {
      case .hls:
        return "#EXT-X-STREAM-INF:BANDWIDTH=\(rate),CODECS=\"avc1.64000C\"\n\(folder)/hls-ts/video-\(rung).m3u8\n"
      case .dash:
        let base = "\(folder)/hls-fmp4/video-\(rung)"
        return "<Representation id=\"\(rung)\" bandwidth=\"\(rate)\" codecs=\"avc1.64000C\"><SegmentTemplate"
          + " timescale=\"20\" duration=\"\(pictures)\" startNumber=\"0\" initialization=\"\(base)/init.mp4\""
          + " media=\"\(base)/$Number%05d$.m4s\"/></Representation>"
      }
    }.joined()
    let text =
      switch format {
      case .hls:
        "#EXTM3U\n#EXT-X-SESSION-DATA:DATA-ID=\"bench360.synthetic\",VALUE=\"\(ladder.index.synthetic)\"\n\(variants)"
      case .dash:
        "<MPD mediaPresentationDuration=\"PT\(frames / 20)S\"><ProgramInformation><Source>\(ladder.index.synthetic)</Source>"
          + "</ProgramInformation><Period><AdaptationSet mimeType=\"video/mp4\">\(variants)</AdaptationSet></Period></MPD>"
      }
    let path = try SharedClips.file(format == .hls ? "unaligned.m3u8" : "unaligned.mpd") {
      try Data(text.utf8).write(to: URL(filePath: $0))
    }
    ladder.folder = URL(filePath: path).deletingLastPathComponent().path
    return ladder
  }

  private static func options(seed: UInt64) -> StreamOptions {
    StreamStage.options(RandomController.choice(seed: seed))
  }

  /// The least number of switches in each presentation; `Benchmarks/streams/proofs` needs 10,000 in all of them together.
  private static let wanted = ProofSize.count("BENCH360_SWITCHES", usual: Tier.selected == .full ? 400 : 50)

  /// The rung changes with each segment. Requests: manifest and segment, and a playlist, an initialisation section and a key or licence
  /// where there are.
  @Test(arguments: [
    (LadderIndex.Presentation.Kind.hlsFMP4, nil, 4), (.hlsTS, nil, 3), (.dash, nil, 3),
    (.hlsFMP4, LadderSpecification.Encryption.aes128(rotation: 15), 5), (.hlsTS, .aes128(rotation: 15), 4),
    (.dash, .clearKey, 4), (.dash, .clearKeyPattern, 4),
  ])
  func eachPictureIsTheRightOne(
    kind: LadderIndex.Presentation.Kind, encryption: LadderSpecification.Encryption?, requests: Int
  ) throws {
    var generator = SeededGenerator(for: "each picture is the right one, \(kind.rawValue)")
    let ladder = try StreamStage.pictures(encryption)
    let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
    try StreamStage.with(ladder.folder) { origin in
      var (switches, frames, wrong, wrongRung) = (0, 0, 0, 0)
      while switches < Self.wanted {
        let seed = generator.next()
        let choice = RandomController.choice(seed: seed, isRestless: true)
        let played = try Self.play(origin.url + file, choice, seed)
        #expect(played.requestsToFirstFrame == requests, "seed \(seed)")
        #expect(played.history.decisions.count == Self.frames / 2)
        try #require(played.switches == Self.frames / 2 - 1, "\(played.switches) switches, seed \(seed)")
        (switches, frames) = (switches + played.switches, frames + played.frames)
        (wrong, wrongRung) = (wrong + (played.truth?.wrong ?? 0), wrongRung + (played.truth?.wrongRung ?? 0))
      }
      let name = kind.rawValue + (encryption.map { ", " + StreamStage.name(of: $0) } ?? "")
      print("switches|\(name)|\(switches)|\(frames)|\(wrong)|\(wrongRung)")
    }
  }

  /// All frames, each once, in order, with its number and its rung.
  @discardableResult private static func play(
    _ url: String, _ controller: ControllerChoice, _ seed: UInt64
  ) throws -> StreamStage.Played {
    let played = try StreamStage.play(url, StreamStage.options(controller))
    #expect(played.frames == frames && played.disordered == 0, "seed \(seed)")
    let truth = try #require(played.truth)
    #expect(truth.checked == frames && truth.wrong == 0, "seed \(seed): \(truth.firstWrong ?? "")")
    #expect(truth.wrongRung == 0, "seed \(seed): \(truth.firstWrong ?? "")")
    return played
  }

  /// A switch in mid-segment repeats and skips no picture.
  @Test(arguments: [Presentation.Format.hls, .dash])
  func segmentsThatOverlapShowEachPictureOnce(format: Presentation.Format) throws {
    var generator = SeededGenerator(for: "segments that overlap show each picture once, \(format.rawValue)")
    let ladder = try Self.unaligned(format)
    try StreamStage.with(ladder.folder) { origin in
      for _ in 0..<2 {
        let seed = generator.next()
        try Self.play(
          origin.url + (format == .hls ? "unaligned.m3u8" : "unaligned.mpd"), RandomController.choice(seed: seed), seed)
      }
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

  /// Presentations of ladders, and those whose rungs have segments of their own.
  private static func places() throws -> [(ladder: SharedLadders.Ladder, file: String)] {
    let (ladder, secret) = (try StreamStage.pictures(), try StreamStage.pictures(.clearKey))
    let files = [ladder, secret].flatMap { ladder in ladder.index.presentations.map { (ladder, $0.file) } }
    return files + [(try unaligned(.hls), "unaligned.m3u8"), (try unaligned(.dash), "unaligned.mpd")]
  }

  /// A picture in the middle, reached by a jump, and those after it.
  @Test func picturesAfterAJumpAreTheRightOnes() throws {
    var generator = SeededGenerator(for: "pictures after a jump")
    for (ladder, file) in try Self.places() {
      try Self.read(ladder, file, seed: generator.next()) { reader, truth in
        for _ in 0..<(Tier.selected == .full ? 30 : 10) {
          let number = Int.random(in: 0..<Self.frames, using: &generator)
          // Anywhere in the time of its picture, its first and last moment too.
          let part = [0, 0.5, 0.999, .random(in: 0..<1, using: &generator)].randomElement(using: &generator) ?? 0
          let found = try reader.seek(SeekRequest(target: MediaTime(seconds: (Double(number) + part) / 20)))
          for (offset, frame) in try ([found] + (0..<3).map { _ in try reader.next() }).enumerated() {
            let place = "\(file), frame \(number) + \(part) + \(offset), seed \(generator.seed)"
            guard let frame else {
              #expect(number + offset >= Self.frames, "\(place)")
              continue
            }
            #expect(truth(frame) == number + offset, "\(place)")
          }
        }
      }
    }
  }

  /// Just before the end, at it and behind it: the last picture, and then the end. Each presentation begins with another of these jumps.
  @Test func aJumpToTheEndShowsTheLastPicture() throws {
    let distances = [-0.049, -0.02, -0.000_001, 0, 3]
    for (index, (ladder, file)) in try Self.places().enumerated() {
      try Self.read(ladder, file, seed: 1) { reader, truth in
        _ = try reader.next()
        for number in distances.indices {
          let distance = distances[(index + number) % distances.count]
          let target = MediaTime(seconds: Double(Self.frames) / 20 + distance)
          let found = try reader.seek(SeekRequest(target: target))
          #expect(found.flatMap(truth) == Self.frames - 1, "\(file), \(distance) s")
          #expect(try reader.next() == nil, "\(file), \(distance) s")
        }
      }
    }
  }

  /// Gives what reads the frames of a stream, and what tells the number of one, which has its right number and rung.
  private static func read(
    _ ladder: SharedLadders.Ladder, _ file: String, seed: UInt64,
    _ body: (FrameReader, (VideoFrame) -> Int?) throws -> Void
  ) throws {
    try StreamStage.with(ladder.folder) { origin in
      let stream = try LoadedStream(origin.url + file, Self.options(seed: seed))
      defer { stream.stop() }
      let packets = try stream.packets(interruption: Interruption())
      var decoding = DecoderOptions()
      decoding.threads = 1
      let reader = try FrameReader(packets, packets.info, options: decoding)
      var truth = try #require(FrameTruth(SyntheticTag(comment: ladder.index.synthetic)))
      try body(reader) { frame in
        stream.played(to: frame.presentationTime)
        return truth.inspect(frame, rung: stream.segment(at: frame.presentationTime)?.rung)?.number
      }
      #expect(truth.wrong == 0 && truth.wrongRung == 0, "\(file), seed \(seed): \(truth.firstWrong ?? "")")
    }
  }
}
