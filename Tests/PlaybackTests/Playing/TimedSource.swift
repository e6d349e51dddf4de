import Decode
import Frames
import Playback

/// Real frames from a decoder whose time is a number: what `FrameFeed` is on a display link that is advanced by hand.
final class TimedSource: FrameSource {
  private let reader: FrameReader
  private let link: ManualDisplayLink
  private let cost: MediaTime
  private let pauses: [Int: MediaTime]
  private let lookAhead: Int
  private let loops: Bool
  private var timeline = Timeline()
  private var count = 0
  /// Frames that were handed over and not yet released.
  private(set) var held = 0
  private var isDecoding: MonotonicTime
  private var order: (order: SeekOrder, id: Int)?
  private var waits = false
  /// What the player asked for; it is not done here.
  private(set) var efforts: [DecodeEffort] = []
  let framesLeftOut = 0
  let framesDiscarded = 0
  /// What a seek takes.
  var seeking = MediaTime.zero

  init(
    _ reader: FrameReader, link: ManualDisplayLink, cost: MediaTime, pauses: [Int: MediaTime] = [:],
    lookAhead: Int = 8, loops: Bool = true
  ) {
    self.reader = reader
    self.link = link
    self.cost = cost
    self.pauses = pauses
    self.lookAhead = lookAhead
    self.loops = loops
    isDecoding = link.now
  }

  func drain(_ take: (FeedItem) -> Void) -> FrameSupply {
    do throws(Failure) {
      if let (order, id) = order {
        let ready = MonotonicTime(nanoseconds: isDecoding.nanoseconds + seeking.nanoseconds)
        guard ready <= link.now else { return .flowing }
        (isDecoding, self.order) = (ready, nil)
        take(.landing(SeekLanding(id: id, frame: try land(order), framesDecoded: 0)))
      }
      while held < lookAhead, !waits {
        let cost = cost + (pauses[count] ?? .zero)
        let ready = MonotonicTime(nanoseconds: isDecoding.nanoseconds + cost.nanoseconds)
        guard ready <= link.now else { return .flowing }
        isDecoding = ready
        var next = try reader.next()
        let isRestart = next == nil
        if isRestart {
          guard loops else { return .ended }
          try reader.rewind()
          next = try reader.next()
        }
        guard let frame = next else { return .ended }
        let time = timeline.place(of: frame.presentationTime, duration: frame.duration, isRestart ? .restart : .onward)
        take(.frame(queued(frame, time)))
      }
      isDecoding = max(isDecoding, link.now)
      return .flowing
    } catch {
      return .failed(error)
    }
  }

  private func queued(_ frame: VideoFrame, _ time: MediaTime) -> QueuedFrame {
    defer { (count, held) = (count + 1, held + 1) }
    return QueuedFrame(place: PacedFrame(index: count, time: time, duration: frame.duration), frame: frame)
  }

  private func land(_ order: SeekOrder) throws(Failure) -> QueuedFrame? {
    let frame =
      switch order {
      case .seek(let request): try reader.seek(request)
      case .before(let time): try reader.previous(to: time)
      case .next: try reader.next()
      }
    return frame.map { queued($0, timeline.place(of: $0.presentationTime, duration: $0.duration, .jump)) }
  }

  func go(_ order: SeekOrder, id: Int, waits: Bool) {
    (self.order, self.waits) = ((order, id), waits)
    isDecoding = link.now
  }

  func goOn() { waits = false }
  func release() { held -= 1 }
  func request(_ effort: DecodeEffort) { efforts.append(effort) }
}
