internal import CFFmpeg
import Frames
import Media

/// Samples as libswscale reads them.
struct ScalerInput {
  var data: [UnsafePointer<UInt8>?]
  var lines: [Int32]
  var format: AVPixelFormat
  var size: PictureSize
  var color: ColorDescription

  /// Valid as long as the frame's picture.
  ///
  /// - Parameter size: the part of it that is read, from its first column and row.
  init(_ frame: VideoFrame, part size: PictureSize) {
    let planes = frame.picture.planes
    data = planes.map { UnsafePointer($0.base.assumingMemoryBound(to: UInt8.self)) }
    lines = planes.map { Int32(clamping: $0.bytesPerRow) }
    format = av_get_pix_fmt(frame.format.name)
    self.size = size
    color = frame.color
  }

  /// Valid as long as the frame.
  init(_ frame: UnsafeMutablePointer<AVFrame>) {
    let (planes, strides) = (frame.pointee.data, frame.pointee.linesize)
    data = [planes.0, planes.1, planes.2, planes.3].map { $0.map { UnsafePointer($0) } }
    lines = [strides.0, strides.1, strides.2, strides.3]
    format = AVPixelFormat(rawValue: frame.pointee.format)
    size = PictureSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    color = colorDescription(
      matrix: frame.pointee.colorspace, range: frame.pointee.color_range, siting: frame.pointee.chroma_location,
      primaries: frame.pointee.color_primaries, transfer: frame.pointee.color_trc, format: format, size: size)
  }

  /// Valid as long as the memory, which has no padding.
  init(rgba: HostMemory, size: PictureSize) {
    data = [UnsafePointer(rgba.base.assumingMemoryBound(to: UInt8.self))]
    lines = [Int32(clamping: size.width * 4)]
    format = AV_PIX_FMT_RGBA
    self.size = size
    color = ColorDescription(matrix: .bt709, range: .full)
  }
}

/// Makes small R'G'B' pictures of any others with libswscale, by the mean of the samples that fall into each pixel. One
/// thread at a time.
final class PictureScaler {
  private var context: OpaquePointer?

  deinit {
    sws_freeContext(context)
  }

  func scale(_ input: ScalerInput, to size: PictureSize, time: MediaTime, path: String) throws(Failure) -> SmallPicture
  {
    let attempt = "cannot make a thumbnail of '\(path)'"
    let errors = FFmpegErrors()
    context = sws_getCachedContext(
      context, Int32(input.size.width), Int32(input.size.height), input.format, Int32(size.width), Int32(size.height),
      AV_PIX_FMT_RGBA, SWS_AREA | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP | SWS_FULL_CHR_H_INT, nil, nil, nil)
    guard let context else {
      throw Failure(
        .unsupported, attempt,
        cause: errors.last ?? "libswscale does not read '\(string(av_get_pix_fmt_name(input.format)) ?? "unknown")'")
    }
    let coefficients = input.color.swscaleCoefficients
    sws_setColorspaceDetails(
      context, coefficients, input.color.range == .full ? 1 : 0, coefficients, 1, 0, 1 << 16, 1 << 16)
    // libswscale writes whole vectors, past the end of a row.
    let pitch = (size.width * 4 + 63) / 64 * 64
    let block = HostMemory(byteCount: pitch * size.height)
    var target: [UnsafeMutablePointer<UInt8>?] = [block.base.assumingMemoryBound(to: UInt8.self), nil, nil, nil]
    var targetLines: [Int32] = [Int32(pitch), 0, 0, 0]
    let data = input.data + Array(repeating: nil, count: max(0, 4 - input.data.count))
    let lines = input.lines + Array(repeating: 0, count: max(0, 4 - input.lines.count))
    let rows = sws_scale(context, data, lines, 0, Int32(input.size.height), &target, &targetLines)
    guard rows == size.height else {
      throw Failure(.failed, attempt, cause: "libswscale failed: \(errors.reason(rows))")
    }
    let plane = HostPlane(base: block.base, bytesPerRow: pitch, rowBytes: size.width * 4, rows: size.height)
    return SmallPicture(rgba: plane.packedBytes(), size: size, time: time)
  }
}
