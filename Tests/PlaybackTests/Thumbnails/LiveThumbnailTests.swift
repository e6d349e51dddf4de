import Adaptation
import Decode
import Encode
import Frames
import Media
import Origin
import Session
import Streaming
import Support
import Testing

/// Thumbnails of live streams, over sockets, in real time: the ladder is shown in rounds of 4.5 s, with a sync sample a second.
@Suite(.tier(.test), .serialized) struct LiveThumbnailTests {
  private static let round = 4.5

  private static func with(
    _ kind: LadderIndex.Presentation.Kind, parts: Double? = nil, _ body: (LoadedStream, StreamThumbnails) throws -> Void
  ) throws {
    let ladder = try SharedLadders.flat()
    var live = LiveOptions()
    (live.windowSeconds, live.partSeconds) = (24, parts)
    live.start = live.clock.now / 1_000_000 * 1_000_000 - 61_370_000_000
    var options = OriginOptions()
    options.live = live
    let origin = try Origin.start(ladder.folder, options: options)
    let lowest = try #require(ControllerChoice("lowest"))
    let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
    let stream = try LoadedStream(origin.url + file, StreamOptions(controller: lowest))
    // With its first segment it is known where the window lies.
    _ = try stream.packets(interruption: Interruption())
    #expect(stream.hasPreviews)
    try body(
      stream, try StreamThumbnails(of: stream, options: ThumbnailOptions(width: 120), interruption: Interruption()))
    stream.stop()
    try origin.stop()
  }

  /// Where a place lies in its round, seconds.
  private static func place(_ time: MediaTime) -> Double {
    let place = time.seconds.truncatingRemainder(dividingBy: round)
    return place > round - 0.001 ? 0 : place
  }

  /// The pictures of the ladder by the seconds of a round.
  private static func pictures(_ kind: LadderIndex.Presentation.Kind) throws -> [SmallPicture] {
    let ladder = try SharedLadders.flat()
    let options = ThumbnailOptions(width: 120)
    guard kind != .dash else {
      let sheet = try TrackReader(path: ladder.path("thumbnails/thumbnails.vtt"), options: options)
      return try (0..<5).map { try #require(try sheet.picture(at: MediaTime(seconds: Double($0)))) }
    }
    let rung = try #require(ladder.index.rungs.first { $0.height >= 160 } ?? ladder.index.rungs.last)
    let rendition = try #require(rung.renditions.first { $0.packaging == (kind == .hlsTS ? .ts : .fmp4) })
    let clip = try #require(try FrameReader(path: try ladder.joined(rendition)).clip)
    let judge = try KeyFrameReader(of: clip, options: options)
    return try (0..<5).map { try #require(try judge.picture(at: MediaTime(seconds: Double($0)))) }
  }

  @Test(arguments: [
    (LadderIndex.Presentation.Kind.hlsFMP4, nil), (.hlsFMP4, 0.5), (.hlsTS, nil), (.dash, nil), (.dash, 0.5),
  ])
  func picturesAreThoseOfTheirPlaces(kind: LadderIndex.Presentation.Kind, parts: Double?) throws {
    let pictures = try Self.pictures(kind)
    try Self.with(kind, parts: parts) { stream, thumbnails in
      // Images of tiles come when their round is over.
      for back in [5.1, 6.4, 7.7, 9.2] {
        // Where the window is now: on a busy machine a picture takes its time.
        let time = try #require(stream.liveEdge).end - MediaTime(seconds: back)
        let picture = try #require(try thumbnails.picture(at: time), "\(kind), \(back) s back")
        let second = Int(Self.place(time))
        let name = "\(kind), \(back) s back"
        #expect(abs(Self.place(picture.time) - Double(second)) < 0.01 && picture.time <= time, "\(name)")
        let likeness = pictures.map { $0.rgba.psnr(to: picture.rgba) }
        #expect(likeness[second] > 35 && likeness[second] == likeness.max(), "\(name): \(likeness)")
      }
      let edge = try #require(stream.liveEdge)
      #expect(try thumbnails.picture(at: edge.end + MediaTime(seconds: 60)) == nil, "what is not there yet")
      #expect(try thumbnails.picture(at: edge.start - MediaTime(seconds: 60)) == nil, "what has left the window")
      let ahead = edge.end + MediaTime(seconds: 0.5)
      let hasMoved = Patience.until { (try? thumbnails.picture(at: ahead)).flatMap { $0 } != nil }
      #expect(hasMoved, "\(kind): the window moves")
      #expect(stream.trouble == nil)
    }
  }
}
