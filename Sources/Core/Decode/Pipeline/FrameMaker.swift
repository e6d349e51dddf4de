internal import CFFmpeg
import Frames
import Media

/// Makes frames of what a decoder gives: without copying, or converted where the shaders do not read a format.
///
/// One thread at a time; the frames may go anywhere.
final class FrameMaker {
  /// Whether frames may have samples of more than 8 bits; else libswscale makes 8 bits of them.
  var allowsDeepSamples = true
  /// The brightest that the picture means to be, as the file last said: streams and frames say it by turns.
  private var peak: Double?
  /// The formats seen so far, the latest first.
  private var formats: [StreamFormat] = []
  /// Of the first frame: width of a sample over its height, as the codec says.
  private var firstAspect: Double?
  private let converter = PictureConverter()
  private let pictures = DecodedPictures()

  /// - Parameter peak: as the stream says.
  init(peak: Double?) { self.peak = peak }

  /// Gives back the samples of pictures that are no longer held.
  func sweep() { pictures.sweep() }

  /// Leaves index, times and timing to the caller. `frame` is empty afterwards unless it was converted.
  func make(
    _ frame: UnsafeMutablePointer<AVFrame>, from video: VideoDecoder, path: String
  ) throws(Failure) -> VideoFrame {
    peak = peakNits(frame) ?? peak
    // Read before the samples are taken over: that leaves the frame empty.
    let aspect = Ratio(frame.pointee.sample_aspect_ratio).value
    var result = try wrap(frame, from: video, path: path)
    result.stream = streamFormat(of: result, codec: video.codec, aspect)
    result.color.peakNits = peak
    return result
  }

  /// - Parameter frame: without a peak luminance.
  private func streamFormat(of frame: VideoFrame, codec: String, _ aspect: Double?) -> StreamFormat {
    if formats.isEmpty { firstAspect = aspect }
    let own = aspect == firstAspect ? nil : aspect ?? 1
    if let last = formats.first, last.isOf(frame, codec, own) { return last }
    let format =
      formats.first { $0.isOf(frame, codec, own) }
      ?? StreamFormat(codec: codec, format: frame.format, size: frame.size, color: frame.color, sampleAspect: own)
    formats.removeAll { $0 === format }
    formats.insert(format, at: 0)
    return format
  }

  private func wrap(
    _ frame: UnsafeMutablePointer<AVFrame>, from video: VideoDecoder, path: String
  ) throws(Failure) -> VideoFrame {
    let source = AVPixelFormat(rawValue: frame.pointee.format)
    let size = PictureSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    if let shared = SharedFrame.attached(to: frame) { return wrapShared(frame, shared) }
    guard size.width > 0, size.height > 0 else {
      throw Failure(.media, "cannot decode '\(path)'", cause: "a frame has no size", remedy: "the file is damaged")
    }
    var color = colorOf(frame, source, size)
    let isKey = bench_frame_is_key(frame) != 0
    let isInterlaced = bench_frame_is_interlaced(frame) != 0
    let isCorrupt = bench_frame_is_corrupt(frame) != 0

    let picture: HostPicture
    var convertedFrom: String?
    let direct = directFormat(source, allowsDeep: allowsDeepSamples)
    let format = direct ?? nearestFormat(to: source, allowsDeep: allowsDeepSamples)
    if direct != nil {
      let planes = hostPlanes(frame, format: format, size: size)
      let allocation = video.allocation(of: frame, planes: planes).flatMap { $0.request.size == size ? $0 : nil }
      guard let taken = pictures.take(frame, planes: planes, allocation: allocation) else {
        throw Failure(.failed, "cannot decode '\(path)'", cause: "out of memory")
      }
      picture = taken
    } else {
      convertedFrom = converter.name(of: source)
      (picture, color) = try converter.convert(frame, to: format, color: color, path: path)
    }
    return VideoFrame(
      index: 0, presentationTime: .zero, duration: .zero, isKeyFrame: isKey, isInterlaced: isInterlaced,
      isCorrupt: isCorrupt, format: format, size: size, color: color, picture: picture, convertedFrom: convertedFrom)
  }
}

extension StreamFormat {
  fileprivate func isOf(_ frame: VideoFrame, _ codec: String, _ aspect: Double?) -> Bool {
    format == frame.format && size == frame.size && color == frame.color && self.codec == codec
      && sampleAspect == aspect
  }
}

/// A frame that is shared with the device that draws; it goes with its last reference, not with `frame`.
private func wrapShared(_ frame: UnsafeMutablePointer<AVFrame>, _ shared: SharedFrame) -> VideoFrame {
  let format = av_get_pix_fmt(shared.format.name)
  return VideoFrame(
    index: 0, presentationTime: .zero, duration: .zero, isKeyFrame: bench_frame_is_key(frame) != 0,
    isInterlaced: bench_frame_is_interlaced(frame) != 0, isCorrupt: bench_frame_is_corrupt(frame) != 0,
    format: shared.format, size: shared.size, color: colorOf(frame, format, shared.size),
    picture: HostPicture(planes: PlaneList(), owner: shared, allocation: shared.allocation))
}

/// - Parameter format: of the samples.
private func colorOf(
  _ frame: UnsafeMutablePointer<AVFrame>, _ format: AVPixelFormat, _ size: PictureSize
) -> ColorDescription {
  colorDescription(
    matrix: frame.pointee.colorspace, range: frame.pointee.color_range, siting: frame.pointee.chroma_location,
    primaries: frame.pointee.color_primaries, transfer: frame.pointee.color_trc, format: format, size: size)
}

private func hostPlanes(
  _ frame: UnsafeMutablePointer<AVFrame>, format: PictureFormat, size: PictureSize
) -> PlaneList {
  let data = frame.pointee.data
  let lines = frame.pointee.linesize
  var planes = PlaneList()
  func append(_ index: Int, _ base: UnsafeMutablePointer<UInt8>?, _ bytesPerRow: Int32) {
    guard index < format.planes.count, let base else { return }
    let plane = format.planes[index]
    let planeSize = plane.size(of: size)
    planes.append(
      HostPlane(
        base: UnsafeMutableRawPointer(base), bytesPerRow: Int(bytesPerRow),
        rowBytes: planeSize.width * plane.bytesPerTexel, rows: planeSize.height))
  }
  append(0, data.0, lines.0)
  append(1, data.1, lines.1)
  append(2, data.2, lines.2)
  return planes
}

/// The pictures that a decoder has given out, each used again once its last holder let go: in the steady state a frame
/// allocates nothing. One thread at a time; the pictures themselves may go anywhere.
///
/// A picture without a holder gives its samples back to the decoder when the next one is taken, or at `sweep`.
final class DecodedPictures {
  private struct Entry {
    var picture: HostPicture
    let reference: FrameReference
  }
  private var entries: [Entry] = []

  /// Takes over the references that `frame` holds and leaves it empty; nil when memory is short.
  func take(
    _ frame: UnsafeMutablePointer<AVFrame>, planes: PlaneList, allocation: PictureAllocation?
  ) -> HostPicture? {
    if let free = sweep() {
      entries[free].reference.move(frame)
      entries[free].picture.refill(planes: planes, allocation: allocation)
      return entries[free].picture
    }
    guard let reference = FrameReference() else { return nil }
    reference.move(frame)
    let picture = HostPicture(planes: planes, owner: reference, allocation: allocation)
    entries.append(Entry(picture: picture, reference: reference))
    return picture
  }

  /// Releases the samples of all pictures without a holder; returns the index of one of them.
  @discardableResult
  func sweep() -> Int? {
    var free: Int?
    for index in entries.indices where isKnownUniquelyReferenced(&entries[index].picture) {
      entries[index].picture.refill(planes: PlaneList(), allocation: nil)
      entries[index].reference.drop()
      free = index
    }
    return free
  }
}

/// Keeps a decoder's samples alive.
private final class FrameReference {
  private var frame: UnsafeMutablePointer<AVFrame>?

  init?() {
    guard let made = av_frame_alloc() else { return nil }
    frame = made
  }

  deinit {
    av_frame_free(&frame)
  }

  func move(_ other: UnsafeMutablePointer<AVFrame>) {
    av_frame_move_ref(frame, other)
  }

  func drop() {
    av_frame_unref(frame)
  }
}
