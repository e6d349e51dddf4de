internal import CFFmpeg
import Frames

/// The video stream that would be shown.
///
/// What its parts say is said of it: `video.codec`, `video.size`, `video.stereo`. It is encoded as if it had no parts.
@dynamicMemberLookup
public struct VideoInfo: Sendable {
  public var streamIndex: Int
  public var coding: VideoCoding
  public var shape: PictureShape
  public var coverage: PictureCoverage
  public var frameRate: Ratio
  /// As the container counts them; nil when it does not.
  public var frameCount: Int?
  public var color: ColorDescription
  /// Spacing of sync samples, from the container's index; nil when there is none.
  public var groupOfPictures: GroupOfPictures?

  public subscript<Value>(dynamicMember path: WritableKeyPath<VideoCoding, Value>) -> Value {
    get { coding[keyPath: path] }
    set { coding[keyPath: path] = newValue }
  }

  public subscript<Value>(dynamicMember path: WritableKeyPath<PictureShape, Value>) -> Value {
    get { shape[keyPath: path] }
    set { shape[keyPath: path] = newValue }
  }

  public subscript<Value>(dynamicMember path: WritableKeyPath<PictureCoverage, Value>) -> Value {
    get { coverage[keyPath: path] }
    set { coverage[keyPath: path] = newValue }
  }

  /// The pixel format has an alpha channel, which is not drawn.
  public var hasAlpha: Bool {
    guard let name = coding.pixelFormat, let description = av_pix_fmt_desc_get(av_get_pix_fmt(name)) else {
      return false
    }
    // Palettes may have one, and hardly any has.
    return description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL)
      == UInt64(AV_PIX_FMT_FLAG_ALPHA)
  }
}

/// How a stream of video is coded.
public struct VideoCoding: Sendable, Codable {
  /// FFmpeg's name.
  public var codec: String
  public var profile: String?
  /// FFmpeg's name of the decoder that would be used.
  public var decoder: String
  /// FFmpeg's name of the pixel format; nil when the file does not say before decoding.
  public var pixelFormat: String?
  public var isInterlaced: Bool
  /// There are enhancements by Dolby Vision, which are left out: the base layer is shown as it is signalled.
  public var isDolbyVision: Bool
  /// The samples are encrypted, and there is no key for them.
  public var isEncrypted: Bool
  /// Of the key of samples that are encrypted, hexadecimal; nil: they are not, or the file does not tell.
  public var keyIdentifier: String?
}

/// How a flat picture is displayed.
public struct PictureShape: Sendable, Codable {
  public var size: PictureSize
  /// Width of a sample over its height; 1/1 when unknown.
  public var sampleAspect: Ratio
  /// Clockwise turn a player applies: 0, 90, 180 or 270 degrees.
  public var rotation: Int
  /// Left and right change places before that turn.
  public var isMirrored: Bool
}

/// What a picture shows of a sphere, and to which eye.
public struct PictureCoverage: Sendable, Codable {
  public var spherical: SphericalInfo?
  public var stereo: StereoLayout?
  /// The file holds both eyes as MV-HEVC (`lhvC`); only its base view, the one eye that every decoder gives, is decoded.
  public var isMultiview: Bool
}

extension VideoInfo: Codable {
  private enum CodingKeys: CodingKey { case streamIndex, frameRate, frameCount, color, groupOfPictures }

  public init(from decoder: Decoder) throws {
    let own = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      streamIndex: own.decode(Int.self, forKey: .streamIndex), coding: VideoCoding(from: decoder),
      shape: PictureShape(from: decoder), coverage: PictureCoverage(from: decoder),
      frameRate: own.decode(Ratio.self, forKey: .frameRate),
      frameCount: own.decodeIfPresent(Int.self, forKey: .frameCount),
      color: own.decode(ColorDescription.self, forKey: .color),
      groupOfPictures: own.decodeIfPresent(GroupOfPictures.self, forKey: .groupOfPictures))
  }

  public func encode(to encoder: Encoder) throws {
    try coding.encode(to: encoder)
    try shape.encode(to: encoder)
    try coverage.encode(to: encoder)
    var own = encoder.container(keyedBy: CodingKeys.self)
    try own.encode(streamIndex, forKey: .streamIndex)
    try own.encode(frameRate, forKey: .frameRate)
    try own.encodeIfPresent(frameCount, forKey: .frameCount)
    try own.encode(color, forKey: .color)
    try own.encodeIfPresent(groupOfPictures, forKey: .groupOfPictures)
  }
}
