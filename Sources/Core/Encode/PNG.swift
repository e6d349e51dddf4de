internal import CFFmpeg
import Frames

/// Writes `rgba`, four bytes a pixel without padding, top row first, as a PNG without alpha. The file is replaced
/// as a whole; missing folders are made. Throws `Failure(.output)` when it cannot be written; an existing file is
/// unchanged then.
public func writePNG(rgba: [UInt8], size: PictureSize, to path: String) throws {
  try replaceFile(at: path, with: try encodePNG(rgba: rgba, size: size))
}

/// A PNG of `rgba`, four bytes a pixel without padding, top row first; alpha is left out. Throws `Failure` when
/// FFmpeg's encoder fails. Any thread.
public func encodePNG(rgba: [UInt8], size: PictureSize) throws -> [UInt8] {
  precondition(size.width > 0 && size.height > 0 && rgba.count == size.width * size.height * 4, "not a picture")
  guard let codec = avcodec_find_encoder_by_name("png") else {
    throw Failure(.unsupported, "cannot make a PNG", cause: "this FFmpeg has no PNG encoder")
  }
  let context = try allocated(avcodec_alloc_context3(codec))
  context.pointee.width = Int32(size.width)
  context.pointee.height = Int32(size.height)
  context.pointee.pix_fmt = AV_PIX_FMT_RGB24
  context.pointee.time_base = AVRational(num: 1, den: 1)
  let encoder = try Encoder(opening: context, options: [])
  var frame: UnsafeMutablePointer<AVFrame>? = try allocated(av_frame_alloc())
  defer { av_frame_free(&frame) }
  try fill(allocated(frame), with: rgba, size: size)
  var bytes: [UInt8] = []
  for input in [frame, nil] {
    try encoder.encode(input) { packet in
      bytes.append(contentsOf: UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }
  }
  return bytes
}

private func fill(_ frame: UnsafeMutablePointer<AVFrame>, with rgba: [UInt8], size: PictureSize) throws {
  frame.pointee.format = AV_PIX_FMT_RGB24.rawValue
  frame.pointee.width = Int32(size.width)
  frame.pointee.height = Int32(size.height)
  try check(av_frame_get_buffer(frame, 0), .failed, "cannot make a picture of \(size)")
  let base = try allocated(frame.pointee.data.0)
  for row in 0..<size.height {
    let target = base + row * Int(frame.pointee.linesize.0)
    for column in 0..<size.width {
      let source = (row * size.width + column) * 4
      for channel in 0..<3 { target[column * 3 + channel] = rgba[source + channel] }
    }
  }
}
