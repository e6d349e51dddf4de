import Decode
import Frames
import GPU
import Playback
import Render
import Session

/// One file that is being shown: everything that goes when the next one comes. The main thread's.
final class Showing {
  let path: String
  let session: RenderSession
  let play: PlaySession
  let link: any DisplayLink
  /// The display tells when pictures were seen.
  let isTold: Bool
  let feed: FrameFeed
  let duration: MediaTime?
  /// Made when the pointer is over the slider for the first time.
  private var thumbnails: ThumbnailMaker?
  private let thumbnailOptions: ThumbnailOptions
  /// The moment whose subtitles are shown.
  var subtitleTime = MediaTime.zero

  /// When it was begun.
  let began = MonotonicTime.now
  /// The next view is written into a file.
  var wantsScreenshot = false
  /// What playing goes back to when the window comes back.
  var playsWhenRestored = false
  /// The refresh before came after its last frame.
  var hasEnded = false

  /// - Parameters:
  ///   - camera, redraws: asked at each refresh where it looks, and whether that has changed.
  ///   - failed: told what decoding fails with after the first frame.
  init(
    _ clip: OpenedClip, _ path: String, _ options: RenderSession.Options, on device: DeviceOpening,
    swapchain: Swapchain, refresh: Ratio, loops: Bool, logsAll: Bool, camera: @escaping () -> Camera,
    layer: @escaping () -> QuadLayer?, redraws: @escaping () -> Bool, failed: @escaping (Failure) -> Void
  ) throws(Failure) {
    session = try RenderSession(clip, options: options, on: device)
    self.path = path
    thumbnailOptions = ThumbnailOptions(network: options.decoder.network)
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

  /// Minutes of them: more than the statistics show.
  private static let loggedViews = 8192

  /// Nothing of it is used any more.
  func end() {
    feed.stop()
    thumbnails?.stop()
    thumbnails = nil
  }

  /// The place in the clip that is shown, or sought.
  var place: MediaTime { play.clipPosition }

  /// Where it goes on when it is shown again.
  func leftAt(_ camera: Camera) -> Recovery.Place {
    Recovery.Place(path: path, time: place, camera: camera, isPlaying: play.player.wantsToPlay)
  }

  /// The end of what is decoded, as a place in the clip.
  var decodedTo: MediaTime {
    guard play.player.state != .seeking, let last = play.player.queue.last else { return place }
    return place + max(last.end - play.player.position, .zero)
  }

  /// What there is by now for a time, at once; what is missing is made meanwhile.
  func thumbnail(at time: MediaTime) -> SmallPicture? {
    let maker = thumbnails ?? ThumbnailMaker(path: path, options: thumbnailOptions)
    thumbnails = maker
    return maker.thumbnail(at: time).picture
  }
}
