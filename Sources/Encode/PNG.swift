internal import CFFmpeg
import Frames
import Glibc

/// Writes `rgba`, four bytes a pixel without padding, top row first, as a PNG without alpha. The file appears whole or
/// not at all. Throws `Failure(.output)` when it cannot be written.
public func writePNG(rgba: [UInt8], size: PictureSize, to path: String) throws {
  precondition(size.width > 0 && size.height > 0 && rgba.count == size.width * size.height * 4, "not a picture")
  guard let codec = avcodec_find_encoder_by_name("png") else {
    throw Failure(.unsupported, "cannot write '\(path)'", cause: "this FFmpeg has no PNG encoder")
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
  try replaceFile(at: path, with: bytes)
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

/// Writes beside `path` and renames. Throws `Failure(.output)` and leaves what was there when that fails.
private func replaceFile(at path: String, with bytes: [UInt8]) throws {
  let part = "\(path).part-\(getpid())"
  let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
  guard descriptor >= 0 else {
    throw Failure(
      .output, "cannot write '\(path)'", cause: String(cString: strerror(errno)),
      remedy: "check that the folder exists and is writable")
  }
  var written = 0
  while written < bytes.count {
    let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else {
      let cause = String(cString: strerror(errno))
      close(descriptor)
      unlink(part)
      throw Failure(.output, "cannot write '\(path)'", cause: cause)
    }
    written += count
  }
  guard close(descriptor) == 0 else {
    let cause = String(cString: strerror(errno))
    unlink(part)
    throw Failure(.output, "cannot write '\(path)'", cause: cause)
  }
  try moveIntoPlace(part, path)
}
