internal import CFFmpeg
import Frames
import Media

extension FrameReader {
  /// Gives the decoder its next packet, or tells it that there is none.
  func feed() throws(Failure) {
    guard !isDraining else {
      // A decoder that wants more after it was drained would spin for ever.
      throw Failure(.media, "cannot decode '\(info.path)'", cause: "the decoder asks for more than the file has")
    }
    guard let read = try nextPacket() else {
      isDraining = true
      _ = video.send(nil, readStarted: .now, demuxMilliseconds: 0, consumerNanoseconds: consumerNanoseconds)
      return
    }
    defer { recycle(read.packet) }
    let stamp = optionalStamp(read.packet.pointee.pts)
    let isAsAsked = if case .asAsked = skipping { true } else { false }
    history?.append(read)
    video.skipsNonReferences = stamp.map(isSkippable) ?? false
    switch video.send(
      read.packet, readStarted: read.started, demuxMilliseconds: read.milliseconds,
      consumerNanoseconds: consumerNanoseconds)
    {
    case .accepted:
      acceptedPackets += 1
      guard read.showsPicture, !(stamp.map(wasOut) ?? false) else { return }
      owed.sent(
        tag: video.lastTag, stamp: stamp, isSyncSample: read.packet.pointee.flags & AV_PKT_FLAG_KEY != 0,
        mayBeLeftOut: isAsAsked && video.skipsNonReferences || landing != nil)
    case .full:
      throw Failure(.failed, "cannot decode '\(info.path)'", cause: "the decoder refuses input it asked for")
    case .damaged:
      if let cause = video.hardwareFailure { return try replaceDecoder(cause) }
      try refuseShortage()
      damagedPackets += 1
    }
  }

  private func isSkippable(_ stamp: Int64) -> Bool {
    switch skipping {
    case .asAsked: skipsNonReferences
    case .nothing: false
    case .before(let time): mediaTime(stamp) < time
    }
  }

  private func nextPacket() throws(Failure) -> ReadPacket? {
    if let first = ahead.takeFirst() { return first }
    return try readPacket()
  }

  /// The next packet of the video in the file; nil at the end.
  func readPacket() throws(Failure) -> ReadPacket? {
    guard !isDraining else { return nil }
    guard let packet = spare ?? av_packet_alloc() else {
      throw Failure(.failed, "cannot decode '\(info.path)'", cause: "out of memory")
    }
    spare = packet
    while true {
      let started = MonotonicTime.now
      guard try file.read(into: packet) else {
        if try reopenAtStart() { continue }
        if file.damage == nil { index.ended() }
        return nil
      }
      guard packet.pointee.stream_index == Int32(info.video.streamIndex) else {
        av_packet_unref(packet)
        continue
      }
      spare = nil
      startIsProven()
      learn(packet)
      return ReadPacket(
        packet: packet, showsPicture: showsPicture(packet, codec: stream.pointee.codecpar.pointee.codec_id),
        started: started, milliseconds: MonotonicTime.now.milliseconds(since: started))
    }
  }

  func learn(_ packet: UnsafeMutablePointer<AVPacket>) {
    guard let stamp = optionalStamp(packet.pointee.pts) else {
      if packet.pointee.flags & AV_PKT_FLAG_KEY != 0, packet.pointee.dts == bench_nopts() { lacksStamps = true }
      return
    }
    guard !index.isWhole else { return }
    index.read(
      presentationTime: mediaTime(stamp), decodingTime: decodingTime(packet),
      isSyncSample: packet.pointee.flags & AV_PKT_FLAG_KEY != 0)
  }

  /// Lets go of a packet; the next one is read into it.
  func recycle(_ packet: UnsafeMutablePointer<AVPacket>) {
    av_packet_unref(packet)
    av_packet_free(&spare)
    spare = packet
  }
}
