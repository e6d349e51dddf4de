package import CFFmpeg
import Frames

/// The packets of a clip's video in the order of decoding, read ahead on demand, and what they tell of its sync samples; and
/// those of other tracks that are subscribed to, from the same reading of the clip.
///
/// Knows no decoder. One thread at a time.
package final class PacketReader {
  package let source: any PacketSource
  /// Packets that were read ahead: its first is the next to be decoded.
  package let queue = PacketQueue(byteLimit: 64 << 20)
  /// Sync samples by the clip's index, or else by the packets read so far.
  package var index: SyncSampleIndex
  /// A sync sample had no presentation timestamp.
  package private(set) var lacksStamps = false
  /// The decoder was told that no packet follows: none is read before the source has moved.
  package var hasEnded = false
  /// Packets of other tracks, by the track's number.
  private var subscriptions: [Int: PacketQueue] = [:]
  private var hasLoadedIndex = false
  /// For the next packet; empty.
  private var spare: UnsafeMutablePointer<AVPacket>?

  package init(_ source: any PacketSource) {
    self.source = source
    index = source.index
  }

  deinit { av_packet_free(&spare) }

  /// The format of the next packet read, as far as it is known.
  package var format: PacketFormat { source.format }

  // MARK: - Reading

  /// The next packet, or nil at the end. `recycle` or `queue.putBack` takes it back.
  package func next() throws(Failure) -> ReadPacket? {
    if let first = queue.takeFirst() { return first }
    return try read()
  }

  /// The packet so many after the next one; nil at the end, and too far ahead.
  package func packet(ahead position: Int) throws(Failure) -> UnsafeMutablePointer<AVPacket>? {
    if position == queue.count {
      guard !queue.isFull, let read = try read() else { return nil }
      queue.append(read)
    }
    return queue[position]
  }

  /// The next packet in the clip, past those in the queue; nil at the end.
  package func read() throws(Failure) -> ReadPacket? {
    guard !hasEnded else { return nil }
    while true {
      let packet = try emptyPacket()
      let started = MonotonicTime.now
      switch try source.read(into: packet) {
      case nil:
        if source.damage == nil { index.ended() }
        return nil
      case .video(let format)?:
        spare = nil
        learn(packet)
        return ReadPacket(
          packet: packet, format: format, showsPicture: showsPicture(packet, codec: format.codec), started: started,
          milliseconds: MonotonicTime.now.milliseconds(since: started))
      case .other(let number, let format)?:
        spare = nil
        deliver(
          ReadPacket(
            packet: packet, format: format, showsPicture: false, started: started,
            milliseconds: MonotonicTime.now.milliseconds(since: started)), of: number)
      }
    }
  }

  /// `spare`, which stays the reader's until it holds a packet.
  private func emptyPacket() throws(Failure) -> UnsafeMutablePointer<AVPacket> {
    guard let packet = spare ?? av_packet_alloc() else {
      throw Failure(.failed, "cannot decode '\(source.path)'", cause: "out of memory")
    }
    spare = packet
    return packet
  }

  /// Recycles a packet: the next one is read into it.
  package func recycle(_ packet: UnsafeMutablePointer<AVPacket>) {
    av_packet_unref(packet)
    av_packet_free(&spare)
    spare = packet
  }

  /// A packet of the video was read, here or before this was made.
  package func learn(_ packet: UnsafeMutablePointer<AVPacket>) {
    guard let stamp = optionalStamp(packet.pointee.pts) else {
      if packet.pointee.isSyncSample, packet.pointee.dts == bench_nopts() { lacksStamps = true }
      return
    }
    guard !index.isWhole else { return }
    index.read(
      presentationTime: time(stamp), decodingTime: decodingTime(packet), isSyncSample: packet.pointee.isSyncSample)
  }

  // MARK: - Other tracks

  /// Keeps the packets of another track from here on; `next(of:)` gives them. Both tracks come from one reading of the clip.
  /// Packets that were read while the clip was opened do not come again.
  ///
  /// - Parameter byteLimit: where the track's consumer is so far behind, its oldest packets are dropped.
  /// - Returns: false where there is no such track, or it is the video's.
  package func subscribe(to track: Int, byteLimit: Int = 8 << 20) -> Bool {
    guard source.want(Set(subscriptions.keys).union([track])).contains(track) else { return false }
    if subscriptions[track] == nil { subscriptions[track] = PacketQueue(byteLimit: byteLimit) }
    return true
  }

  /// The next packet of a track that is subscribed to, which is the caller's. Reads on where none is at hand: packets of the
  /// video wait in `queue` meanwhile.
  ///
  /// Nil at the end, and where the video's queue is full.
  package func next(of track: Int) throws(Failure) -> ReadPacket? {
    guard let wanted = subscriptions[track] else { return nil }
    while wanted.count == 0, !queue.isFull, let video = try read() { queue.append(video) }
    return wanted.takeFirst()
  }

  /// Packets of a track that were dropped because its consumer was behind.
  package func dropped(of track: Int) -> Int { subscriptions[track]?.dropped ?? 0 }

  private func deliver(_ read: ReadPacket, of track: Int) {
    guard let queue = subscriptions[track] else { return free(read.packet) }
    queue.appendNewest(read)
  }

  // MARK: - Moving

  /// Moves to the clip's first packet.
  package func goToStart() throws(Failure) {
    try source.goToStart()
    jumped(toStart: true)
  }

  /// Moves to a sync sample at or before `time`; false when the source cannot, and nothing has moved.
  package func seek(toSyncSampleAt time: MediaTime) -> Bool {
    guard source.seek(toSyncSampleAt: time) else { return false }
    jumped(toStart: false)
    return true
  }

  private func jumped(toStart: Bool) {
    queue.removeAll()
    for other in subscriptions.values { other.removeAll() }
    index.jumped(toStart: toStart)
    hasEnded = false
  }

  /// Whether the source has an index that it reads only when it seeks; once.
  package func mayLoadIndex() -> Bool {
    guard !hasLoadedIndex else { return false }
    hasLoadedIndex = true
    return !index.isWhole && !source.hasNoIndex
  }

  /// Copies the source's current index.
  package func loadIndex() { index = source.index }
}

// Facts of the video and its packets.
extension PacketReader {
  /// In which the time stamps of all packets count.
  package var timeBase: Ratio { Ratio(source.timeBase) }

  /// No packet after this one is shown before this; nil where it is not said.
  package func decodingTime(_ packet: UnsafeMutablePointer<AVPacket>) -> MediaTime? {
    optionalStamp(packet.pointee.dts).map(time)
  }

  /// When a packet is shown, relative to the clip's start; nil where it is not said.
  package func presentationTime(_ packet: UnsafeMutablePointer<AVPacket>) -> MediaTime? {
    optionalStamp(packet.pointee.pts).map(time)
  }

  /// A time stamp relative to the clip's start.
  package func time(_ stamp: Int64) -> MediaTime { source.time(stamp) }
}

extension AVPacket {
  package var isSyncSample: Bool { flags & AV_PKT_FLAG_KEY != 0 }
  /// Its picture is decoded and not shown.
  package var isDiscarded: Bool { flags & AV_PKT_FLAG_DISCARD != 0 }
}

/// Nil for FFmpeg's mark of a time stamp that is not there.
package func optionalStamp(_ ticks: Int64) -> Int64? { ticks == bench_nopts() ? nil : ticks }

/// A packet, whose memory is the holder's, and what reading it took.
package struct ReadPacket {
  package var packet: UnsafeMutablePointer<AVPacket>
  package var format: PacketFormat
  package var showsPicture: Bool
  package var started: MonotonicTime
  package var milliseconds: Double

  package init(
    packet: UnsafeMutablePointer<AVPacket>, format: PacketFormat, showsPicture: Bool, started: MonotonicTime,
    milliseconds: Double
  ) {
    (self.packet, self.format, self.showsPicture) = (packet, format, showsPicture)
    (self.started, self.milliseconds) = (started, milliseconds)
  }

  package var byteCount: Int { Int(packet.pointee.size) }
  /// In the stream's time base; nil where the packet has no such stamp.
  package var presentationStamp: Int64? { optionalStamp(packet.pointee.pts) }
}
