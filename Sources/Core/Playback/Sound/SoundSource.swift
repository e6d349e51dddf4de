import Decode
import Frames
import Media

/// Decoded sound of one track, in the order of playing. One thread at a time.
public protocol SoundSource: AnyObject {
  /// Of all samples that it gives.
  var format: SoundFormat { get }
  /// The samples that follow; nil at the end, and where `isStarving` then says that they are not loaded yet.
  func next() throws(Failure) -> AudioFrame?
  /// What comes next begins at this time of the clip, or at the first sample behind it.
  func seek(to time: MediaTime) throws(Failure)
  /// The last `next` gave nil because what follows is not loaded yet: ask again later.
  var isStarving: Bool { get }
  /// Whether samples from a time of the clip on can be had without waiting.
  func readiness(at time: MediaTime) -> SoundReadiness
}

// Of sources that have everything at hand, or wait in `next`.
extension SoundSource {
  public var isStarving: Bool { false }
  public func readiness(at time: MediaTime) -> SoundReadiness { .ready }
}

extension AudioReader: SoundSource {}
