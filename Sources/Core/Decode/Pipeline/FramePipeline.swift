internal import CFFmpeg
import Frames
import Media

/// Packets in, frames out in presentation order, from wherever the demuxer stands.
///
/// One thread at a time; `decoders.state` from any.
final class FramePipeline {
  let info: MediaInfo
  let packets: PacketReader
  let decoders: DecoderSlot
  let maker: FrameMaker
  /// Frames at hand around the one that was delivered last.
  let cache: FrameCache
  var effort = Effort()
  var pending = PendingFrames()
  var counts = DecodeCounts()
  var consumer = ConsumerTime()
  /// Of the frame that is in `received`, and of the last one that was.
  var place = FramePlace()
  /// Where the last frame ended.
  var expectedTime = MediaTime.zero
  /// The decoder has no more frames.
  private(set) var hasEnded = false
  var keyIsChecked = false
  private let errors = FFmpegErrors()
  /// The frame that the decoder fills; empty between two calls.
  private(set) var received: UnsafeMutablePointer<AVFrame>?

  init(_ info: MediaInfo, _ packets: PacketReader, _ decoders: DecoderSlot, cacheBytes: Int) {
    (self.info, self.packets, self.decoders) = (info, packets, decoders)
    maker = FrameMaker(peak: info.video.color.peakNits)
    cache = FrameCache(byteLimit: cacheBytes)
    received = av_frame_alloc()
    if let read = decoders.firstPacket?.read, let packet = av_packet_clone(read.packet) {
      packets.learn(packet)
      packets.queue.append(
        ReadPacket(
          packet: packet, format: packets.format, showsPicture: true, started: read.started,
          milliseconds: read.milliseconds))
    }
  }

  deinit { av_frame_free(&received) }

  var nominalDuration: MediaTime { MediaTime(seconds: 1 / (info.video.frameRate.value ?? 25)) }

  // MARK: - Decoding

  /// The next frame out of the decoder, valid until the next call; nil at the end. `place` tells where it lies.
  func decodeNext() throws(Failure) -> UnsafeMutablePointer<AVFrame>? {
    consumer.asks()
    guard let frame = received else { throw failure(.failed, "out of memory") }
    while true {
      av_frame_unref(frame)
      switch decoders.video.receive(into: frame) {
      case .frame:
        counts.frameCame()
        try locate(frame)
        if decoders.passRepeat(place.time) || effort.isBeforeLanding(place.time) || effort.isShownAlready(place.time) {
          continue
        }
        if effort.wantsSamples(at: place.time) {
          do throws(Failure) {
            try bring(frame, from: decoders.video)
          } catch {
            try replaceDecoder(error.cause)
            continue
          }
        }
        decoders.gave(place.time)
        expectedTime = place.end
        return frame
      case .needsInput: try feed()
      case .damaged: try refused()
      case .ended:
        pending.ended()
        if let format = packets.queue.format, format !== decoders.format {
          try decoders.change(to: format)
          continue
        }
        hasEnded = true
        guard counts.framesSinceFlush > 0 || !counts.readsFromStart else {
          counts.isWithoutPictures = true
          throw nothingDecoded()
        }
        return nil
      }
    }
  }

  /// Gives the decoder its next packet, or tells it that there is none.
  func feed() throws(Failure) {
    guard !packets.hasEnded else {
      // A drained decoder that asks for more packets would loop for ever.
      throw failure(.media, "the decoder asks for more than the file has")
    }
    guard let read = try packets.next() else {
      packets.hasEnded = true
      return drain()
    }
    guard read.format === decoders.format else {
      // The frames of the format before come first; then there is another decoder.
      packets.queue.putBack(read)
      return drain()
    }
    defer { packets.recycle(read.packet) }
    try checkKey(with: read)
    let stamp = optionalStamp(read.packet.pointee.pts)
    let time = stamp.map(packets.time)
    let video = decoders.video
    decoders.keep(read)
    video.skipsNonReferences = time.map(effort.isSkippable) ?? false
    switch video.send(
      read.packet, readStarted: read.started, demuxMilliseconds: read.milliseconds,
      consumerNanoseconds: consumer.nanoseconds)
    {
    case .accepted:
      counts.acceptedPackets += 1
      look(into: read)
      guard read.showsPicture, !(time.map(decoders.isRepeat) ?? false) else { return }
      pending.sent(
        tag: video.lastTag, stamp: stamp, isSyncSample: read.packet.pointee.isSyncSample,
        mayBeLeftOut: effort.isAsAsked && video.skipsNonReferences || effort.landing != nil)
    case .full: throw failure(.failed, "the decoder refuses input it asked for")
    case .damaged: try refused()
    }
  }

  private func look(into read: ReadPacket) {
    let codec = read.format.codec
    guard CodedFrames.knows(codec) else { return counts.coded = nil }
    var coded = counts.coded ?? CodedFrames()
    coded.add(read.packet, of: codec)
    counts.coded = coded
  }

  /// Drains the decoder.
  private func drain() {
    _ = decoders.video.send(nil, readStarted: .now, demuxMilliseconds: 0, consumerNanoseconds: consumer.nanoseconds)
  }

  /// The decoder rejected a packet or frame: for the hardware's fault, for lack of memory, or because the clip is damaged.
  private func refused() throws(Failure) {
    if let cause = decoders.video.hardwareFailure { return try replaceDecoder(cause) }
    if let shortage = decoders.video.shortage {
      throw failure(shortage.kind, shortage.cause, remedy: shortage.remedy)
    }
    counts.damagedPackets += 1
    try refuseWrongKey()
  }

  /// A frame came out of a decoder: counts it, and notes where it lies.
  ///
  /// Throws `.encrypted` where a wrong key has decrypted the samples: of some of them decoders make pictures, and call these damaged.
  func locate(_ frame: UnsafeMutablePointer<AVFrame>) throws(Failure) {
    counts.framesDecoded += 1
    if frame.pointee.decode_error_flags != 0 {
      counts.damagedPictures += 1
      try refuseWrongKey()
    }
    counts.framesSinceFlush += 1
    // Where the file has no time stamps, one frame follows on another.
    let ticks = bench_frame_duration(frame)
    let duration = ticks > 0 ? MediaTime(ticks: ticks, timeBase: packets.timeBase) : nominalDuration
    let stamp = optionalStamp(frame.pointee.best_effort_timestamp)
    place = FramePlace(time: stamp.map(packets.time) ?? expectedTime, duration: duration)
  }

  /// Makes a frame out of a hardware decoder ready to be drawn; does nothing to others.
  func bring(_ frame: UnsafeMutablePointer<AVFrame>, from video: VideoDecoder) throws(Failure) {
    let start = MonotonicTime.now
    try decoders.bring(frame, from: video, allowsDeep: maker.allowsDeepSamples)
    counts.bringMilliseconds = video.hardware == nil ? nil : MonotonicTime.now.milliseconds(since: start)
  }

  /// Falls back to software after a hardware decoder gave up, and replays the buffered packets.
  func replaceDecoder(_ cause: String) throws(Failure) {
    for read in try decoders.takeOver(cause).reversed() { packets.queue.putBack(read) }
    pending.forget()
    packets.hasEnded = false
  }

  /// Makes a video frame of `frame`: the pipeline's `received`, or a frame it was moved to. Leaves `frame` empty.
  func deliver(
    _ frame: UnsafeMutablePointer<AVFrame>, from decoder: VideoDecoder? = nil, received: MonotonicTime? = nil
  ) throws(Failure) -> VideoFrame {
    let video = decoder ?? decoders.video
    defer { av_frame_unref(frame) }
    var timing = video.timing(of: frame, received: received ?? .now, consumerNanoseconds: consumer.nanoseconds)
    timing.bringMilliseconds = counts.bringMilliseconds
    // Read before the samples are taken over: that leaves the frame empty.
    let (tag, stamp) = (bench_frame_tag(frame), optionalStamp(frame.pointee.pts))
    var result = try maker.make(frame, from: video, path: info.path)
    result.timing = timing
    decoders.made(result)
    (result.presentationTime, result.duration) = (place.time, place.duration)
    pending.delivered(tag: tag, stamp: stamp)
    effort.landing = nil
    return result
  }

  // MARK: - Moving

  /// Goes to the clip's first packet; discards all packets read and frames decoded.
  func goToStart() throws(Failure) {
    try packets.goToStart()
    restart()
    counts.readsFromStart = true
  }

  /// Moves to a sync sample at or before `time`; false when the demuxer cannot, and nothing has changed.
  func seek(toSyncSampleAt time: MediaTime) -> Bool {
    guard packets.seek(toSyncSampleAt: time) else { return false }
    restart()
    return true
  }

  /// Makes the demuxer read an index that it has put off until the first seek.
  func loadIndex() {
    if packets.mayLoadIndex(), seek(toSyncSampleAt: .zero) { packets.loadIndex() }
  }

  private func restart() {
    pending.forget()
    cache.removeAll()
    effort.restart()
    expectedTime = .zero
    flush()
  }

  /// Discards the packets and frames in the decoder.
  func flush() {
    decoders.flush()
    maker.sweep()
    packets.hasEnded = false
    hasEnded = false
    counts.flushed()
  }

  // MARK: - Failing

  func failure(_ kind: Failure.Kind, _ cause: String, remedy: String? = nil) -> Failure {
    Failure(kind, "cannot decode '\(info.path)'", cause: cause, remedy: remedy)
  }

  /// Nil where no key was used.
  func wrongKey(_ cause: String) -> Failure? {
    guard !info.video.isEncrypted, let key = info.video.keyIdentifier else { return nil }
    return failure(
      .encrypted, cause,
      remedy: "the key \(key) is another's, or the file is damaged: check --key, --key-file or --licence-url")
  }

  private func refuseWrongKey() throws(Failure) {
    if counts.startsDamaged, let wrong = wrongKey("its first pictures are damaged") { throw wrong }
  }

  private func nothingDecoded() -> Failure {
    if info.video.size.width <= 0 || info.video.size.height <= 0 {
      return failure(.media, "its video has no size (\(info.video.size))", remedy: "the file is damaged")
    }
    let logged = errors.lastTwo.map { " (\($0))" } ?? ""
    let count = counts.acceptedPackets + counts.damagedPackets
    if count > 0, let wrong = wrongKey("no picture came out of \(count) packets" + logged) { return wrong }
    guard count == 0 else {
      return failure(
        .media, "no picture came out of \(count) packets" + logged,
        remedy: "the file is truncated, damaged or encrypted")
    }
    return failure(
      .media, "it has no packet of its video" + logged,
      remedy: namesOtherInputs(info.path)
        ? "its segments or their keys are missing, or its server broke off or gives no ranges of bytes"
        : "it ends before its first picture, as the initialisation segment of a stream does: open the stream's playlist"
    )
  }
}
