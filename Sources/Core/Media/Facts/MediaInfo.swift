import Frames

/// The facts of a file, and assumptions where it is silent. Values only; they do not keep the file open.
public struct MediaInfo: Sendable, Codable {
  public var path: String
  /// FFmpeg's short name of the container format, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  public var container: String
  /// Nil when neither the container nor a stream says.
  public var durationSeconds: Double?
  public var bitRate: Int64?
  /// It is sent while it is made: it has no end to know of, and no other place than the present one can be read.
  public var isLive: Bool
  public var streams: [StreamInfo]
  public var video: VideoInfo
  /// All streams of sound, also the ones that cannot be played.
  public var audio: [AudioTrack]
  /// Streams of subtitles. `probe` itself leaves out files beside the clip: `SideSubtitles` finds them.
  public var subtitles: [SubtitleTrack]
  /// In order of time.
  public var chapters: [Chapter]
  /// Set for clips made by `bench360 generate`.
  public var synthetic: SyntheticTag?

  /// The input is a URL on the network.
  public var isRemote: Bool { MediaLocation(path).isRemote }

  /// There is no video: black pictures stand in for it while the sound is played.
  public var isSoundOnly: Bool { video.streamIndex < 0 }

  /// It holds one picture, which no frame rate belongs to.
  public var isStill: Bool {
    isStillPicture(
      container: container, frames: video.frameCount, seconds: durationSeconds, rate: video.frameRate.value)
  }
}

/// One elementary stream of any kind.
public struct StreamInfo: Sendable, Codable {
  public var index: Int
  /// `video`, `audio`, `subtitle`, `data`, `attachment` or `unknown`.
  public var kind: String
  public var isAudio: Bool { kind == "audio" }
  public var codec: String
  public var language: String?
}

/// A file's description of how its picture covers the sphere.
public struct SphericalInfo: Sendable, Codable, Hashable {
  /// Which of Google's two schemes it was said in.
  public enum Source: String, Sendable, Codable, CaseIterable { case v1, v2 }

  /// `equirectangular`, `cubemap`, `mesh` (V2's `mshp`, which is not read), `unstitched` (V1: still one picture per
  /// lens), a word of V1's own, or `unknown`.
  public var projection: String
  /// The part of the sphere that one eye's picture covers; nil: all of it.
  public var bounds: SphereBounds?
  /// How the content is turned; V2 only.
  public var pose: Pose
  /// Where to look first; V1 only, nil when it does not say.
  public var initialView: InitialView?
  /// V2's number of a cubemap's arrangement of faces.
  public var layout: Int?
  /// Pixels around each face of a cubemap.
  public var padding: Int?
  /// Nil when FFmpeg does not tell, as for an MP4 from the network.
  public var source: Source?
  /// V2's projection that is not read, where V1's description is used in its place.
  public var insteadOf: String?

  public init(
    projection: String, bounds: SphereBounds? = nil, pose: Pose = .none, initialView: InitialView? = nil,
    source: Source? = nil
  ) {
    self.projection = projection
    self.bounds = bounds
    self.pose = pose
    self.initialView = initialView
    self.source = source
  }
}

/// Where a viewer is to look first, in degrees: heading + to the right, pitch + up, roll + clockwise (V1 RFC).
public struct InitialView: Sendable, Codable, Hashable {
  public var heading: Double
  public var pitch: Double
  public var roll: Double

  public init(heading: Double = 0, pitch: Double = 0, roll: Double = 0) {
    self.heading = heading
    self.pitch = pitch
    self.roll = roll
  }
}

/// How far sync samples lie apart, and what else the container's index tells of its samples.
public struct GroupOfPictures: Sendable, Codable, Hashable {
  public var syncSamples: Int
  /// Counted where `isCounted`, else the seconds times the frame rate.
  public var averageFrames: Double
  public var longestFrames: Int
  public var averageSeconds: Double
  public var longestSeconds: Double
  /// The index has every sample, as that of MP4 has; that of Matroska has sync samples only.
  public var isCounted: Bool
  /// Samples last differently long; nil where the index has not every sample.
  public var hasVariableRate: Bool?
}

extension MediaInfo {
  /// Throws `.encrypted` for video that cannot be decoded without a key.
  public func refuseLocked() throws(Failure) {
    guard video.isEncrypted else { return }
    guard let key = video.keyIdentifier else {
      throw Failure(
        .encrypted, "cannot decode '\(path)'", cause: "its video is encrypted", remedy: "use an unprotected copy")
    }
    throw Failure(
      .encrypted, "cannot decode '\(path)'", cause: "its video is encrypted, and there is no key \(key)",
      remedy: "give it with --key or --key-file, or use an unprotected copy")
  }
}
