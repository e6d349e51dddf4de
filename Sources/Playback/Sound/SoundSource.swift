import Decode
import Frames

/// Decoded sound of one track, in the order of playing. One thread at a time.
public protocol SoundSource: AnyObject {
  /// Of all samples that it gives.
  var format: SoundFormat { get }
  /// The samples that follow; nil at the end.
  func next() throws(Failure) -> AudioFrame?
  /// What comes next begins at this time of the clip, or at the first sample behind it.
  func seek(to time: MediaTime) throws(Failure)
}

extension AudioReader: SoundSource {}
