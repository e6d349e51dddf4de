import Decode
import Foundation
import Frames
import Playback
import Support
import TestPicture
import Testing

@Suite struct DecodeThreadTests {
  private static let clip = SharedClips.manySpecification

  private static func thread(_ path: String, lookAhead: Int = 4, loops: Bool = false) throws -> DecodeThread {
    let interruption = Interruption()
    let reader = try FrameReader(path: path, options: DecoderOptions(threads: 1), interruption: interruption)
    return DecodeThread(reader: reader, interruption: interruption, lookAhead: lookAhead, loops: loops)
  }

  private static func number(_ frame: VideoFrame?) -> Int? {
    frame?.picture.planes.first.flatMap { FrameCode.read(luma: $0, layout: .flat).number }
  }

  @Test(arguments: [1, 4])
  func everyFrameComesOnceAndInOrder(lookAhead: Int) throws {
    let thread = try Self.thread(SharedClips.many("mp4"), lookAhead: lookAhead)
    var numbers: [Int?] = []
    while let frame = try thread.next() {
      numbers.append(Self.number(frame))
      #expect(thread.queuedFrames <= lookAhead && frame.index == numbers.count - 1)
    }
    #expect(numbers == (0..<64).map { $0 })
    #expect(try thread.next() == nil)
    thread.stop()
  }

  @Test func stoppingEarlyEndsTheThreadAndKeepsFrames() throws {
    for taken in [0, 1, 5, 63] {
      let thread = try Self.thread(SharedClips.many("mkv"))
      var frames: [VideoFrame] = []
      while frames.count < taken, let frame = try thread.next() { frames.append(frame) }
      thread.stop()
      thread.stop()
      #expect(try thread.next() == nil)
      #expect(frames.map { Self.number($0) } == (0..<taken).map { $0 })
    }
    // Going away is stopping.
    for _ in 0..<20 { _ = try Self.thread(SharedClips.many("mkv"), loops: true).next() }
  }

  @Test(arguments: ["mp4", "mkv", "ts", "h264"])
  func loopsGoOn(container: String) throws {
    let thread = try Self.thread(SharedClips.many(container), loops: true)
    defer { thread.stop() }
    for index in 0..<200 {
      let frame = try #require(try thread.next())
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
    guard let thread = try? Self.thread(path) else { return }
    var count = 0
    let error = #expect(throws: Failure.self) { while try thread.next() != nil { count += 1 } }
    #expect(count == 0 && error?.kind == .media)
    #expect(try thread.next() == nil, "an error is told once")
  }
}
