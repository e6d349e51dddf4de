import Decode
import Frames
import GPU
import Playback
import Render
import Session

/// One file being shown: all state that ends with it. Main thread only.
final class Showing {
  let path: String
  let session: RenderSession
  let play: PlaySession
  let link: any DisplayLink
  /// Whether the display reports when pictures were seen.
  let isTold: Bool
  let feed: FrameFeed
  let duration: MediaTime?
  /// Made when the pointer is first over the slider.
  private var thumbnails: ThumbnailMaker?
  /// The time whose subtitles are shown.
  var subtitleTime = MediaTime.zero

  /// When showing began.
  let began = MonotonicTime.now
  /// Write the next view to a file.
  var wantsScreenshot = false
  /// The play state to restore when the window is visible again.
  var playsWhenRestored = false
  /// The previous refresh came after the last frame.
  var hasEnded = false

  /// - Parameters:
  ///   - camera, redraws: called at each refresh: the camera, and whether any part of the view has changed.
  ///   - failed: called with a decoding failure after the first frame.
  init(
    _ clip: OpenedClip, _ path: String, _ options: RenderSession.Options, on device: DeviceOpening,
    swapchain: Swapchain, refresh: Ratio, loops: Bool, logsAll: Bool, camera: @escaping () -> Camera,
    layer: @escaping () -> QuadLayer?, redraws: @escaping () -> Bool, failed: @escaping (Failure) -> Void
  ) throws(Failure) {
    session = try RenderSession(clip, options: options, on: device)
    self.path = path
    duration = session.reader.info.durationSeconds.map { MediaTime(seconds: $0) }
    feed = FrameFeed(reader: session.reader, interruption: session.interruption, loops: loops)
    let pace = WindowPace(swapchain, rate: refresh)
    link = pace.link
    isTold = pace.isTold
    var playing = PlaySession.Options()
    playing.camera = { _ in camera() }
    playing.redraws = redraws
    playing.layer = layer
    playing.readsGPUClock = true
    playing.outlivesEnd = true
    playing.onFailure = failed
    playing.loggedViews = logsAll ? nil : Self.loggedViews
    playing.screen = pace.screen
    session.renderer.tellsInstants = true
    play = PlaySession(renderer: session.renderer, source: feed, link: link, options: playing)
  }

  /// Minutes of views: more than the statistics show.
  private static let loggedViews = 8192

  /// Closes the clip; it must not be used afterwards.
  func end() {
    feed.stop()
    thumbnails?.stop()
    thumbnails = nil
  }

  /// The position in the clip, current or sought.
  var place: MediaTime { play.clipPosition }

  /// Where to resume the clip.
  func leftAt(_ camera: Camera) -> Recovery.Place {
    Recovery.Place(path: path, time: place, camera: camera, isPlaying: play.player.wantsToPlay)
  }

  /// The end of the decoded range, as a position in the clip.
  var decodedTo: MediaTime {
    guard play.player.state != .seeking, let last = play.player.queue.last else { return place }
    return place + max(last.end - play.player.position, .zero)
  }

  /// The current thumbnail for a time, without waiting; starts making a missing one.
  func thumbnail(at time: MediaTime) -> SmallPicture? {
    let maker = thumbnails ?? ThumbnailMaker(of: session.reader.clip)
    thumbnails = maker
    return maker.thumbnail(at: time).picture
  }
}
