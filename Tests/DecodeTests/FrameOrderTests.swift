import Decode
import Encode
import Frames
import Media
import Support
import Testing

/// Frames come in presentation order, each where its time stamp says, and show the number that follows from it.
@Suite(.tier(.test)) struct FrameOrderTests {
  @Test(
    arguments: ["mp4", "mkv", "ts"],
    [("h264", false), ("h264", true), ("hevc", false), ("mpeg4", false)] as [(String, Bool)])
  func numbersFollowFromTimeStamps(container: String, kind: (codec: String, isVariable: Bool)) throws {
    let change: (inout ClipSpecification) -> Void = {
      $0.codec = kind.codec
      $0.isVariableRate = kind.isVariable
      $0.bFrames = 3
      $0.rate = Ratio(30000, 1001)
    }
    let name = "order-\(kind.codec)-\(kind.isVariable).\(container)"
    let clip = SharedClips.small(change)
    let reader = try FrameReader(path: try SharedClips.synthetic(name, change))
    let frames = try reader.allFrames()
    #expect(frames.map(\.index) == Array(0..<24))
    #expect(frames.map { $0.number(clip) } == (0..<24).map { $0 })
    #expect(frames.map { clip.tag.frameNumber(at: $0.presentationTime) } == (0..<24).map { $0 })
    #expect(frames.first?.presentationTime == .zero && frames.first?.isKeyFrame == true)
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.presentationTime < $1.presentationTime })
    #expect(frames.allSatisfy { $0.duration > .zero && $0.duration < MediaTime(seconds: 0.1) })
    #expect(frames.filter(\.isKeyFrame).compactMap { $0.number(clip) } == [0, 8, 16])
    // Raw streams and MPEG-TS have no place for the tag.
    #expect((reader.info.synthetic == nil) == (container == "ts"))
  }

  @Test(arguments: ["mp4", "mkv", "ts", "h264"])
  func loopsStartOverAndGoOnCounting(container: String) throws {
    let reader = try FrameReader(path: try SharedClips.many(container))
    for pass in 0..<3 {
      let frames = try reader.allFrames()
      #expect(frames.map { $0.number(SharedClips.manySpecification) } == (0..<64).map { $0 }, "pass \(pass)")
      #expect(frames.map(\.index) == Array(64 * pass..<64 * (pass + 1)))
      #expect(frames.first?.presentationTime == .zero)
      #expect(try reader.next() == nil && reader.next() == nil, "the end stays the end")
      try reader.rewind()
    }
    _ = try reader.next()
    _ = try reader.next()
    try reader.rewind()
    #expect(try reader.next()?.number(SharedClips.manySpecification) == 0, "from the middle too")
  }

  @Test(arguments: [1, 2])
  func lowDelayAndThreadsGiveTheSameFrames(threads: Int) throws {
    let path = try SharedClips.many("mp4")
    for isLowDelay in [false, true] {
      let reader = try FrameReader(path: path, options: DecoderOptions(threads: threads, isLowDelay: isLowDelay))
      #expect(reader.decoder.threads == (reader.decoder.threadType == "none" ? 1 : threads))
      if isLowDelay { #expect(reader.decoder.threadType != "frame") }
      #expect(try reader.allFrames().map { $0.number(SharedClips.manySpecification) } == (0..<64).map { $0 })
      #expect(reader.decoderDelayFrames.map { (0..<64).contains($0) } ?? false)
    }
  }

  @Test func consumersThatWaitAreNotTheDecodersFault() throws {
    let path = try SharedClips.many("mp4")
    let reader = try FrameReader(path: path, options: DecoderOptions(threads: 1))
    var busy = 0.0
    var total = 0.0
    while let frame = try reader.next() {
      let timing = frame.timing
      let latency = try #require(timing.decodeLatencyMilliseconds)
      let (sent, received) = (try #require(timing.packetSent), try #require(timing.received))
      #expect(latency >= 0 && timing.demuxMilliseconds >= 0 && sent <= received)
      #expect(latency <= received.milliseconds(since: sent) + 0.001)
      total += received.milliseconds(since: sent) - latency
      // Work until the clock has moved on by a millisecond: what a consumer does with a frame.
      let started = MonotonicTime.now
      while MonotonicTime.now.milliseconds(since: started) < 1 {}
      busy += MonotonicTime.now.milliseconds(since: started)
    }
    // Frames are reordered: packets were in the decoder while the consumer worked, and that was taken off.
    #expect(busy >= 64 && total >= 32)
  }

  @Test func phasesAreToldInOrder() throws {
    var phases: [OpeningPhase] = []
    _ = try FrameReader(path: try SharedClips.many("mp4")) { phases.append($0) }
    #expect(phases == [.open, .probe, .codecInit])
  }

  @Test func requestsToStopEndReading() throws {
    let interruption = Interruption()
    let reader = try FrameReader(
      path: try SharedClips.synthetic("long.mkv") { ($0.frames, $0.noise) = (60, 30) }, interruption: interruption)
    _ = try reader.next()
    interruption.request()
    var count = 0
    let stopped = failure { while try reader.next() != nil { count += 1 } }
    #expect(
      stopped?.kind == .cancelled && count < 59, "\(count) more frames, then \(stopped?.description ?? "the end")")
    #expect(failure { _ = try probe(SharedClips.many("mp4"), interruption: interruption) }?.kind == .cancelled)
    let expired = Interruption()
    expired.setDeadline(.now)
    #expect(failure { _ = try probe(SharedClips.many("mp4"), interruption: expired) }?.kind == .cancelled)
    expired.setDeadline(nil)
    #expect(failure { _ = try probe(SharedClips.many("mp4"), interruption: expired) } == nil)
  }
}
