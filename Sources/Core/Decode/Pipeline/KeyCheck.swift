internal import CFFmpeg
import Frames
import Media

extension FramePipeline {
  /// Decodes the first sync sample that a key has decrypted alone, once. Throws `.encrypted` where it is damaged: the key is another's.
  ///
  /// Decoders with frame threads give a picture out, now and then, before they know that it is damaged; then a whole clip of noise has none
  /// that is.
  func checkKey(with read: ReadPacket) throws(Failure) {
    guard !keyIsChecked, read.showsPicture, read.packet.pointee.isSyncSample, wrongKey("") != nil else { return }
    keyIsChecked = true
    guard let packet = av_packet_clone(read.packet), let frame = av_frame_alloc() else { return }
    var (owned, picture): (UnsafeMutablePointer<AVPacket>?, UnsafeMutablePointer<AVFrame>?) = (packet, frame)
    defer {
      av_packet_free(&owned)
      av_frame_free(&picture)
    }
    let decoder = try decoders.decoderBeside()
    defer { decoder.flush() }
    let sent = decoder.send(
      packet, readStarted: read.started, demuxMilliseconds: read.milliseconds, consumerNanoseconds: 0)
    _ = decoder.send(nil, readStarted: .now, demuxMilliseconds: 0, consumerNanoseconds: 0)
    if case .accepted = sent, case .frame = decoder.receive(into: frame), frame.pointee.decode_error_flags == 0 {
      return
    }
    if let wrong = wrongKey("its first picture is damaged") { throw wrong }
  }
}
