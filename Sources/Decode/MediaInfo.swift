import Frames

/// What a file is and what would be assumed about it. Values only; nothing here keeps the file open.
public struct MediaInfo: Sendable, Codable {
  public var path: String
  /// FFmpeg's short name of the container format, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  public var container: String
  /// Nil when neither the container nor a stream says.
  public var durationSeconds: Double?
  public var bitRate: Int64?
  public var streams: [StreamInfo]
  public var video: VideoInfo
  /// Set for clips made by `bench360 generate`.
  public var synthetic: SyntheticTag?
}

/// One elementary stream, whatever its kind.
public struct StreamInfo: Sendable, Codable {
  public var index: Int
  /// `video`, `audio`, `subtitle`, `data`, `attachment` or `unknown`.
  public var kind: String
  public var codec: String
  public var language: String?
}

/// The video stream that would be shown.
public struct VideoInfo: Sendable, Codable {
  public var streamIndex: Int
  public var codec: String
  public var profile: String?
  /// FFmpeg's name of the decoder that would be used.
  public var decoder: String
  /// FFmpeg's name of the pixel format; nil when the file does not say before decoding.
  public var pixelFormat: String?
  public var size: PictureSize
  /// Width of a sample over its height; 1/1 when unknown.
  public var sampleAspect: Ratio
  /// Clockwise turn a player applies: 0, 90, 180 or 270 degrees.
  public var rotation: Int
  /// Left and right change places before that turn.
  public var isMirrored: Bool
  public var frameRate: Ratio
  /// As the container counts them; nil when it does not.
  public var frameCount: Int?
  public var isInterlaced: Bool
  public var color: ColorDescription
  public var spherical: SphericalInfo?
  public var stereo: StereoLayout?
  /// Spacing of sync samples, from the container's index; nil when there is none.
  public var groupOfPictures: GroupOfPictures?
  /// The samples are encrypted and cannot be decoded.
  public var isEncrypted: Bool
}

/// Spherical metadata as FFmpeg exposes it. Pose in degrees: yaw and pitch counter-clockwise, roll clockwise.
public struct SphericalInfo: Sendable, Codable, Hashable {
  /// `equirectangular`, `cubemap`, `tiled-equirectangular` or `unknown`.
  public var projection: String
  public var yaw: Double
  public var pitch: Double
  public var roll: Double
}

/// How far sync samples lie apart, in frames.
public struct GroupOfPictures: Sendable, Codable, Hashable {
  public var syncSamples: Int
  public var averageFrames: Double
  public var longestFrames: Int
}
