import Decode
import Foundation
import Frames
import Media
import Playback
import Support
import TestPicture
import Testing

/// Frame after frame, as fast as a consumer takes them.
@Suite(.tier(.test)) struct FeedNextTests {
  private static func feed(_ path: String, ahead: Int = 4, loops: Bool = false) throws -> FrameFeed {
    let interruption = Interruption()
    let reader = try FrameReader(path: path, options: DecoderOptions(threads: 1), interruption: interruption)
    return FrameFeed(
      reader: reader, interruption: interruption, loadControl: LoadControl(frames: ahead), loops: loops, start: .inOrder
    )
  }

  private static func number(_ frame: VideoFrame?) -> Int? {
    frame?.picture.planes.first.flatMap { FrameCode.read(luma: $0, layout: .flat).number }
  }

  @Test(arguments: [2, 4])
  func everyFrameComesOnceAndInOrder(ahead: Int) throws {
    let feed = try Self.feed(SharedClips.many("mp4"), ahead: ahead)
    var numbers: [Int?] = []
    while let frame = try feed.next() {
      numbers.append(Self.number(frame))
      #expect(feed.queuedFrames <= ahead && frame.index == numbers.count - 1)
    }
    #expect(numbers == (0..<64).map { $0 })
    #expect(try feed.next() == nil)
    feed.stop()
  }

  @Test func stoppingEarlyEndsTheThreadAndKeepsFrames() throws {
    for taken in [0, 1, 5, 63] {
      let feed = try Self.feed(SharedClips.many("mkv"))
      var frames: [VideoFrame] = []
      while frames.count < taken, let frame = try feed.next() { frames.append(frame) }
      feed.stop()
      feed.stop()
      #expect(try feed.next() == nil)
      #expect(frames.map { Self.number($0) } == (0..<taken).map { $0 })
    }
    // Going away is stopping.
    for _ in 0..<20 { _ = try Self.feed(SharedClips.many("mkv"), loops: true).next() }
  }

  @Test(arguments: ["mp4", "mkv", "ts", "h264"])
  func loopsGoOn(container: String) throws {
    let feed = try Self.feed(SharedClips.many(container), loops: true)
    defer { feed.stop() }
    for index in 0..<200 {
      let frame = try #require(try feed.next())
      #expect(frame.index == index && Self.number(frame) == index % 64)
    }
  }

  @Test func errorsComeAfterTheFramesBeforeThem() throws {
    let source = try SharedClips.many("mkv")
    // All packets but the header's are gone: there is nothing to decode.
    let path = try SharedClips.file("headers-only.mkv") { path in
      let data = try Data(contentsOf: URL(filePath: source))
      try data.prefix(data.count / 100).write(to: URL(filePath: path))
    }
    guard let feed = try? Self.feed(path) else { return }
    var count = 0
    let error = #expect(throws: Failure.self) { while try feed.next() != nil { count += 1 } }
    #expect(count == 0 && error?.kind == .media)
    #expect(throws: Failure.self) { try feed.next() }
  }
}
