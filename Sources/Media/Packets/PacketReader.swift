package import CFFmpeg
import Frames

/// The packets of a clip's video in the order of decoding, read ahead on demand, and what they tell of its sync samples; and
/// those of other tracks that are subscribed to, from the same reading of the file.
///
/// Knows no decoder. One thread at a time.
package final class PacketReader {
  package private(set) var demuxer: Demuxer
  /// The current stream: the clip's first, or one that succeeded it.
  package private(set) var stream: UnsafeMutablePointer<AVStream>
  /// The format of the next packet read, as far as it is known.
  package private(set) var format: PacketFormat
  /// Packets that were read ahead: its first is the next to be decoded.
  package let queue = PacketQueue(byteLimit: 64 << 20)
  /// Sync samples by the container's index, or else by the packets read so far.
  package var index: SyncSampleIndex
  /// A sync sample had no presentation timestamp.
  package private(set) var lacksStamps = false
  /// The decoder was told that no packet follows: none is read before the demuxer has moved.
  package var hasEnded = false
  private var succession: StreamSuccession
  /// By the number of the stream.
  private var formats: [Int: PacketFormat]
  /// Packets of other tracks, by the number of the stream.
  private var subscriptions: [Int: PacketQueue] = [:]
  private var hasLoadedIndex = false
  /// The start was sought and no packet has come from there yet.
  private var isProvingStart = false
  /// For the next packet; empty.
  private var spare: UnsafeMutablePointer<AVPacket>?

  /// - Parameter stream: of the demuxer, which from now on discards all others except streams that may follow on it.
  package init(_ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>) throws(Failure) {
    (self.demuxer, self.stream) = (demuxer, stream)
    format = try PacketFormat(stream)
    succession = StreamSuccession(Int(stream.pointee.index))
    formats = [Int(stream.pointee.index): format]
    index = syncSampleIndex(stream, of: demuxer)
    demuxer.leaveOut(allBut: tracks)
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
    if let arrived = succession.takeArrived() { return given(arrived) }
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
        if let followed = try follow() { return followed }
        if demuxer.damage == nil { index.ended() }
        return nil
      }
      let number = Int(packet.pointee.stream_index)
      guard number == succession.current else {
        if try hold(packet, of: number, started) {
          if succession.isOver, let followed = try follow() { return followed }
        } else {
          try deliver(packet, started)
        }
        continue
      }
      spare = nil
      isProvingStart = false
      format = try formatNow(of: number)
      av_packet_rescale_ts(packet, stream.pointee.time_base, clock.pointee.time_base)
      succession.saw(decodingTime(packet))
      return given(made(packet, format, started))
    }
  }

  private func made(
    _ packet: UnsafeMutablePointer<AVPacket>, _ format: PacketFormat, _ started: MonotonicTime
  ) -> ReadPacket {
    ReadPacket(
      packet: packet, format: format, showsPicture: showsPicture(packet, codec: format.codec), started: started,
      milliseconds: MonotonicTime.now.milliseconds(since: started))
  }

  private func given(_ read: ReadPacket) -> ReadPacket {
    learn(read.packet)
    return read
  }

  // MARK: - What follows on each other

  /// What a stream's packets are coded in from here on; another one than before where the stream's codec has changed.
  ///
  /// - Parameter isVideo: its time stamps are brought to the first stream's time base.
  private func formatNow(of number: Int, isVideo: Bool = true) throws(Failure) -> PacketFormat {
    guard let stream = demuxer.stream(number) else {
      throw Failure(.media, "cannot read '\(demuxer.path)'", cause: "stream \(number) has gone")
    }
    if let known = formats[number], known.codec == stream.pointee.codecpar.pointee.codec_id { return known }
    let made = try PacketFormat(stream, timeBase: isVideo ? clock.pointee.time_base : nil)
    formats[number] = made
    return made
  }

  /// Keeps a packet of a stream that may follow on the one that is read; false where it is another's, and as it was.
  private func hold(
    _ packet: UnsafeMutablePointer<AVPacket>, of number: Int, _ started: MonotonicTime
  ) throws(Failure) -> Bool {
    guard subscriptions[number] == nil, let other = demuxer.stream(number),
      demuxer.mayFollow(other, on: stream)
    else { return false }
    isProvingStart = false
    guard let kept = av_packet_alloc() else {
      throw Failure(.failed, "cannot read '\(demuxer.path)'", cause: "out of memory")
    }
    av_packet_move_ref(kept, packet)
    av_packet_rescale_ts(kept, other.pointee.time_base, clock.pointee.time_base)
    if try !succession.hold(made(kept, formatNow(of: number), started), of: number, decodingTime(kept)) { free(kept) }
    return true
  }

  /// Switches to the succeeding stream and returns its first packet; nil where there is none.
  private func follow() throws(Failure) -> ReadPacket? {
    let start = succession.firstHeld.flatMap(presentationTime)
    guard succession.follow(from: start), let next = demuxer.stream(succession.current) else { return nil }
    stream = next
    format = try formatNow(of: succession.current)
    return succession.takeArrived().map(given)
  }

  /// The first stream, whose clock all times are told by.
  private var clock: UnsafeMutablePointer<AVStream> { demuxer.stream(succession.first) ?? stream }

  /// Recycles a packet: the next one is read into it.
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
    guard track != succession.first, demuxer.stream(track) != nil else { return false }
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

  private var tracks: Set<Int> {
    let video = (0..<Int(demuxer.context.pointee.nb_streams)).filter { number in
      number == succession.first || demuxer.stream(number).map { demuxer.mayFollow($0, on: stream) } ?? false
    }
    return Set(subscriptions.keys).union(video)
  }

  /// Moves a packet of another track to its queue, or releases it; `packet` is empty afterwards.
  private func deliver(_ packet: UnsafeMutablePointer<AVPacket>, _ started: MonotonicTime) throws(Failure) {
    guard let queue = subscriptions[Int(packet.pointee.stream_index)] else {
      av_packet_unref(packet)
      return
    }
    guard let kept = av_packet_alloc() else {
      throw Failure(.failed, "cannot read '\(demuxer.path)'", cause: "out of memory")
    }
    let format = try formatNow(of: Int(packet.pointee.stream_index), isVideo: false)
    av_packet_move_ref(kept, packet)
    queue.appendNewest(
      ReadPacket(
        packet: kept, format: format, showsPicture: false, started: started,
        milliseconds: MonotonicTime.now.milliseconds(since: started)))
  }

  // MARK: - Moving

  /// Moves to the clip's first packet.
  package func goToStart() throws(Failure) {
    let (start, streamIndex) = (optionalStamp(clock.pointee.start_time) ?? 0, succession.first)
    if !demuxer.isAtStart {
      // Transport streams find a time by guessing at bytes, and miss the first sync sample.
      isProvingStart =
        demuxer.seeksByBytes
        ? demuxer.seekToFirstByte() || demuxer.seek(stream: streamIndex, to: start)
        : demuxer.seek(stream: streamIndex, to: start) || demuxer.seekToFirstByte()
      if !isProvingStart { try reopen() }
    }
    jumped(to: streamIndex, isStart: true)
  }

  /// Moves to a sync sample at or before `time`; false when the demuxer cannot, and nothing has moved.
  package func seek(toSyncSampleAt time: MediaTime) -> Bool {
    let number = succession.stream(at: time)
    guard let base = demuxer.stream(number)?.pointee.time_base else { return false }
    let origin = av_rescale_q(optionalStamp(clock.pointee.start_time) ?? 0, clock.pointee.time_base, base)
    let ticks = av_rescale_q(time.nanoseconds, AVRational(num: 1, den: 1_000_000_000), base)
    let (timestamp, overflow) = ticks.addingReportingOverflow(origin)
    guard demuxer.seek(stream: number, to: overflow ? .max : timestamp) else { return false }
    jumped(to: number, isStart: false)
    return true
  }

  private func jumped(to number: Int, isStart: Bool) {
    queue.removeAll()
    for other in subscriptions.values { other.removeAll() }
    succession.jumped(to: number)
    (stream, format) = (demuxer.stream(number) ?? stream, formats[number] ?? format)
    index.jumped(toStart: isStart)
    hasEnded = false
  }

  /// Opens the input once more, at its first packet.
  private func reopen() throws(Failure) {
    isProvingStart = false
    let again = try demuxer.reopened()
    let number = succession.first
    guard let found = again.stream(number), found.pointee.codecpar.pointee.codec_id == formats[number]?.codec else {
      throw Failure(
        .media, "cannot go back to the start of '\(demuxer.path)'", cause: "its video stream has gone",
        remedy: "it changed while it was read: copy it first")
    }
    (demuxer, stream) = (again, found)
    succession.jumped(to: number)
    again.leaveOut(allBut: tracks)
  }

  /// Whether the demuxer has an index that it reads only when it seeks; once.
  package func mayLoadIndex() -> Bool {
    guard !hasLoadedIndex else { return false }
    hasLoadedIndex = true
    return !index.isWhole && !demuxer.hasNoIndex
  }

  /// Copies the demuxer's current index.
  package func loadIndex() { index = syncSampleIndex(stream, of: demuxer) }
}

// Facts of the stream and its packets.
extension PacketReader {
  /// In which the time stamps of all packets count.
  package var timeBase: Ratio { Ratio(clock.pointee.time_base) }

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
    let origin = optionalStamp(clock.pointee.start_time) ?? 0
    return MediaTime(ticks: stamp.subtractingReportingOverflow(origin).partialValue, timeBase: timeBase)
  }
}

extension AVPacket {
  package var isSyncSample: Bool { flags & AV_PKT_FLAG_KEY != 0 }
}

/// Nil for FFmpeg's mark of a time stamp that is not there.
package func optionalStamp(_ ticks: Int64) -> Int64? { ticks == bench_nopts() ? nil : ticks }
