/// What frames that follow on each other in a stream have in common. It may change in mid-stream: a consumer compares the
/// frame that it has with the one before.
///
/// Frames that have it in common share the instance, also after a seek to where it was before: comparing identities is enough.
/// Never written once it is made; any thread.
public final class StreamFormat: Sendable {
  /// FFmpeg's name.
  public let codec: String
  public let format: PictureFormat
  public let size: PictureSize
  /// But for the peak luminance, which may change from frame to frame.
  public let color: ColorDescription
  /// Width of a sample over its height, where it is another one than the stream began with; nil: as the clip says.
  public let sampleAspect: Double?

  public init(
    codec: String, format: PictureFormat, size: PictureSize, color: ColorDescription, sampleAspect: Double? = nil
  ) {
    (self.codec, self.format, self.size) = (codec, format, size)
    (self.color, self.sampleAspect) = (color, sampleAspect)
  }
}

extension StreamFormat: CustomStringConvertible {
  /// `h264 640x360 yuv420p, bt709 limited`.
  public var description: String {
    let aspect = sampleAspect.map { ", sample aspect \(($0 * 1000).rounded() / 1000)" } ?? ""
    return "\(codec) \(size) \(format.name), \(color.matrix.rawValue) \(color.range.rawValue)\(aspect)"
  }
}
