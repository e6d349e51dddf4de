import Decode
import Frames
import GPU
import Media
import Playback
import Render
import Session
import Streaming

// What a clip is, and what it does, for who shows it: the parts that it is made of are not theirs.
extension PlayedClip {
  package var info: MediaInfo { session.reader.info }
  /// What loads it, where it is a stream of segments.
  package var loader: LoadedStream? { session.stream }
  /// The user's choice of geometry, with what an untagged picture probably is.
  package var choice: GeometryChoice { session.choice }

  // MARK: - Playing

  package var state: PlaybackState { play.player.state }
  /// Before its first picture there is no place to go from.
  package var canSeek: Bool { play.canSeek }
  /// The frame on the display.
  package var shownFrame: VideoFrame? { play.shownFrame }
  package var log: PlayLog { play.log }
  /// Media seconds per second, as the user chose.
  package var speed: Double { stream.pace.speed }
  package var stalls: StallCount { stream.stalls }

  /// At its end it starts over.
  package var loops: Bool {
    get { feed.loops }
    set { feed.loops = newValue }
  }

  /// Frames that were not decoded, since the machine was late.
  package var framesLeftOut: Int { feed.framesLeftOut }

  package func seek(to place: MediaTime) { play.seek(SeekRequest(target: place)) }
  package func stepForward() { play.stepForward() }
  package func stepBack() { play.stepBack() }

  /// Does something that waits, from within a refresh: none is missed meanwhile.
  package func resting<Result>(_ wait: () -> Result) -> Result {
    link.isPaused = true
    defer { link.isPaused = false }
    return wait()
  }

  /// The place where it was left, playing or not.
  package func restore(_ place: Recovery.Place) { place.restore(play) }

  /// Stays at its first picture.
  package func staysAtStart() { stream.start.stop() }

  // MARK: - Scrubbing

  package func beginScrubbing(_ slider: ScrubSlider) { play.beginScrubbing(slider) }
  package func scrub(to place: MediaTime) { play.scrub(to: place) }
  package func endScrubbing() { play.endScrubbing() }

  // MARK: - Refreshes

  /// Plays it until `stop`.
  package func run(
    beforeTick: (DisplayTick) -> Void, onFrame: (QueuedFrame) -> Void, onTick: (PlayTick) -> Void
  ) throws(Failure) {
    try play.run(beforeTick: beforeTick, onFrame: onFrame, onTick: onTick)
  }

  /// `run` returns behind this refresh.
  package func stop() { link.stop() }

  // MARK: - Drawing

  package var geometry: PictureGeometry { session.renderer.geometry }
  package func change(to geometry: PictureGeometry) throws(Failure) { try session.renderer.change(to: geometry) }

  /// Of its views, in pixels.
  package var size: PictureSize {
    get { session.renderer.targetSize }
    set { session.renderer.targetSize = newValue }
  }

  /// Where its views lie on the surface: one, or one for each eye.
  package var regions: (first: TargetRegion, second: TargetRegion?) { geometry.regions(in: size) }

  /// The next view is read back.
  package func capture() { play.captures = true }

  /// For statistics.
  package var milliseconds: (render: Double?, read: Double?, decode: Double?) {
    (play.renderMilliseconds, shownFrame?.timing.demuxMilliseconds, shownFrame?.timing.decodeLatencyMilliseconds)
  }
  package var queueDepth: Int { play.player.queue.count }
  /// Of the display at this moment, with what a live edge adds to the user's.
  package var displayedRate: Double { play.player.rate }
  package var deviceName: String { session.device.info.name }
  package var decoder: DecoderDescription { session.reader.decoder }
  package var upload: UploadStrategy { session.upload }
}
