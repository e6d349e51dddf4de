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
  private var held = 0
  private var isDecoding: MonotonicTime
  /// What the player asked for; it is not done here.
  private(set) var efforts: [DecodeEffort] = []
  let framesLeftOut = 0

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

  func drain(_ take: (FedFrame) -> Void) -> FrameSupply {
    do throws(Failure) {
      while held < lookAhead {
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
        let time = timeline.place(of: frame.presentationTime, duration: frame.duration, isRestart: isRestart)
        take(FedFrame(place: PacedFrame(index: count, time: time, duration: frame.duration), frame: frame))
        count += 1
        held += 1
      }
      isDecoding = max(isDecoding, link.now)
      return .flowing
    } catch {
      return .failed(error)
    }
  }

  func release() { held -= 1 }
  func request(_ effort: DecodeEffort) { efforts.append(effort) }
}
