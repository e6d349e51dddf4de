internal import CFFmpeg
import Frames

/// Keeps a decoder's picture alive.
private final class FrameReference {
  private var frame: UnsafeMutablePointer<AVFrame>?

  /// Takes over the references that `frame` holds and leaves it empty; nil when memory is short.
  init?(moving frame: UnsafeMutablePointer<AVFrame>) {
    guard let own = av_frame_alloc() else { return nil }
    av_frame_move_ref(own, frame)
    self.frame = own
  }

  deinit {
    av_frame_free(&frame)
  }
}

/// Wraps libavcodec's frame without copying, or converts it where the shaders do not read its format.
///
/// Leaves index and times to the caller. `frame` is empty afterwards unless it was converted.
func makeFrame(
  _ frame: UnsafeMutablePointer<AVFrame>, reader: FrameReader, video: VideoDecoder, converter: PictureConverter
) throws(Failure) -> VideoFrame {
  let path = reader.info.path
  let source = AVPixelFormat(rawValue: frame.pointee.format)
  let size = PictureSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
  guard size.width > 0, size.height > 0 else {
    throw Failure(.media, "cannot decode '\(path)'", cause: "a frame has no size", remedy: "the file is damaged")
  }
  var color = colorDescription(
    matrix: frame.pointee.colorspace, range: frame.pointee.color_range, siting: frame.pointee.chroma_location,
    primaries: frame.pointee.color_primaries, transfer: frame.pointee.color_trc, format: source, size: size)
  let isKey = bench_frame_is_key(frame) != 0
  let isInterlaced = bench_frame_is_interlaced(frame) != 0
  let isCorrupt = bench_frame_is_corrupt(frame) != 0

  let picture: HostPicture
  var convertedFrom: String?
  let format = directFormat(source) ?? .yuv420p
  if directFormat(source) != nil {
    let planes = hostPlanes(frame, format: format, size: size)
    let allocation = video.allocation(of: frame, planes: planes).flatMap { $0.request.size == size ? $0 : nil }
    guard let reference = FrameReference(moving: frame) else {
      throw Failure(.failed, "cannot decode '\(path)'", cause: "out of memory")
    }
    picture = HostPicture(planes: planes, owner: reference, allocation: allocation)
  } else {
    convertedFrom = string(av_get_pix_fmt_name(source)) ?? "unknown"
    (picture, color) = try converter.convert(frame, color: color, path: path)
  }
  return VideoFrame(
    index: 0, presentationTime: .zero, duration: .zero, isKeyFrame: isKey, isInterlaced: isInterlaced,
    isCorrupt: isCorrupt, format: format, size: size, color: color, picture: picture, convertedFrom: convertedFrom)
}

private func hostPlanes(
  _ frame: UnsafeMutablePointer<AVFrame>, format: PictureFormat, size: PictureSize
) -> [HostPlane] {
  let data = [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2]
  let lines = [frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2]
  return zip(format.planes, zip(data, lines)).compactMap { plane, memory in
    guard let base = memory.0 else { return nil }
    let planeSize = plane.size(of: size)
    return HostPlane(
      base: UnsafeMutableRawPointer(base), bytesPerRow: Int(memory.1),
      rowBytes: planeSize.width * plane.bytesPerTexel, rows: planeSize.height)
  }
}
