import Adaptation
import Frames
import Testing

import Streaming

/// The segments between the loader and the reader.
@Suite struct SegmentStoreTests {
  /// The packager began again when the video had one more segment of the old run than the sound. The player shows that segment to its end,
  /// although the new run begins earlier. Sound of the new run must not wait for video of the new run there: video is decoded only a little
  /// ahead of the sound, and both would wait for ever.
  @Test func aRunIsPlayedToItsEndBeforeTheNext() throws {
    let store = SegmentStore(path: "live", container: "hls", synthetic: nil, load: LoadPolicy(), start: .zero)
    for (run, start, end) in [(0, 34.5, 35.5), (0, 35.5, 36), (1, 35.45, 36.45)] {
      let segment = MediaSegment(
        bytes: SegmentBytes("\(start)"), coding: 0, start: MediaTime(seconds: start), clock: .run(Int64(run)))
      store.begin(segment, end: MediaTime(seconds: end), isProgressive: false, turn: 0)
      store.complete(segment, turn: 0)
    }
    _ = try store.next(unless: Interruption(), orSuperseded: false)
    func isOther(_ seconds: Double) -> Bool {
      store.isVideo(ofAnotherRunThan: 1, at: MediaTime(seconds: seconds))
    }
    #expect(isOther(34) && isOther(35.46) && isOther(35.8))
    // The video of the new run is about to be decoded.
    #expect(!isOther(35.95) && !isOther(36.2))
  }
}
