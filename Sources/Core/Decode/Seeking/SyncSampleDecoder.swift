internal import CFFmpeg
import Frames
import Media

/// Decodes one sync sample and no packet after it: a decoder with frame threads, or one that puts frames into order, would ask
/// for several more before it gives this one.
///
/// One thread at a time, that of its pipeline.
struct SyncSampleDecoder {
  let pipeline: FramePipeline
  private var decoders: DecoderSlot { pipeline.decoders }

  init(_ pipeline: FramePipeline) { self.pipeline = pipeline }

  /// The frame of the packet that is next, of a sync sample at `time`; nil when no such frame came out alone.
  ///
  /// To go on from there the decoder gets the packet once more, which costs a frame; but mostly another seek follows. Where
  /// it is known that decoding goes on, a decoder beside it shows the frame while it decodes the same packet on a thread of
  /// its own.
  ///
  /// - Parameter scout: what the group tells of how long the frame is shown.
  func show(_ time: MediaTime, _ scout: SeekScout? = nil, goesOn: Bool) throws(Failure) -> VideoFrame? {
    let packets = pipeline.packets
    guard let format = packets.queue.format, !format.hasFieldPackets, let decoded = pipeline.received else {
      return nil
    }
    if format !== decoders.format { try decoders.change(to: format) }
    guard let read = packets.queue.takeFirst() else { return nil }
    av_frame_unref(decoded)
    if let first = decoders.firstPacket, first.take(for: read.packet, into: decoded) {
      packets.queue.putBack(read)
      return try land(decoded, from: first.decoder, time, scout, received: first.received)
    }
    let isBeside = goesOn && decoders.video.description.threadType == "frame"
    let decoder = isBeside ? try decoders.decoderBeside() : decoders.video
    decoder.skipsNonReferences = false
    let packet = isBeside ? av_packet_clone(read.packet) : nil
    var owned = packet
    defer { av_packet_free(&owned) }
    if isBeside {
      packets.queue.putBack(read)
      try pipeline.feed()
    }
    let waited = pipeline.consumer.nanoseconds
    let sent = decoder.send(
      packet ?? read.packet, readStarted: read.started, demuxMilliseconds: read.milliseconds,
      consumerNanoseconds: waited)
    if !isBeside { packets.queue.putBack(read) }
    defer { isBeside ? decoder.flush() : pipeline.flush() }
    guard case .accepted = sent else { return nil }
    _ = decoder.send(nil, readStarted: .now, demuxMilliseconds: 0, consumerNanoseconds: waited)
    guard case .frame = decoder.receive(into: decoded) else { return nil }
    return try land(decoded, from: decoder, time, scout)
  }

  /// The frame that the packet gave is the one that is shown; nil where it is another than was meant.
  private func land(
    _ decoded: UnsafeMutablePointer<AVFrame>, from decoder: VideoDecoder, _ time: MediaTime, _ scout: SeekScout?,
    received: MonotonicTime? = nil
  ) throws(Failure) -> VideoFrame? {
    try pipeline.locate(decoded)
    guard pipeline.place.time == time else {
      av_frame_unref(decoded)
      return nil
    }
    do throws(Failure) {
      try pipeline.bring(decoded, from: decoder)
    } catch {
      av_frame_unref(decoded)
      try pipeline.replaceDecoder(error.cause)
      return nil
    }
    var frame = try pipeline.deliver(decoded, from: decoder, received: received)
    scout?.extend(&frame)
    pipeline.expectedTime = pipeline.place.end
    pipeline.effort.shownAlone = time
    pipeline.cache.land(frame)
    return frame
  }
}
