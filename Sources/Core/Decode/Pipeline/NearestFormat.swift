internal import CFFmpeg
import Frames
import Media

/// The format that shaders read, when they can read this one as it is. FFmpeg's names are ours.
func directFormat(_ format: AVPixelFormat) -> PictureFormat? {
  directFormats.first { $0.0 == format }?.1
}

func directFormat(_ format: AVPixelFormat, allowsDeep: Bool) -> PictureFormat? {
  directFormat(format).flatMap { $0.isDeep && !allowsDeep ? nil : $0 }
}

private let directFormats: [(AVPixelFormat, PictureFormat)] =
  PictureFormat.all.map { (av_get_pix_fmt($0.name), $0) } + [
    (AV_PIX_FMT_YUVJ420P, .planar(.both, bitDepth: 8)), (AV_PIX_FMT_YUVJ422P, .planar(.horizontal, bitDepth: 8)),
    (AV_PIX_FMT_YUVJ444P, .planar(.none, bitDepth: 8)),
  ]

/// The format that shaders read and that loses least of another: no chroma sample, and no bit up to 12.
///
/// - Parameter allowsDeep: samples of more than 8 bits can be shown.
func nearestFormat(to format: AVPixelFormat, allowsDeep: Bool) -> PictureFormat {
  guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return .yuv420p }
  let bitDepth = allowsDeep ? nearestDepth(descriptor) : 8
  if isRGBFormat(descriptor) { return .planar(.none, bitDepth: bitDepth) }
  if descriptor.nb_components <= 2 { return .grey(bitDepth: bitDepth) }
  // 4:4:0 has no row here: all its columns are kept with 4:4:4, those of 4:1:1 with 4:2:2.
  let subsampling: PictureFormat.Subsampling =
    descriptor.log2_chroma_w == 0 ? .none : descriptor.log2_chroma_h == 0 ? .horizontal : .both
  return .planar(subsampling, bitDepth: bitDepth)
}

extension VideoInfo {
  /// What frames will be in, as far as the file says it before decoding.
  ///
  /// - Parameter allowsDeep: as `FrameReader.allowsDeepSamples`.
  public func shownFormat(allowsDeep: Bool) -> PictureFormat {
    let format = coding.pixelFormat.map { av_get_pix_fmt($0) } ?? AV_PIX_FMT_YUV420P
    return directFormat(format, allowsDeep: allowsDeep) ?? nearestFormat(to: format, allowsDeep: allowsDeep)
  }
}

private func nearestDepth(_ descriptor: AVPixFmtDescriptor) -> Int {
  let isPalette = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
  let bits = isPalette ? 8 : Int(descriptor.comp.0.depth)
  return bits > 10 ? 12 : bits > 8 ? 10 : 8
}
