import Decode
import Frames
import Media
import Support
import Testing

/// Landings on a clip of 64 frames, groups of 12, with B-frames; which frame it is, is read from its picture.
@Suite(.tier(.test)) struct SeekTests {
  static let containers = ["mp4", "mkv", "ts", "h264"]
  private static let clip = SharedClips.manySpecification
  private static let far = MediaTime(nanoseconds: .max)

  /// The middle of frame `number`'s interval.
  private static func middle(_ number: Int) -> MediaTime {
    MediaTime(seconds: (Double(number) + 0.5) / 30)
  }

  private static func open(_ container: String) throws -> FrameReader {
    try FrameReader(path: try SharedClips.many(container), options: DecoderOptions(threads: 1))
  }

  /// Raw streams have no time stamps, and nothing knows how far apart FFmpeg takes its frames to be.
  private static func rate(_ reader: FrameReader) -> Double { reader.info.video.frameRate.value ?? 30 }

  @Test(arguments: containers)
  func framesAreReachedFromEachOther(container: String) throws { try Self.expectReached(container, every: 5) }

  /// All of them in MP4, those of every third frame in the others.
  @Test(.tier(.full), arguments: containers)
  func everyFrameIsReachedFromEveryOther(container: String) throws {
    try Self.expectReached(container, every: container == "mp4" ? 1 : 3)
  }

  /// A walk along every ordered pair of these frames.
  private static func expectReached(_ container: String, every stride: Int) throws {
    let reader = try open(container)
    let rate = Self.rate(reader)
    var wrong: [String] = []
    let nodes = (0..<64).filter { $0 % stride == 0 }
    let walk = nodes.indices.flatMap { a in nodes[(a + 1)...].flatMap { [nodes[a], $0] } }
    for (step, number) in walk.enumerated() {
      let landed = try reader.seek(SeekRequest(target: MediaTime(seconds: (Double(number) + 0.5) / rate)))
      let shown = landed?.number(clip)
      if shown != number { wrong.append("step \(step) to \(number) lands on \(shown ?? -1)") }
      guard step % 7 == 0 else { continue }
      let next = try reader.next()?.number(clip)
      if next != (number < 63 ? number + 1 : nil) { wrong.append("after \(number) comes \(next ?? -1)") }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(6))")
  }

  @Test(arguments: containers)
  func exactTimesOfFramesHitThem(container: String) throws {
    let reader = try Self.open(container)
    let frames = try reader.allFrames()
    for frame in frames.reversed() {
      let landed = try #require(try reader.seek(SeekRequest(target: frame.presentationTime)))
      #expect(landed.presentationTime == frame.presentationTime && landed.number(Self.clip) == frame.index)
      let last = MediaTime(nanoseconds: (frame.presentationTime + frame.duration).nanoseconds - 1)
      #expect(try reader.seek(SeekRequest(target: last))?.number(Self.clip) == frame.index)
    }
  }

  @Test(arguments: containers)
  func randomWindowsObeyTheRule(container: String) throws { try Self.expectWindows(container, count: 50) }

  @Test(.tier(.full), arguments: containers)
  func manyRandomWindowsObeyTheRule(container: String) throws { try Self.expectWindows(container, count: 200) }

  private static func expectWindows(_ container: String, count: Int) throws {
    let reader = try open(container)
    let frames = try reader.allFrames()
    var random = SeededGenerator(for: "randomWindowsObeyTheRule \(container)")
    let end = try #require(frames.last).presentationTime
    for _ in 0..<count {
      let request = SeekRequest(
        target: MediaTime(seconds: .random(in: 0...end.seconds, using: &random)),
        toleranceBefore: MediaTime(seconds: Bool.random(using: &random) ? 0 : .random(in: 0..<0.4, using: &random)),
        toleranceAfter: MediaTime(seconds: Bool.random(using: &random) ? 0 : .random(in: 0..<0.4, using: &random)))
      let landed = try #require(try reader.seek(request))
      let number = try #require(landed.number(clip))
      #expect(request.accepts(landed), "\(request) landed on \(landed.presentationTime)")
      #expect(landed.presentationTime == frames[number].presentationTime, "the picture is the one of its time")
      if request.toleranceBefore == .zero, request.toleranceAfter == .zero { #expect(landed.contains(request.target)) }
      #expect(try reader.next()?.number(clip) == (number < 63 ? number + 1 : nil))
    }
  }

  @Test(arguments: ["mp4", "mkv"])
  func anyDistanceLandsOnASyncSample(container: String) throws {
    let reader = try Self.open(container)
    for number in 0..<64 {
      let request = SeekRequest(target: Self.middle(number), toleranceBefore: Self.far, toleranceAfter: Self.far)
      let landed = try #require(try reader.seek(request))
      #expect(landed.isKeyFrame && landed.number(Self.clip).map { $0 % 12 == 0 } ?? false)
      let nearest = [0, 12, 24, 36, 48, 60].min { abs($0 * 2 - number * 2 - 1) < abs($1 * 2 - number * 2 - 1) }
      #expect(landed.number(Self.clip) == nearest, "the nearest to \(number)")
    }
  }

  @Test(arguments: containers)
  func beforeTheStartAndPastTheEnd(container: String) throws {
    let reader = try Self.open(container)
    let end = try #require(try reader.allFrames().last)
    for early in [MediaTime(seconds: -1), MediaTime(nanoseconds: .min), .zero] {
      #expect(try reader.seek(SeekRequest(target: early))?.number(Self.clip) == 0)
      #expect(try reader.next()?.number(Self.clip) == 1)
    }
    for late in [end.presentationTime + end.duration, MediaTime(seconds: 100), MediaTime(nanoseconds: .max)] {
      #expect(try reader.seek(SeekRequest(target: late))?.number(Self.clip) == 63)
      #expect(try reader.next() == nil, "after the last frame comes the end")
    }
    // After a drain to the end the decoder must still seek.
    #expect(try reader.seek(SeekRequest(target: end.presentationTime))?.number(Self.clip) == 63)
    #expect(try reader.seek(SeekRequest(target: .zero))?.number(Self.clip) == 0)
  }

  @Test func framesOfALongGroupAreReached() throws {
    let path = try SharedClips.synthetic("one-group.mp4") {
      $0 = Self.clip
      $0.gop = 1000
    }
    for threads in [1, 2] {
      let reader = try FrameReader(path: path, options: DecoderOptions(threads: threads))
      for number in [63, 0, 31, 62, 1, 40] {
        #expect(try reader.seek(SeekRequest(target: Self.middle(number)))?.number(Self.clip) == number)
      }
    }
  }
}
