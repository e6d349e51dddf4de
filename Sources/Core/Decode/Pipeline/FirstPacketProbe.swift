internal import CFFmpeg
import Frames
import Media

/// A clip's first packet, decoded instead of probing, and its picture, so that it is decoded once.
///
/// FFmpeg's probing decodes on one thread until it knows what the samples are like, and throws the pictures away. Where a
/// container's header names the streams, one packet tells the rest. The picture lies in libavcodec's memory: no device has
/// to be open. One thread at a time.
final class FirstPacketProbe {
  /// For one packet at a time.
  let decoder: VideoDecoder
  /// The packet, read from the file's start.
  let read: ReadPacket
  /// When the picture came out of the decoder.
  private(set) var received = MonotonicTime.now
  private let frame: UnsafeMutablePointer<AVFrame>
  private(set) var isTaken = false

  /// Reads the video's first packet and decodes it; the stream then says of itself what the decoder found.
  ///
  /// Nil where it gave no picture, or left facts open: the caller then opens the file anew.
  init?(of file: Demuxer, _ options: DecoderOptions) {
    var alone = options
    alone.isLowDelay = true
    guard let (stream, codec) = try? chooseVideo(file) else { return nil }
    let hasReordering = stream.pointee.codecpar.pointee.video_delay > 0
    // Seen in packets, it is a guess at how much; the decoder is to say it.
    stream.pointee.codecpar.pointee.video_delay = 0
    guard let format = try? PacketFormat(stream),
      let decoder = try? VideoDecoder(format, codec: codec, options: alone, allocator: nil, path: file.path),
      let read = readFirst(of: stream, format, in: file)
    else { return nil }
    guard let frame = av_frame_alloc() else {
      free(read.packet)
      return nil
    }
    (self.decoder, self.read, self.frame) = (decoder, read, frame)
    guard
      case .accepted = decoder.send(
        read.packet, readStarted: read.started, demuxMilliseconds: read.milliseconds, consumerNanoseconds: 0)
    else { return nil }
    _ = decoder.send(nil, readStarted: .now, demuxMilliseconds: 0, consumerNanoseconds: 0)
    let outcome = decoder.receive(into: frame)
    received = .now
    guard case .frame = outcome, decoder.describe(stream) else { return nil }
    decoder.flush()
    // H.264 need not say how many frames may come before a later one; probing decodes several to find out.
    if stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_H264, hasReordering,
      stream.pointee.codecpar.pointee.video_delay == 0
    {
      return nil
    }
  }

  deinit {
    free(read.packet)
    var owned: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&owned)
  }

  /// Moves the picture to `destination`, once, where `packet` is its packet.
  func take(for packet: UnsafeMutablePointer<AVPacket>, into destination: UnsafeMutablePointer<AVFrame>) -> Bool {
    let (mine, other) = (read.packet.pointee, packet.pointee)
    guard !isTaken, mine.pts == other.pts, mine.dts == other.dts, mine.pos == other.pos, mine.size == other.size else {
      return false
    }
    isTaken = true
    av_frame_move_ref(destination, frame)
    return true
  }
}

/// Nil where the first one is no sync sample that tells its time, or shows nothing.
private func readFirst(
  of stream: UnsafeMutablePointer<AVStream>, _ format: PacketFormat, in file: Demuxer
) -> ReadPacket? {
  guard let packet = av_packet_alloc() else { return nil }
  let started = MonotonicTime.now
  while (try? file.read(into: packet)) == true {
    guard packet.pointee.stream_index == stream.pointee.index else {
      av_packet_unref(packet)
      continue
    }
    let isShown = showsPicture(packet, codec: stream.pointee.codecpar.pointee.codec_id)
    guard isShown, packet.pointee.flags & AV_PKT_FLAG_KEY != 0, packet.pointee.pts != bench_nopts() else { break }
    return ReadPacket(
      packet: packet, format: format, showsPicture: true, started: started,
      milliseconds: MonotonicTime.now.milliseconds(since: started))
  }
  free(packet)
  return nil
}
