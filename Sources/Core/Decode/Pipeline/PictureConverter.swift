internal import CFFmpeg
import Frames
import Media

/// Brings pixel formats that the shaders do not read to the nearest that they read, with libswscale. One thread at a time.
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
    _ frame: UnsafeMutablePointer<AVFrame>, to format: PictureFormat, color: ColorDescription, path: String
  ) throws(Failure) -> (picture: HostPicture, color: ColorDescription) {
    let source = AVPixelFormat(rawValue: frame.pointee.format)
    let size = PictureSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    var target = color
    if !keepsChroma(source, format) { target.siting = .left }
    context = sws_getCachedContext(
      context, frame.pointee.width, frame.pointee.height, source, frame.pointee.width, frame.pointee.height,
      av_get_pix_fmt(format.name), SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP | SWS_FULL_CHR_H_INT, nil,
      nil, nil)
    guard let context else {
      let name = string(av_get_pix_fmt_name(source)) ?? "unknown"
      throw Failure(
        .unsupported, "cannot convert '\(path)'", cause: "libswscale does not read pixel format '\(name)'",
        remedy: "convert the clip to yuv420p")
    }
    sws_setColorspaceDetails(
      context, color.swscaleCoefficients, color.range == .full ? 1 : 0, target.swscaleCoefficients,
      target.range == .full ? 1 : 0, 0, 1 << 16, 1 << 16)
    let picture = HostPicture(format: format, size: size)
    var data = picture.planes.map { Optional($0.base.assumingMemoryBound(to: UInt8.self)) }
    var lines = picture.planes.map { Int32($0.bytesPerRow) }
    let errors = FFmpegErrors()
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
      throw Failure(.failed, "cannot convert '\(path)'", cause: "libswscale failed: \(errors.reason(rows))")
    }
    return (picture, target)
  }

  /// Chroma samples stay where they are; resampled ones lie left.
  private func keepsChroma(_ source: AVPixelFormat, _ format: PictureFormat) -> Bool {
    guard let from = av_pix_fmt_desc_get(source)?.pointee, !isRGBFormat(from), format.planes.count > 1 else {
      return false
    }
    return Int(from.log2_chroma_w) == format.planes[1].horizontalShift
      && Int(from.log2_chroma_h) == format.planes[1].verticalShift
  }
}

extension ColorDescription {
  /// libswscale's coefficients for this matrix.
  var swscaleCoefficients: UnsafePointer<Int32>? {
    let space =
      switch matrix {
      case .fcc: SWS_CS_FCC
      case .smpte240m: SWS_CS_SMPTE240M
      case .bt601: SWS_CS_ITU601
      case .bt709: SWS_CS_ITU709
      case .bt2020: SWS_CS_BT2020
      }
    return sws_getCoefficients(space)
  }
}
