import Frames

extension Record {
  /// The clip. Nil: the file does not say.
  public struct Input: Hashable, Sendable, Codable {
    /// As given on the command line, without its folder; a URL without its user and its query: `name(of:)`.
    public var name: String
    /// Of the file, in lower-case hexadecimal; nil for URLs.
    @Nullable public var sha256: String?
    /// FFmpeg's names.
    @Nullable public var container: String?
    @Nullable public var codec: String?
    @Nullable public var profile: String?
    @Nullable public var pixelFormat: String?
    @Nullable public var size: PictureSize?
    @Nullable public var sampleAspect: Ratio?
    /// Frames per second.
    @Nullable public var rate: Ratio?
    @Nullable public var frames: Int?
    @Nullable public var durationSeconds: Double?
    /// Largest distance between sync samples, in frames.
    @Nullable public var gop: Int?
    /// As applied; `guessed` names the properties that the file did not signal.
    @Nullable public var color: ColorDescription?
    /// As the file signals it; `settings.projection` is the one in use.
    @Nullable public var projection: String?
    @Nullable public var stereo: String?

    /// Everything but the name unknown.
    public init(name: String) {
      self.name = name
    }

    /// A still picture, without a frame rate.
    public var isStill: Bool {
      isStillPicture(container: container, frames: frames, seconds: durationSeconds, rate: rate?.value)
    }

    /// Frames per second: as signalled, else the average where count and duration are known.
    public var framesPerSecond: Double? {
      if let signalled = rate?.value { return signalled }
      guard let frames, let durationSeconds, frames > 0, durationSeconds > 0 else { return nil }
      return Double(frames) / durationSeconds
    }
  }
}
