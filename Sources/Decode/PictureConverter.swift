internal import CFFmpeg
import Frames

/// Brings pixel formats that the shaders do not read to 8-bit 4:2:0, with libswscale. One thread at a time.
final class PictureConverter {
  private var context: OpaquePointer?
  private var lastName: (format: AVPixelFormat, name: String)?

  deinit {
    sws_freeContext(context)
  }

  /// FFmpeg's name of a pixel format.
  func name(of format: AVPixelFormat) -> String {
    if let lastName, lastName.format == format { return lastName.name }
    let name = string(av_get_pix_fmt_name(format)) ?? "unknown"
    lastName = (format, name)
    return name
  }

  /// A picture of our own memory, and the colour its samples now have.
  func convert(
    _ frame: UnsafeMutablePointer<AVFrame>, color: ColorDescription, path: String
  ) throws(Failure) -> (picture: HostPicture, color: ColorDescription) {
    let source = AVPixelFormat(rawValue: frame.pointee.format)
    let size = PictureSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    let target = targetColor(color, source)
    context = sws_getCachedContext(
      context, frame.pointee.width, frame.pointee.height, source, frame.pointee.width, frame.pointee.height,
      AV_PIX_FMT_YUV420P, SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP, nil, nil, nil)
    guard let context else {
      let name = string(av_get_pix_fmt_name(source)) ?? "unknown"
      throw Failure(
        .unsupported, "cannot convert '\(path)'", cause: "libswscale does not read pixel format '\(name)'",
        remedy: "convert the clip to yuv420p")
    }
    sws_setColorspaceDetails(
      context, color.swscaleCoefficients, color.range == .full ? 1 : 0, target.swscaleCoefficients,
      target.range == .full ? 1 : 0, 0, 1 << 16, 1 << 16)
    let picture = HostPicture(format: .yuv420p, size: size)
    var data = picture.planes.map { Optional($0.base.assumingMemoryBound(to: UInt8.self)) }
    var lines = picture.planes.map { Int32($0.bytesPerRow) }
    let rows = withUnsafePointer(to: &frame.pointee.data) { tuple in
      tuple.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 8) { input in
        withUnsafePointer(to: &frame.pointee.linesize) { strides in
          strides.withMemoryRebound(to: Int32.self, capacity: 8) { inputLines in
            sws_scale(context, input, inputLines, 0, frame.pointee.height, &data, &lines)
          }
        }
      }
    }
    guard rows == frame.pointee.height else {
      throw Failure(.failed, "cannot convert '\(path)'", cause: "libswscale failed: \(ffmpegReason(rows))")
    }
    return (picture, target)
  }

  /// R'G'B' becomes limited BT.709; YCbCr keeps its matrix and range. Resampled chroma is sited left.
  private func targetColor(_ color: ColorDescription, _ source: AVPixelFormat) -> ColorDescription {
    var target = color
    if let descriptor = av_pix_fmt_desc_get(source), descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 {
      target.matrix = .bt709
      target.range = .limited
    }
    target.siting = .left
    return target
  }
}
