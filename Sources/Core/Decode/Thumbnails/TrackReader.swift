import Frames
import Media

/// Thumbnails out of the images of a WebVTT track. One thread at a time; `interruption` may be used from any.
public final class TrackReader: ThumbnailSource {
  public let track: ThumbnailTrack
  /// Cues that were left out.
  public let problems: [ThumbnailTrack.Problem]
  /// Images that were read so far; each is read again only after others have taken its place.
  public private(set) var imagesRead = 0
  private let path: String
  private let options: ThumbnailOptions
  private let interruption: Interruption
  /// The last ones used, the newest last.
  private var images: [(path: String, picture: SmallPicture)] = []
  private let scaler = PictureScaler()

  /// Bytes of images that are held for the next cue.
  private static let heldBytes = 64 << 20

  /// Reads the track: a file or a URL. Throws `.media` where it has no cue.
  public init(
    path: String, options: ThumbnailOptions = ThumbnailOptions(), interruption: Interruption = Interruption()
  ) throws(Failure) {
    let bytes = try readBytes(
      path, byteLimit: ThumbnailTrack.byteLimit, network: options.network, interruption: interruption)
    (track, problems) = try ThumbnailTrack.read(bytes, path: path)
    guard !track.cues.isEmpty else {
      throw Failure(
        .media, "cannot read '\(path)'",
        cause: "it has no thumbnails" + (problems.first.map { " (\($0))" } ?? ""),
        remedy: "name a WebVTT file of thumbnails")
    }
    self.path = path
    self.options = options
    self.interruption = interruption
  }

  public var places: ThumbnailPlaces { .starts(track.starts) }

  /// As it is in the image; larger ones than the options' width are scaled down to it.
  public func picture(at time: MediaTime) throws(Failure) -> SmallPicture? {
    guard let cue = track.cue(at: time) else { return nil }
    let image = try image(try resolveImage(cue.image, track: path))
    guard let part = cue.region.map({ $0.part(of: image.size) }) ?? (0, 0, image.size) else {
      throw Failure(
        .media, "cannot show the thumbnail at \(cue.start.seconds) s of '\(path)'",
        cause: "its part \(cue.region.map { "\($0)" } ?? "") lies outside the image of \(image.size)")
    }
    var picture = image.cut(column: part.column, row: part.row, size: part.size)
    if part.size.width > max(1, options.width) {
      let size = PictureSize(fitting: Double(part.size.width) / Double(part.size.height), width: options.width)
      picture = try scaler.shrink(picture, to: size, path: path)
    }
    picture.time = cue.start
    return picture
  }

  private func image(_ path: String) throws(Failure) -> SmallPicture {
    if let position = images.firstIndex(where: { $0.path == path }) {
      images.append(images.remove(at: position))
      return images[images.count - 1].picture
    }
    let picture = try ImageFile.read(path, network: options.network, interruption: interruption)
    imagesRead += 1
    images.append((path, picture))
    while images.count > 1, images.reduce(0, { $0 + $1.picture.rgba.count }) > Self.heldBytes { images.removeFirst() }
    return picture
  }
}

extension PictureScaler {
  /// The same picture with fewer pixels.
  func shrink(_ picture: SmallPicture, to size: PictureSize, path: String) throws(Failure) -> SmallPicture {
    let block = HostMemory(byteCount: picture.rgba.count)
    block.base.copyMemory(from: picture.rgba, byteCount: picture.rgba.count)
    let input = ScalerInput(rgba: block, size: picture.size)
    return try scale(input, to: size, time: picture.time, path: path)
  }
}
