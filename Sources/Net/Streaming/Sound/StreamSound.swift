import Frames
import Media

/// One track of a stream's sound while it is played: loaded on a thread of its own, or read from the video's segments. It is loaded until
/// the last reference is gone, or the stream is stopped.
package final class StreamSound: SoundSupply {
  package var path: String { supply.path }
  /// Of the track, among the streams of sound of a segment.
  package let number: Int
  private let supply: any SoundSupply
  private let release: @Sendable () -> Void

  init(_ supply: any SoundSupply, number: Int, release: @escaping @Sendable () -> Void) {
    (self.supply, self.number, self.release) = (supply, number, release)
  }

  deinit { release() }

  package func next() throws(Failure) -> SuppliedSound { try supply.next() }
  package func seek(to time: MediaTime, preroll: MediaTime) { supply.seek(to: time, preroll: preroll) }
  package func readiness(at time: MediaTime) -> SoundReadiness { supply.readiness(at: time) }
  package func isVideo(ofAnotherRunThan run: Int64, at place: MediaTime) -> Bool {
    supply.isVideo(ofAnotherRunThan: run, at: place)
  }
}

extension SoundStore: SoundSupply {}
