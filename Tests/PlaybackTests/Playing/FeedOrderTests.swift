import Decode
import Frames
import Media
import Playback
import Support
import TestPicture
import Testing

/// Seeks and steps, nothing decoded ahead; which frame came is read from its picture.
@Suite(.tier(.test)) struct FeedOrderTests {
  private static let clip = SharedClips.manySpecification

  private static func open(_ path: String) throws -> FrameFeed {
    let interruption = Interruption()
    let reader = try FrameReader(path: path, options: DecoderOptions(threads: 1), interruption: interruption)
    return FrameFeed(reader: reader, interruption: interruption, start: .ordered)
  }

  private static func number(_ frame: VideoFrame?) -> Int? {
    frame?.picture.planes.first.flatMap {
      FrameCode.read(luma: $0, layout: clip.projection, stereo: clip.stereo).number
    }
  }

  private static func seek(_ number: Int) -> SeekOrder {
    .seek(SeekRequest(target: MediaTime(seconds: (Double(number) + 0.5) / 30)))
  }

  private static func land(_ order: SeekOrder, on feed: FrameFeed, id: Int = 0) throws -> SeekLanding? {
    feed.go(order, id: id, waits: true)
    return try take(from: feed)
  }

  private static func take(from feed: FrameFeed) throws -> SeekLanding? {
    feed.wait()
    var landing: SeekLanding?
    if case .failed(let failure) = feed.drain({ item in
      if case .landing(let new) = item { landing = new }
      if item.frame != nil { feed.release() }
    }) {
      throw failure
    }
    return landing
  }

  @Test func eachOrderLandsOnceAndNothingFollows() throws {
    let feed = try Self.open(try SharedClips.many("mp4"))
    for number in [40, 3, 63, 0, 12] {
      let landing = try #require(try Self.land(Self.seek(number), on: feed, id: number * 10))
      #expect(landing.id == number * 10 && Self.number(landing.frame?.frame) == number)
      // Groups of 12: from the sync sample on at most, and what the decoder gives beyond.
      #expect(landing.framesDecoded <= number % 12 + 5, "\(number): \(landing.framesDecoded)")
      feed.fill()
      #expect(feed.drain { _ in Issue.record("nothing was ordered") } == .flowing)
    }
  }

  @Test func ofManyOrdersTheNewestLands() throws {
    let feed = try Self.open(try SharedClips.many("mp4"))
    for number in 0..<50 { feed.go(Self.seek(number), id: number, waits: true) }
    let landing = try #require(try Self.take(from: feed))
    #expect(landing.id == 49 && Self.number(landing.frame?.frame) == 49)
    #expect(feed.drain { _ in Issue.record("there is no other") } == .flowing)
  }

  @Test(arguments: ["mp4", "mkv"])
  func stepsGoFromFrameToFrameBothWays(container: String) throws {
    let feed = try Self.open(try SharedClips.many(container))
    var last: VideoFrame?
    func step(_ order: SeekOrder) throws -> Int? {
      let frame = try Self.land(order, on: feed)?.frame?.frame
      last = frame ?? last
      return Self.number(frame)
    }
    func stepBack() throws -> Int? { try step(.before(try #require(last).presentationTime)) }
    #expect(try step(Self.seek(30)) == 30)
    for number in 31...40 { #expect(try step(.next) == number) }
    // Over two sync samples, to the start and no further.
    for number in (0...39).reversed() { #expect(try stepBack() == number) }
    #expect(try stepBack() == nil)
    // After an exact seek the frame behind it may have been read already.
    for number in [1, 12, 24, 37, 63] {
      #expect(try step(Self.seek(number)) == number && stepBack() == number - 1 && step(.next) == number)
    }
    #expect(try step(.next) == nil)
  }

  /// A step back counts from the frame on show, not from the last frame read ahead.
  @Test(arguments: [0, 5, 12, 40])
  func backIsBackFromWhatIsShown(number: Int) throws {
    let feed = try Self.open(try SharedClips.many("mp4"))
    let shown = try #require(try Self.land(Self.seek(number), on: feed)?.frame?.frame)
    feed.goOn()
    feed.fill()
    let before = try Self.land(.before(shown.presentationTime), on: feed)?.frame?.frame
    #expect(Self.number(before) == (number == 0 ? nil : number - 1))
  }

  @Test func itStopsWithAnyOrderPending() throws {
    let feed = try Self.open(try SharedClips.many("mp4"))
    let first = try Self.land(Self.seek(0), on: feed)?.frame?.frame
    feed.go(Self.seek(60), id: 1, waits: false)
    feed.stop()
    #expect(Self.number(first) == 0, "frames outlive it")
    feed.go(Self.seek(1), id: 1, waits: true)
    feed.wait()
    feed.stop()
  }

  @Test func whatFailsEndsIt() throws {
    let interruption = Interruption()
    // Larger than the bytes read ahead on opening.
    let reader = try FrameReader(
      path: try SharedClips.synthetic("scrubbed.mp4") { $0.frames = 48 }, interruption: interruption)
    let feed = FrameFeed(reader: reader, interruption: interruption, start: .ordered)
    interruption.request()
    for _ in 0..<2 { #expect(throws: Failure.self) { try Self.land(Self.seek(45), on: feed) } }
  }
}
