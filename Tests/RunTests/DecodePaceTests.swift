import Frames
import Run
import Testing

@Suite struct DecodePaceTests {
  private static func frame(sent: Double?, received: Double?) -> VideoFrame {
    let size = PictureSize(width: 2, height: 2)
    var frame = VideoFrame(
      index: 0, presentationTime: .zero, duration: .zero, format: .yuv420p, size: size,
      color: ColorDescription(matrix: .bt709, range: .limited), picture: HostPicture(format: .yuv420p, size: size))
    frame.timing.packetSent = sent.map { MonotonicTime(nanoseconds: Int64($0 * 1e6)) }
    frame.timing.received = received.map { MonotonicTime(nanoseconds: Int64($0 * 1e6)) }
    return frame
  }

  private static func pace(groupSize: Int, _ instants: [(sent: Double?, received: Double?)]) -> DecodePace {
    var pace = DecodePace(groupSize: groupSize)
    for instant in instants { pace.add(frame(sent: instant.sent, received: instant.received)) }
    return pace
  }

  @Test func ratesRunFromTheFirstPacketToTheLastFrame() {
    let pace = Self.pace(groupSize: 1, [(1000, 1100), (1010, 1200), (1020, 1500)])
    #expect(pace.frames == 3 && pace.seconds == 0.5 && pace.framesPerSecond == 6)
    #expect(pace.groups == [100, 300])
    #expect(pace.firstMilliseconds == 100 && pace.steadyFramesPerSecond == 5)
  }

  @Test func burstsCountAsGroups() {
    // Four frames come out at once, every 40 ms.
    let instants = (0..<12).map { (sent: Double?.some(0), received: Double?.some(40 * Double($0 / 4 + 1))) }
    let pace = Self.pace(groupSize: 4, instants)
    #expect(pace.groups == [10, 10] && pace.framesPerSecond == 100)
    #expect(Self.pace(groupSize: 4, Array(instants.prefix(7))).groups.isEmpty, "one whole group has no interval yet")
  }

  @Test func withoutInstantsThereIsNoRate() {
    #expect(Self.pace(groupSize: 1, []).framesPerSecond == nil && Self.pace(groupSize: 1, []).firstMilliseconds == nil)
    #expect(Self.pace(groupSize: 1, [(5, 6)]).steadyFramesPerSecond == nil)
    let silent = Self.pace(groupSize: 1, [(5, nil), (6, nil)])
    #expect(silent.frames == 0 && silent.framesPerSecond == nil && silent.seconds == 0)
    #expect(Self.pace(groupSize: 1, [(nil, 7)]).framesPerSecond == nil, "one instant is no span")
    #expect(Self.pace(groupSize: 0, [(0, 1), (1, 3)]).groups == [2], "no threads are one")
  }
}
