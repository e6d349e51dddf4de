/// Whether a clip is a picture rather than a video: it has one frame, by count or by its length at its rate, or it is
/// of a format for pictures that tells neither.
///
/// - Parameter container: FFmpeg's name of the format; `png_pipe` and the other `_pipe` formats are pictures.
public func isStillPicture(container: String?, frames: Int?, seconds: Double?, rate: Double?) -> Bool {
  if let frames { return frames == 1 }
  if let seconds, let rate { return seconds * rate < 1.5 }
  return seconds == nil && container?.hasSuffix("_pipe") ?? false
}
