internal import CFFmpeg
import Frames
import Media

/// The frames of a stream by their packets, each with its time and duration, in presentation order: nothing is decoded, and their
/// pictures have no samples.
///
/// For players that load and consume a stream as if they showed it. Next to decoding it costs nothing, and so nothing is left out to
/// catch up. One thread at a time.
public final class UndecodedReader: FrameReading {
  public let info: MediaInfo
  private let packets: PacketReader
  /// Read, and not given yet: frames come in the order of decoding. Ascending by time.
  private var held: [VideoFrame] = []
  /// No later packet is shown before this; nil where that is unknown.
  private var settled: MediaTime?
  private var hasEnded = false
  private var count = 0
  /// Of all frames.
  private let picture = HostPicture(planes: PlaneList(), owner: NoSamples())

  private final class NoSamples {}

  /// Frames that wait for others to come before them: more than any codec reorders. Without time stamps of decoding they tell the order.
  private static let mostHeld = 16

  /// - Parameter info: its description.
  package init(_ source: any PacketSource, _ info: MediaInfo) {
    (packets, self.info) = (PacketReader(source), info)
  }

  public func next() throws(Failure) -> VideoFrame? {
    while !isSettled {
      guard let read = try packets.next() else {
        hasEnded = true
        break
      }
      hold(read)
      packets.recycle(read.packet)
    }
    guard !held.isEmpty else { return nil }
    var frame = held.removeFirst()
    (frame.index, count) = (count, count + 1)
    return frame
  }

  /// Whether the earliest frame is the next one.
  private var isSettled: Bool {
    guard let first = held.first else { return hasEnded }
    return hasEnded || held.count > Self.mostHeld || settled.map { first.presentationTime <= $0 } ?? false
  }

  private func hold(_ read: ReadPacket) {
    settled = packets.decodingTime(read.packet) ?? settled
    guard read.showsPicture, let time = packets.presentationTime(read.packet) ?? settled else { return }
    let ticks = read.packet.pointee.duration
    var timing = FrameTiming()
    (timing.readStarted, timing.demuxMilliseconds) = (read.started, read.milliseconds)
    timing.received = .now
    let frame = VideoFrame(
      index: 0, presentationTime: time,
      duration: ticks > 0 ? packets.time(ticks) - packets.time(0) : usualDuration,
      isKeyFrame: read.packet.pointee.isSyncSample, format: .yuv420p, size: info.video.size, color: info.video.color,
      picture: picture, timing: timing)
    held.insert(frame, at: held.lastIndex { $0.presentationTime <= time }.map { $0 + 1 } ?? 0)
  }

  private var usualDuration: MediaTime {
    info.video.frameRate.value.map { MediaTime(seconds: 1 / $0) } ?? .zero
  }

  public func first() throws(Failure) -> VideoFrame? { try next() }

  public func rewind() throws(Failure) {
    try packets.goToStart()
    jumped()
  }

  /// Lands on the frame that holds the target, else on the first one behind it; nil past the end.
  public func seek(_ request: SeekRequest) throws(Failure) -> VideoFrame? {
    guard packets.seek(toSyncSampleAt: request.target) else {
      throw Failure(.unsupported, "cannot seek in '\(info.path)'", cause: "it has no place to begin at")
    }
    jumped()
    while let frame = try next() {
      if frame.presentationTime + frame.duration > request.target { return frame }
    }
    return nil
  }

  private func jumped() {
    held.removeAll()
    (settled, hasEnded) = (nil, false)
  }

  /// There are no steps back.
  public func previous(to time: MediaTime) throws(Failure) -> VideoFrame? { nil }

  /// Nothing is left out.
  public func leap(toSyncSampleAfter place: MediaTime) throws(Failure) {}
  public var skipsNonReferences = false
  public var framesLeftOut: Int { 0 }
  public var framesDecoded: Int { 0 }
  public var prematureEnd: Failure? { nil }
}
