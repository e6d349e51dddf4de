import Decode
import Frames
import GPU
import Media
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
  /// The readers of its tracks; no sound where none is played.
  private let readers: (pictures: FrameFeed, sound: ShownSound?)
  /// Made when the pointer is first over the slider.
  private var thumbnails: (maker: ThumbnailMaker, options: ThumbnailOptions)?
  /// The projection that it was opened with.
  let opened: Projection
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
  /// The part that is played again and again.
  var loop = ABLoop()
  var stream: ShownStream

  /// - Parameters:
  ///   - camera, redraws: called at each refresh: the camera, and whether any part of the view has changed.
  ///   - failed: called with a decoding failure after the first frame.
  init(
    _ clip: OpenedClip, _ path: String, _ options: RenderSession.Options, on device: DeviceOpening,
    swapchain: Swapchain, refresh: Ratio, loops: Bool, logsAll: Bool, camera: @escaping () -> Camera,
    sound: ShownSound?, layer: @escaping () -> QuadLayer?, redraws: @escaping () -> Bool,
    failed: @escaping (Failure) -> Void
  ) throws(Failure) {
    session = try RenderSession(clip, options: options, on: device)
    self.path = path
    opened = session.renderer.geometry.projection
    stream = ShownStream(holdsStart: session.stream != nil)
    let feed = FrameFeed(reader: session.reader, interruption: session.interruption, loops: loops)
    readers = (feed, sound)
    let pace = WindowPace(swapchain, rate: refresh)
    link = pace.link
    isTold = pace.isTold
    var playing = PlaySession.Options()
    playing.start = stream.buffering.holdsStart ? .whenAsked : .atOnce
    playing.camera = { _ in camera() }
    playing.redraws = redraws
    playing.layer = layer
    playing.readsGPUClock = true
    playing.outlivesEnd = true
    playing.onFailure = failed
    // Within the window of a live stream that is loaded here.
    playing.canSeek = !session.reader.info.isLive || session.stream != nil
    playing.loggedViews = logsAll ? nil : Self.loggedViews
    playing.screen = pace.screen
    if let sound { playing.clock = sound.player.clock }
    session.renderer.tellsInstants = true
    play = PlaySession(renderer: session.renderer, source: feed, link: link, options: playing)
  }

  /// Minutes of views: more than the statistics show.
  private static let loggedViews = 8192

  /// Closes the clip; it must not be used afterwards.
  func end() {
    sound?.stop()
    feed.stop()
    session.stream?.stop()
    thumbnails?.maker.stop()
    thumbnails = nil
  }

  var feed: FrameFeed { readers.pictures }
  var sound: ShownSound? { readers.sound }

  var duration: MediaTime? { session.reader.info.durationSeconds.map { MediaTime(seconds: $0) } }

  /// The position in the clip, current or sought.
  var place: MediaTime { play.clipPosition }

  /// Where to resume the clip.
  func leftAt(_ camera: Camera) -> Recovery.Place {
    Recovery.Place(path: path, time: place, camera: camera, isPlaying: play.player.wantsToPlay)
  }

  /// The end of what is loaded of a stream, else of the decoded range, as a position in the clip.
  var loadedTo: MediaTime {
    if let stream = session.stream { return max(place, stream.loadedEnd) }
    guard play.player.state != .seeking, let last = play.player.queue.last else { return place }
    return place + max(last.end - play.player.position, .zero)
  }

  /// The current thumbnail for a time, without waiting; starts making a missing one.
  func thumbnail(at time: MediaTime) -> SmallPicture? {
    guard !session.reader.info.isSoundOnly else { return nil }
    let options = ThumbnailOptions(session.renderer.geometry)
    let made = thumbnails.flatMap { $0.options == options ? $0.maker : nil }
    guard let maker = made ?? newMaker(options) else { return nil }
    // Another geometry shows another part of the picture.
    if made == nil { thumbnails?.maker.stop() }
    thumbnails = (maker, options)
    return maker.thumbnail(at: time).picture
  }
}

extension Showing {
  /// Nil for a stream whose manifest names no small pictures.
  private func newMaker(_ options: ThumbnailOptions) -> ThumbnailMaker? {
    guard let stream = session.stream else {
      return session.reader.clip.map { ThumbnailMaker(of: $0, options: options) }
    }
    guard stream.hasPreviews else { return nil }
    let interruption = Interruption()
    return ThumbnailMaker(
      interruption: interruption,
      open: { () throws(Failure) in
        try StreamThumbnails(of: stream, options: options, interruption: interruption)
      })
  }
}

extension ThumbnailOptions {
  /// One eye of a picture in the shape in which the geometry takes it.
  package init(_ geometry: PictureGeometry) {
    self.init(stereo: geometry.stereo, isSpherical: geometry.projection.usesCamera, aspect: geometry.sphereAspect)
  }
}

extension PictureGeometry {
  /// Width over height of one eye's picture of a sphere; nil: that of its samples.
  fileprivate var sphereAspect: Double? {
    switch projection {
    case .equirectangular, .littlePlanet: 2 * (bounds.map { $0.width / $0.height } ?? 1)
    case .halfEquirectangular: 1
    default: nil
    }
  }
}
