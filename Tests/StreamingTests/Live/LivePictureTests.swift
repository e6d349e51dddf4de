import Decode
import Foundation
import Frames
import Media
import Origin
import Support
import TestPicture
import Testing

import Streaming

/// Live streams over sockets, in real time: which pictures come, and when.
@Suite(.tier(.test), .serialized) struct LivePictureTests {
  @Test func eachFrameComesOnceInOrderAndAfterItsMoment() throws { try Self.playOverSeams("hls-ts/main.m3u8") }

  @Test(.tier(.full), arguments: LiveStage.packagings)
  func eachFrameComesOnceInEachPackaging(packaging: String) throws { try Self.playOverSeams(packaging) }

  /// Over three seams, with rungs drawn by chance.
  private static func playOverSeams(_ packaging: String) throws {
    let played = try LiveStage.with { origin in
      try LiveStage.play(origin.url + packaging, frames: 140, LiveStage.options { $0.live.latency = 4 })
    }
    #expect(played.failure == nil && played.frames == 140, "\(played.failure.map { "\($0)" } ?? "")")
    #expect(played.gaps == 0 && played.early == 0)
    let truth = try #require(played.truth)
    #expect(truth.checked == 140 && truth.wrong == 0 && truth.wrongRung == 0, "\(truth.firstWrong ?? "")")
    let edge = try #require(played.edge)
    #expect(edge.target == MediaTime(seconds: 4) && !edge.hasEnded)
    // The first picture is the one that is so old: loading it took a while longer.
    let first = try #require(played.latencies.first)
    #expect(first >= 3.95 && first < 4 + Patience.seconds)
  }

  @Test func lowLatencyFramesComeBeforeTheirSegmentIsWhole() throws { try Self.playInParts("manifest.mpd") }

  @Test(.tier(.full)) func framesOfPartsComeBeforeTheirSegmentIsWhole() throws {
    try Self.playInParts("hls-fmp4/main.m3u8")
  }

  /// Parts and chunks: frames come while their segment is made.
  private static func playInParts(_ packaging: String) throws {
    let played = try LiveStage.with({ $0.partSeconds = 0.25 }) { origin in
      try LiveStage.play(
        origin.url + packaging, frames: 1200,
        LiveStage.options {
          $0.live.latency = 0.6
          $0.controller = RandomController.choice(seed: 3)
        },
        until: { $0.frames >= 100 && $0.beforeWhole > 10 })
    }
    #expect(played.failure == nil && played.frames >= 100, "\(played.failure.map { "\($0)" } ?? "")")
    #expect(played.gaps == 0 && played.early == 0)
    let truth = try #require(played.truth)
    #expect(truth.wrong == 0 && truth.wrongRung == 0, "\(truth.firstWrong ?? "")")
    // Half of them would on a machine that is quick, and none where segments are loaded whole; a busy one gets a minute.
    #expect(played.beforeWhole > 10, "\(played.beforeWhole)")
  }

  @Test(arguments: LiveStage.packagings)
  func aDateIsFoundToTheFrame(packaging: String) throws {
    let played = try LiveStage.with { origin in
      let start = try #require(origin.liveStart)
      let now = Int64(Date().timeIntervalSince1970 * 1e9)
      // A frame some seconds ago, in the middle of a segment.
      let frame = (now - start - 5_000_000_000) / 500_000_000 * 10 + 3
      let date = WallTime(nanoseconds: start + frame * 50_000_000)
      let played = try LiveStage.play(
        origin.url + packaging, frames: 5, LiveStage.options { $0.live.startDate = date })
      #expect(played.first == MediaTime(nanoseconds: frame * 50_000_000), "\(String(describing: played.first))")
      return played
    }
    #expect(played.truth?.wrong == 0 && played.gaps == 0, "\(played.truth?.firstWrong ?? "")")
    #expect(played.edge?.target == nil)
  }

  @Test func theEndOfTheStreamEndsIt() throws { try Self.playToTheEnd("hls-fmp4/main.m3u8") }

  @Test(.tier(.full), arguments: LiveStage.packagings)
  func theEndOfTheStreamEndsEachPackaging(packaging: String) throws { try Self.playToTheEnd(packaging) }

  private static func playToTheEnd(_ packaging: String) throws {
    let played = try LiveStage.with({ $0.endsAfter = 1.5 }) { origin in
      try LiveStage.play(origin.url + packaging, frames: 1000, LiveStage.options { $0.live.latency = 2 })
    }
    #expect(played.failure == nil && played.gaps == 0, "\(played.failure.map { "\($0)" } ?? "")")
    #expect(played.frames > 40 && played.frames < 100, "\(played.frames)")
    #expect(played.edge?.hasEnded == true)
  }

  @Test func seeksWithinTheWindowLandOnTheirFrame() throws { try Self.seek("manifest.mpd") }

  @Test(.tier(.full), arguments: LiveStage.packagings)
  func seeksWithinTheWindowLandInEachPackaging(packaging: String) throws { try Self.seek(packaging) }

  /// Into the window, and back to the edge, from a stream that plays.
  private static func seek(_ packaging: String) throws {
    try LiveStage.with { origin in
      let stream = try LoadedStream(origin.url + packaging, LiveStage.options { $0.live.latency = 2 })
      defer { stream.stop() }
      let packets = try stream.packets(interruption: Interruption())
      let reader = try FrameReader(packets, packets.info, options: DecoderOptions())
      var truth = try #require(FrameTruth(packets.info.synthetic))
      let first = try #require(try reader.next()).presentationTime
      var generator = SeededGenerator(seed: 4)
      for _ in 0..<12 {
        let target = first - MediaTime(nanoseconds: 50_000_000 * .random(in: -10...80, using: &generator))
        let found = try #require(try reader.seek(SeekRequest(target: target)))
        stream.played(to: found.presentationTime)
        #expect(found.presentationTime == target)
        truth.inspect(found)
        #expect(try #require(try reader.next()).presentationTime == target + MediaTime(nanoseconds: 50_000_000))
      }
      #expect(truth.wrong == 0, "\(truth.firstWrong ?? "")")
      let live = try #require(stream.livePlace)
      let found = try #require(try reader.seek(SeekRequest(target: live)))
      let latency = try #require(stream.latency(at: found.presentationTime))
      #expect(latency > 1.9 && latency < 2.2 + Patience.seconds)
    }
  }
}
