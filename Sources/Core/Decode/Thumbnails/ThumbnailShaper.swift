import Frames
import Media

/// Makes thumbnails of what is decoded: of frames, and of tiles of images. One thread at a time.
package final class ThumbnailShaper {
  private let options: ThumbnailOptions
  private let scaler = PictureScaler()

  package init(_ options: ThumbnailOptions) { self.options = options }

  /// - Parameter info: of the clip that the frame is of.
  func picture(of frame: VideoFrame, _ info: MediaInfo) throws(Failure) -> SmallPicture {
    // A picture that was decoded small stands for the full one, whose shape rounding has not changed.
    let isSmall = frame.size.width < info.video.size.width && frame.size.height < info.video.size.height
    let shape = ThumbnailShape(info.video, picture: isSmall ? info.video.size : frame.size, options: options)
    let input = ScalerInput(frame, part: shape.part(of: frame.size))
    let picture = try scaler.scale(input, to: shape.size, time: frame.presentationTime, path: info.path)
    withExtendedLifetime(frame.picture) {}
    return picture.turned(by: shape.rotation, isMirrored: shape.isMirrored)
  }

  /// The first picture of packets; nil where they have none.
  package func picture(of packets: any PacketSource, _ info: MediaInfo) throws(Failure) -> SmallPicture? {
    let reader = try FrameReader(packets, info, options: DecoderOptions(threads: 1, cacheBytes: 0))
    guard let frame = try reader.next() else { return nil }
    return try picture(of: frame, info)
  }

  /// A tile of an image, as it is there; larger ones than the options' width are scaled down to it.
  ///
  /// - Parameters:
  ///   - number: of the tile, row by row from 0.
  ///   - path: of the image, for messages.
  package func tile(
    _ number: Int, columns: Int, rows: Int, ofImage bytes: [UInt8], path: String
  ) throws(Failure) -> SmallPicture {
    let image = try ImageFile.decode(bytes, path: path)
    let size = PictureSize(width: image.size.width / columns, height: image.size.height / rows)
    guard size.width > 0, size.height > 0, number >= 0, number < columns * rows else {
      throw Failure(
        .media, "cannot show a thumbnail of '\(path)'",
        cause: "its image of \(image.size) has no \(columns)x\(rows) tiles")
    }
    let tile = image.cut(column: number % columns * size.width, row: number / columns * size.height, size: size)
    guard size.width > max(1, options.width) else { return tile }
    let small = PictureSize(fitting: Double(size.width) / Double(size.height), width: options.width)
    return try scaler.shrink(tile, to: small, path: path)
  }
}
