package import CFFmpeg
import Frames
import Media

/// The packets of a stream's video, segment by segment: each is a container of its own behind its initialisation section. One thread
/// at a time.
package final class SegmentPackets: PacketSource {
  package let path: String
  package private(set) var format: PacketFormat
  /// Of the first segment that was read.
  package let info: MediaInfo
  private let supply: any SegmentSupply
  private let interruption: Interruption
  private var current: OpenSegment?
  private var codings: [Int: SegmentCoding] = [:]
  /// How far behind the axis the time stamps of a run are; the stream's sound reads it.
  private let runs: RunOffsets
  /// Where the pictures read so far end; nil after a jump.
  private var reached: Int64?
  private var hasStarted = false
  /// Of the last segment.
  private var clock: SegmentClock?

  private static let codingLimit = 256

  /// Opens the first segment; waits for it.
  ///
  /// Throws as `SegmentSupply.next`, and `.media` where it has no video that can be decoded.
  package init(
    _ supply: any SegmentSupply, interruption: Interruption, runs: RunOffsets = RunOffsets()
  ) throws(Failure) {
    (self.supply, self.interruption, self.runs, path) = (supply, interruption, runs, supply.path)
    let attempt = "cannot play '\(supply.path)'"
    guard let segment = try supply.next(unless: interruption, orSuperseded: false) else {
      throw Failure(.media, attempt, cause: "it has no segments", remedy: "check the stream")
    }
    let opened = try OpenSegment(segment, nil, interruption)
    opened.opens = supply.shownFrom?.nanoseconds
    (current, clock) = (opened, opened.clock)
    format = opened.coding.format
    codings[segment.coding] = opened.coding
    var info = opened.coding.clip.info
    (info.path, info.container) = (supply.path, supply.container)
    info.durationSeconds = supply.duration?.seconds
    info.video.frameCount = supply.duration.flatMap { duration in
      info.video.frameRate.value.map { Int(saturating: (duration.seconds * $0).rounded()) }
    }
    info.synthetic = supply.synthetic ?? info.synthetic
    // What it gives is decrypted.
    if segment.key != nil {
      (info.video.isEncrypted, info.video.keyIdentifier) = (false, segment.keyIdentifier.map(keyName))
    }
    // It changes from segment to segment.
    info.synthetic?.rung = supply.synthetic?.rung
    (info.bitRate, info.isLive, info.video.groupOfPictures) = (nil, supply.duration == nil, nil)
    self.info = info
  }

  // MARK: - Facts

  package var isRemote: Bool { true }
  /// Nanoseconds on the stream's axis: rungs may count in different ticks.
  package var timeBase: AVRational { AVRational(num: 1, den: 1_000_000_000) }
  package var startStamp: Int64 { 0 }
  package var duration: MediaTime? { supply.duration }
  package var index: SyncSampleIndex { SyncSampleIndex() }
  package var hasNoIndex: Bool { true }
  package var damage: String? { nil }
  package var missingBytes: Int64 { 0 }
  package func want(_ tracks: Set<Int>) -> Set<Int> { [] }

  // MARK: - Reading

  package func read(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> PacketTrack? {
    while true {
      if current == nil { current = try open() }
      guard let segment = current else { return nil }
      guard try segment.demuxer.read(into: packet) else {
        current = nil
        if let cause = segment.bytes.failure {
          streamingLog.debug("a segment ends early", metadata: ["cause": "\(cause)"])
        }
        continue
      }
      guard Int(packet.pointee.stream_index) == segment.stream else {
        av_packet_unref(packet)
        continue
      }
      hasStarted = true
      place(packet, of: segment)
      format = segment.coding.format
      return .video(format)
    }
  }

  private func open() throws(Failure) -> OpenSegment? {
    guard let segment = try supply.next(unless: interruption, orSuperseded: true) else { return nil }
    let known = codings[segment.coding]
    let opened = try OpenSegment(segment, known, interruption)
    // Live streams have ever new ones.
    if codings.count >= Self.codingLimit { codings.removeAll() }
    codings[segment.coding] = opened.coding
    // Segments of another rung or run may begin earlier than those before them end: those pictures are decoded and not shown.
    opened.begins = opened.coding.format === format && opened.clock == clock ? nil : reached
    clock = opened.clock
    return opened
  }

  /// Brings a packet's time stamps to the stream's axis.
  private func place(_ packet: UnsafeMutablePointer<AVPacket>, of segment: OpenSegment) {
    av_packet_rescale_ts(packet, segment.timeBase, timeBase)
    let offset = offset(of: segment, first: optionalStamp(packet.pointee.pts) ?? optionalStamp(packet.pointee.dts))
    if let stamp = optionalStamp(packet.pointee.pts) { packet.pointee.pts = stamp.subtractingSaturated(offset) }
    if let stamp = optionalStamp(packet.pointee.dts) { packet.pointee.dts = stamp.subtractingSaturated(offset) }
    guard let stamp = optionalStamp(packet.pointee.pts) else { return }
    let over = stamp.addingSaturated(max(0, packet.pointee.duration))
    // A hair, for ticks that are rounded, and half a picture, for runs that do not begin where the picture before ends.
    let length = max(1_000_000, packet.pointee.duration / 2)
    let isPast =
      segment.opens.map { over <= $0 + 1_000_000 } ?? segment.begins.map { stamp < $0.subtractingSaturated(length) }
      ?? false
    if isPast { packet.pointee.flags |= AV_PKT_FLAG_DISCARD }
    let end = max(reached ?? .min, over)
    reached = end
    runs.reach(MediaTime(nanoseconds: end))
  }

  private func offset(of segment: OpenSegment, first: Int64?) -> Int64 {
    switch segment.clock {
    case .behind(let offset): return offset.nanoseconds
    case .run(let number):
      return runs.offset(
        of: number, orKeep: (first ?? 0).subtractingSaturated(segment.start.nanoseconds))
    }
  }

  // MARK: - Moving

  package func goToStart() throws(Failure) {
    guard hasStarted else { return }
    guard supply.seek(to: .zero) else {
      throw Failure(.media, "cannot go back to the start of '\(path)'", cause: "the stream cannot be sought")
    }
    jumped()
  }

  package func seek(toSyncSampleAt time: MediaTime) -> Bool {
    guard supply.seek(to: time) else { return false }
    jumped()
    return true
  }

  private func jumped() {
    (current, reached) = (nil, nil)
    runs.reach(nil)
  }
}

/// What segments of one coding have in common: they are probed once.
private struct SegmentCoding {
  var clip: ProbedClip
  var format: PacketFormat
}

/// A segment that is being read.
private final class OpenSegment {
  let demuxer: Demuxer
  let bytes: SegmentBytes
  let stream: Int
  let timeBase: AVRational
  let start: MediaTime
  let clock: SegmentClock
  let coding: SegmentCoding
  /// Pictures before this were shown already; nil: none.
  var begins: Int64?
  /// Playing begins with the picture that is shown here; nil: with the first.
  var opens: Int64?

  init(_ segment: MediaSegment, _ known: SegmentCoding?, _ interruption: Interruption) throws(Failure) {
    demuxer = try Demuxer(
      path: segment.bytes.path, source: segment.bytes, network: NetworkOptions(), interruption: interruption,
      clip: known?.clip, key: segment.key)
    let video = try chooseVideo(demuxer).0
    (bytes, start, clock) = (segment.bytes, segment.start, segment.clock)
    (stream, timeBase) = (Int(video.pointee.index), video.pointee.time_base)
    let base = AVRational(num: 1, den: 1_000_000_000)
    if let known, known.format.fits(video) {
      coding = known
    } else {
      coding = SegmentCoding(
        clip: try ProbedClip(demuxer, try describe(demuxer).info), format: try PacketFormat(video, timeBase: base))
    }
    demuxer.leaveOut(allBut: [stream])
  }
}
