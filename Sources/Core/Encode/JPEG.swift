internal import CFFmpeg
import Frames
import Media

/// A JPEG of `rgba`, four bytes a pixel without padding, top row first; alpha is left out. 4:2:0, full range, BT.601,
/// as JFIF specifies. Throws `Failure` when FFmpeg's encoder fails. Any thread.
///
/// - Parameter quality: 1, the smallest file, to 100, the best picture.
public func encodeJPEG(rgba: [UInt8], size: PictureSize, quality: Int = 90) throws -> [UInt8] {
  precondition(size.width > 0 && size.height > 0 && rgba.count == size.width * size.height * 4, "not a picture")
  guard let codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG) else {
    throw Failure(.unsupported, "cannot make a JPEG", cause: "this FFmpeg has no JPEG encoder")
  }
  let context = try allocated(avcodec_alloc_context3(codec))
  context.pointee.width = Int32(size.width)
  context.pointee.height = Int32(size.height)
  context.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
  context.pointee.color_range = AVCOL_RANGE_JPEG
  context.pointee.time_base = AVRational(num: 1, den: 25)
  context.pointee.thread_count = 1
  // The quantiser's scale goes from 1, the finest, to 31.
  let bounded: Int = min(max(quality, 1), 100)
  let scale = Int32(1 + (100 - bounded) * 30 / 99)
  context.pointee.flags |= AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_BITEXACT
  context.pointee.qmin = 1
  context.pointee.global_quality = scale * FF_QP2LAMBDA
  let encoder = try Encoder(opening: context, options: [])
  var owned: UnsafeMutablePointer<AVFrame>? = try allocated(av_frame_alloc())
  defer { av_frame_free(&owned) }
  let frame = try allocated(owned)
  frame.pointee.format = AV_PIX_FMT_YUVJ420P.rawValue
  frame.pointee.width = Int32(size.width)
  frame.pointee.height = Int32(size.height)
  frame.pointee.color_range = AVCOL_RANGE_JPEG
  frame.pointee.quality = scale * FF_QP2LAMBDA
  try check(av_frame_get_buffer(frame, 0), .failed, "cannot make a picture of \(size)")
  try convert(rgba, size, to: frame)
  var bytes: [UInt8] = []
  for input in [frame, nil] {
    try encoder.encode(input) { packet in
      bytes.append(contentsOf: UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }
  }
  return bytes
}

/// As `encodeJPEG`, to a file that is replaced as a whole. Throws `Failure(.output)` when it cannot be written; an
/// existing file is unchanged then.
public func writeJPEG(rgba: [UInt8], size: PictureSize, quality: Int = 90, to path: String) throws {
  try replaceFile(at: path, with: try encodeJPEG(rgba: rgba, size: size, quality: quality))
}

private func convert(_ rgba: [UInt8], _ size: PictureSize, to frame: UnsafeMutablePointer<AVFrame>) throws {
  let scaler = sws_getContext(
    Int32(size.width), Int32(size.height), AV_PIX_FMT_RGBA, Int32(size.width), Int32(size.height), AV_PIX_FMT_YUVJ420P,
    SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP | SWS_FULL_CHR_H_INT, nil, nil, nil)
  defer { sws_freeContext(scaler) }
  guard let scaler else {
    throw Failure(.failed, "cannot make a JPEG of \(size)", cause: "libswscale does not convert such a picture")
  }
  let coefficients = sws_getCoefficients(SWS_CS_ITU601)
  sws_setColorspaceDetails(scaler, coefficients, 1, coefficients, 1, 0, 1 << 16, 1 << 16)
  let (data, strides) = (frame.pointee.data, frame.pointee.linesize)
  var target = [data.0, data.1, data.2, nil]
  var targetLines = [strides.0, strides.1, strides.2, 0]
  let rows = rgba.withUnsafeBufferPointer { samples in
    sws_scale(
      scaler, [samples.baseAddress, nil, nil, nil], [Int32(size.width * 4), 0, 0, 0], 0, Int32(size.height), &target,
      &targetLines)
  }
  guard rows == size.height else {
    throw Failure(.failed, "cannot make a JPEG of \(size)", cause: "libswscale failed: \(ffmpegText(rows))")
  }
}
