import Adaptation
import Decode
import Encode
import Frames
import Media
import Origin
import Support
import Testing

import Streaming

/// How many requests lie before the first frame, by the origin's log.
@Suite(.tier(.test)) struct FirstFrameTests {
  private static func ladder() throws -> SharedLadders.Ladder {
    var ladder = LadderSpecification(projection: .flat)
    ladder.rungs = [150_000, 250_000, 400_000, 600_000, 900_000].map {
      LadderSpecification.Rung(size: PictureSize(width: 256, height: 144), bitRate: $0)
    }
    (ladder.clip.frames, ladder.clip.rate, ladder.segmentSeconds) = (40, Ratio(20, 1), 1)
    return try SharedLadders.ladder("five-rungs", ladder)
  }

  /// The manifest, the segment, and in HLS the one playlist and initialisation section of its rung: nothing of the other four.
  @Test(arguments: [(LadderIndex.Presentation.Kind.hlsFMP4, 4), (.hlsTS, 3), (.dash, 3)])
  func fiveRungsNeedNoMoreThanOne(kind: LadderIndex.Presentation.Kind, count: Int) throws {
    let ladder = try Self.ladder()
    let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
    let origin = try Origin.start(ladder.folder)
    var options = StreamOptions(controller: try #require(ControllerChoice("dynamic")))
    // A second segment fits once the picture has moved on.
    options.load = LoadPolicy(minimum: 1, maximum: 1)
    let stream = try LoadedStream(origin.url + file, options)
    let packets = try stream.packets(interruption: Interruption())
    let frame = try FrameReader(packets, packets.info, options: DecoderOptions()).next()
    #expect(stream.rungs.count == 5 && frame?.presentationTime == .zero)
    stream.stop()
    try origin.stop()
    let paths = origin.log.map(\.path)
    #expect(paths.count == count && Set(paths).count == count, "\(paths)")
    #expect(stream.history.requests.count == count)
  }
}
