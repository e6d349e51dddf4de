import Frames
import Media

/// How a clip's picture becomes a thumbnail: which part of it, how large, how turned. Pure.
struct ThumbnailShape: Hashable {
  /// Eyes beside each other and above each other.
  var columns = 1
  var rows = 1
  /// Before it is turned.
  var size = PictureSize(width: 1, height: 1)
  var rotation = 0
  var isMirrored = false

  /// - Parameter picture: of the whole coded picture, in its full size.
  init(_ video: VideoInfo, picture: PictureSize, options: ThumbnailOptions) {
    let isSpherical = options.isSpherical ?? (video.spherical != nil)
    switch options.stereo ?? video.stereo ?? .mono {
    case .mono: break
    case .topBottom where picture.height > 1: rows = 2
    case .sideBySide where picture.width > 1: columns = 2
    case .topBottom, .sideBySide: break
    }
    if !isSpherical { (rotation, isMirrored) = (video.rotation, video.isMirrored) }
    let sample = isSpherical ? 1 : video.sampleAspect.value ?? 1
    let (width, height) = (Double(picture.width / columns) * sample, Double(picture.height / rows))
    let isUpright = rotation % 180 == 0
    let own = options.aspect ?? (isSpherical ? video.spherical?.aspect : nil)
    let shown = own ?? (isUpright ? width / height : height / width)
    let wanted = PictureSize(fitting: shown, width: options.width)
    size = isUpright ? wanted : PictureSize(width: wanted.height, height: wanted.width)
  }

  /// The part of a picture that is shown: the left eye's, which lies at its first column and row.
  func part(of picture: PictureSize) -> PictureSize {
    PictureSize(width: max(1, picture.width / columns), height: max(1, picture.height / rows))
  }

  /// No smaller decoded picture has all the thumbnail's samples.
  var leastPicture: PictureSize { PictureSize(width: size.width * columns, height: size.height * rows) }
}

extension SphericalInfo {
  /// Width over height of an equirectangular picture, however it is squeezed into samples; nil for other projections.
  fileprivate var aspect: Double? {
    projection == "equirectangular" ? 2 * (bounds.map { $0.width / $0.height } ?? 1) : nil
  }
}

extension PictureSize {
  /// - Parameter aspect: width over height; of any value, for hostile files have any.
  init(fitting aspect: Double, width: Int) {
    let width = min(max(width, 1), 4096)
    let sensible = aspect.isFinite && aspect > 0 ? aspect : 1
    let height = (Double(width) / sensible).rounded()
    guard height > Double(4 * width) else {
      self.init(width: width, height: max(1, Int(height)))
      return
    }
    self.init(width: max(1, Int((Double(4 * width) * sensible).rounded())), height: 4 * width)
  }
}
