package import CFFmpeg
import Frames

/// The packets of a clip's video in the order of decoding, read ahead on demand, and what they tell of its sync samples; and
/// those of other tracks that are subscribed to, from the same reading of the file.
///
/// Knows no decoder. One thread at a time.
package final class PacketReader {
  package private(set) var demuxer: Demuxer
  package private(set) var stream: UnsafeMutablePointer<AVStream>
  /// Packets that were read ahead: its first is the next to be decoded.
  package let queue = PacketQueue(byteLimit: 64 << 20)
  /// Sync samples by the container's index, or else by the packets read so far.
  package var index: SyncSampleIndex
  /// A sync sample had no presentation timestamp.
  package private(set) var lacksStamps = false
  /// The decoder was told that no packet follows: none is read before the demuxer has moved.
  package var hasEnded = false
  private let streamIndex: Int
  /// Packets of other tracks, by the number of the stream.
  private var subscriptions: [Int: PacketQueue] = [:]
  private var hasLoadedIndex = false
  /// The start was sought and no packet has come from there yet.
  private var isProvingStart = false
  /// For the next packet; empty.
  private var spare: UnsafeMutablePointer<AVPacket>?

  /// - Parameter stream: of the demuxer, which leaves all others out.
  package init(_ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>) {
    (self.demuxer, self.stream) = (demuxer, stream)
    streamIndex = Int(stream.pointee.index)
    index = syncSampleIndex(stream, of: demuxer)
  }

  deinit { av_packet_free(&spare) }

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

  /// The next packet in the file, past those in the queue; nil at the end.
  package func read() throws(Failure) -> ReadPacket? {
    guard !hasEnded else { return nil }
    guard let packet = spare ?? av_packet_alloc() else {
      throw Failure(.failed, "cannot decode '\(demuxer.path)'", cause: "out of memory")
    }
    spare = packet
    while true {
      let started = MonotonicTime.now
      guard try demuxer.read(into: packet) else {
        // Of several formats libavformat's demuxers find no packet after a seek, even to where they were, and a server that
        // gives no ranges sends none.
        if isProvingStart {
          try reopen()
          continue
        }
        if demuxer.damage == nil { index.ended() }
        return nil
      }
      guard packet.pointee.stream_index == Int32(streamIndex) else {
        try deliver(packet, started)
        continue
      }
      spare = nil
      isProvingStart = false
      learn(packet)
      return ReadPacket(
        packet: packet, showsPicture: showsPicture(packet, codec: codec), started: started,
        milliseconds: MonotonicTime.now.milliseconds(since: started))
    }
  }

  /// Lets go of a packet; the next one is read into it.
  package func recycle(_ packet: UnsafeMutablePointer<AVPacket>) {
    av_packet_unref(packet)
    av_packet_free(&spare)
    spare = packet
  }

  /// A packet of this stream was read, here or before this was made.
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

  /// Keeps the packets of another track from here on; `next(of:)` gives them. Both tracks come from one reading of the file.
  /// Packets that were read while the clip was opened do not come again.
  ///
  /// - Parameter byteLimit: where the track's consumer is so far behind, its oldest packets are dropped.
  /// - Returns: false where there is no such track, or it is the video's.
  package func subscribe(to track: Int, byteLimit: Int = 8 << 20) -> Bool {
    guard track != streamIndex, demuxer.stream(track) != nil else { return false }
    if subscriptions[track] == nil { subscriptions[track] = PacketQueue(byteLimit: byteLimit) }
    demuxer.leaveOut(allBut: tracks)
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

  private var tracks: Set<Int> { Set(subscriptions.keys).union([streamIndex]) }

  /// Gives a packet of another track to its queue, or lets go of it; `packet` is empty afterwards.
  private func deliver(_ packet: UnsafeMutablePointer<AVPacket>, _ started: MonotonicTime) throws(Failure) {
    guard let queue = subscriptions[Int(packet.pointee.stream_index)] else {
      av_packet_unref(packet)
      return
    }
    guard let kept = av_packet_alloc() else {
      throw Failure(.failed, "cannot read '\(demuxer.path)'", cause: "out of memory")
    }
    av_packet_move_ref(kept, packet)
    queue.appendNewest(
      ReadPacket(
        packet: kept, showsPicture: false, started: started,
        milliseconds: MonotonicTime.now.milliseconds(since: started)))
  }

  // MARK: - Moving

  /// Moves to the clip's first packet.
  package func goToStart() throws(Failure) {
    let start = optionalStamp(stream.pointee.start_time) ?? 0
    if !demuxer.isAtStart {
      // Transport streams find a time by guessing at bytes, and miss the first sync sample.
      isProvingStart =
        demuxer.seeksByBytes
        ? demuxer.seekToFirstByte() || demuxer.seek(stream: streamIndex, to: start)
        : demuxer.seek(stream: streamIndex, to: start) || demuxer.seekToFirstByte()
      if !isProvingStart { try reopen() }
    }
    jumped(toStart: true)
  }

  /// Moves to a sync sample at or before `time`; false when the demuxer cannot, and nothing has moved.
  package func seek(toSyncSampleAt time: MediaTime) -> Bool {
    let base = stream.pointee.time_base
    let origin = optionalStamp(stream.pointee.start_time) ?? 0
    let ticks = av_rescale_q(time.nanoseconds, AVRational(num: 1, den: 1_000_000_000), base)
    let (timestamp, overflow) = ticks.addingReportingOverflow(origin)
    guard demuxer.seek(stream: streamIndex, to: overflow ? .max : timestamp) else { return false }
    jumped(toStart: false)
    return true
  }

  private func jumped(toStart: Bool) {
    queue.removeAll()
    for other in subscriptions.values { other.removeAll() }
    index.jumped(toStart: toStart)
    hasEnded = false
  }

  /// Opens the input once more, at its first packet.
  private func reopen() throws(Failure) {
    isProvingStart = false
    let again = try demuxer.reopened()
    guard let found = again.stream(streamIndex), found.pointee.codecpar.pointee.codec_id == codec else {
      throw Failure(
        .media, "cannot go back to the start of '\(demuxer.path)'", cause: "its video stream has gone",
        remedy: "it changed while it was read: copy it first")
    }
    again.leaveOut(allBut: tracks)
    (demuxer, stream) = (again, found)
  }

  /// Whether the demuxer has an index that it reads only when it seeks; once.
  package func mayLoadIndex() -> Bool {
    guard !hasLoadedIndex else { return false }
    hasLoadedIndex = true
    return !index.isWhole && !demuxer.hasNoIndex
  }

  /// Takes over the index that the demuxer has by now.
  package func loadIndex() { index = syncSampleIndex(stream, of: demuxer) }
}

// What the stream and its packets say.
extension PacketReader {
  package var codec: AVCodecID { stream.pointee.codecpar.pointee.codec_id }

  package var timeBase: Ratio { Ratio(stream.pointee.time_base) }

  /// A picture's two fields may come in packets of their own.
  package var hasFieldPackets: Bool {
    let order = stream.pointee.codecpar.pointee.field_order
    return order != AV_FIELD_PROGRESSIVE && order != AV_FIELD_UNKNOWN
  }

  /// No packet after this one is shown before this; nil where it is not said.
  package func decodingTime(_ packet: UnsafeMutablePointer<AVPacket>) -> MediaTime? {
    optionalStamp(packet.pointee.dts).map(time)
  }

  /// When a packet is shown, relative to the stream's start; nil where it is not said.
  package func presentationTime(_ packet: UnsafeMutablePointer<AVPacket>) -> MediaTime? {
    optionalStamp(packet.pointee.pts).map(time)
  }

  /// A time stamp relative to the stream's start.
  package func time(_ stamp: Int64) -> MediaTime {
    let origin = optionalStamp(stream.pointee.start_time) ?? 0
    return MediaTime(ticks: stamp.subtractingReportingOverflow(origin).partialValue, timeBase: timeBase)
  }
}

extension AVPacket {
  package var isSyncSample: Bool { flags & AV_PKT_FLAG_KEY != 0 }
}

/// Nil for FFmpeg's mark of a time stamp that is not there.
package func optionalStamp(_ ticks: Int64) -> Int64? { ticks == bench_nopts() ? nil : ticks }
