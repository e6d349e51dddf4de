import Decode
import Foundation
import Frames
import Media
import Playback
import Streaming
import Support
import Testing

/// A jump does not wait for media that another place was waiting for.
@Suite(.tier(.test)) struct FeedJumpTests {
  /// One segment; what follows it never comes.
  private final class ShortSupply: SegmentSupply {
    let path = "short"
    let container = "test"
    let synthetic: SyntheticTag? = nil
    let duration: MediaTime? = MediaTime(seconds: 60)
    private let clip: Data
    private let isGiven = Monitor(false)
    /// The reader waits for what never comes.
    let isStarving = Monitor(false)

    init(_ clip: Data) { self.clip = clip }

    func next(unless interruption: Interruption, orSuperseded: Bool) throws(Failure) -> MediaSegment? {
      let isFirst = isGiven.withLock { given in
        defer { given = true }
        return !given
      }
      if isFirst {
        let bytes = SegmentBytes("segment")
        clip.withUnsafeBytes { bytes.append($0) }
        bytes.finish()
        return MediaSegment(bytes: bytes, coding: 0, start: .zero, clock: .behind(.zero))
      }
      isStarving.withLock { $0 = true }
      _ = isGiven.wait(unless: interruption) { !$0 || orSuperseded && interruption.isSuperseded ? true : nil }
      throw Failure(.cancelled, "cannot play 'short'", cause: "it was interrupted")
    }

    func seek(to time: MediaTime) -> Bool {
      isGiven.withLock { $0 = false }
      return true
    }
  }

  @Test func aJumpEndsTheWaitForASegment() throws {
    let clip = try SharedClips.synthetic("jump.mp4") { ($0.frames, $0.gop) = (20, 10) }
    let supply = ShortSupply(try Data(contentsOf: URL(filePath: clip)))
    let interruption = Interruption()
    let packets = try SegmentPackets(supply, interruption: interruption)
    let feed = FrameFeed(
      reader: try FrameReader(packets, packets.info, options: DecoderOptions()), interruption: interruption,
      loadControl: LoadControl(frames: 40))
    defer { feed.stop() }
    #expect(Patience.until { supply.isStarving.withLock { $0 } })
    for id in 1...3 {
      feed.go(.seek(SeekRequest(target: .zero)), id: id, waits: false)
      var landed: SeekLanding?
      #expect(
        Patience.until {
          _ = feed.drain { item in
            if case .landing(let landing) = item { landed = landing }
            if item.frame != nil { feed.release() }
          }
          return landed?.id == id
        }, "jump \(id)")
      #expect(landed?.frame?.frame.presentationTime == .zero)
    }
  }
}
