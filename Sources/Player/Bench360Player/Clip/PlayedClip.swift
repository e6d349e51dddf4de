import Decode
import Frames
import GPU
import Media
import Playback
import Render
import Session

/// One clip that is played: all state that ends with it. One thread, which is its display link's while it plays.
package final class PlayedClip {
  package let path: String
  /// For who measures it; all else has a member of its own.
  package let session: RenderSession
  let play: PlaySession
  package let display: ClipDisplay
  /// The readers of its tracks; no sound where none is played.
  private let readers: (pictures: FrameFeed, sound: ClipSound?)
  /// Made when the first small picture is asked for.
  private var thumbnails: (maker: ThumbnailMaker, options: ThumbnailOptions)?
  package var stream: PlayedStream

  /// The caller's choices for a clip that is played.
  package struct Options {
    /// Begins to play as soon as it can: else with `startPlaying`.
    package var plays = true
    /// Starts over at the end.
    package var loops = false
    /// Nil: all views are logged.
    package var loggedViews: Int?
    /// New frames are read back: offscreen alone.
    package var readsPixels = false
    /// Whether it may be sought in, where that is possible at all.
    package var canSeek = true
    package var sound: ClipSound?
    /// Called at each refresh: where it looks, and whether any part of the view has changed.
    package var camera: () -> Camera = { Camera() }
    package var redraws: () -> Bool = { false }
    /// Called for each view: the layer drawn over it; nil: nothing ever is.
    package var layer: (() -> QuadLayer?)?
    /// Called with a decoding failure after the first frame; nil: `PlaySession.finish` throws it.
    package var onFailure: ((Failure) -> Void)?

    package init() {}
  }

  package init(
    _ clip: OpenedClip, _ path: String, _ session: RenderSession.Options, on device: DeviceOpening,
    _ display: ClipDisplay, _ options: Options
  ) throws(Failure) {
    self.session = try RenderSession(clip, options: session, on: device)
    self.path = path
    let loaded = self.session.stream
    stream = PlayedStream(holdsStart: options.plays && loaded != nil, loaded?.breakRule ?? .watch)
    let feed = FrameFeed(reader: self.session.reader, interruption: self.session.interruption, loops: options.loops)
    readers = (feed, options.sound)
    self.display = display
    var playing = PlaySession.Options()
    playing.start = stream.holdsStart || !options.plays ? .whenAsked : .atOnce
    playing.camera = { [camera = options.camera] _ in camera() }
    playing.redraws = options.redraws
    playing.layer = options.layer
    playing.readbackInterval = options.readsPixels ? 1 : 0
    playing.readsGPUClock = true
    playing.outlivesEnd = true
    playing.onFailure = options.onFailure
    // Within the window of a live stream that is loaded here.
    playing.canSeek = options.canSeek && (!self.session.reader.info.isLive || self.session.stream != nil)
    playing.loggedViews = options.loggedViews
    playing.screen = display.screen
    if let sound = options.sound { playing.clock = sound.player.clock }
    self.session.renderer.tellsInstants = true
    play = PlaySession(renderer: self.session.renderer, source: feed, link: display.link, options: playing)
  }

  /// Closes the clip; it must not be used afterwards.
  package func end() {
    sound?.stop()
    feed.stop()
    session.stream?.stop()
    thumbnails?.maker.stop()
    thumbnails = nil
  }

  var link: any DisplayLink { display.link }
  var feed: FrameFeed { readers.pictures }
  package var sound: ClipSound? { readers.sound }

  package var duration: MediaTime? { session.reader.info.durationSeconds.map { MediaTime(seconds: $0) } }

  /// The position in the clip, current or sought.
  package var place: MediaTime { play.clipPosition }

  /// The time of the picture on the display, in the clip.
  package var pictureTime: MediaTime { play.shownFrame?.presentationTime ?? place }

  /// Where to resume the clip.
  package func leftAt(_ camera: Camera) -> Recovery.Place {
    Recovery.Place(path: path, time: place, camera: camera, isPlaying: play.player.wantsToPlay)
  }

  /// The end of what is loaded of a stream, else of the decoded range, as a position in the clip.
  package var loadedTo: MediaTime {
    if let stream = session.stream { return max(place, stream.loadedEnd) }
    guard play.player.state != .seeking, let last = play.player.queue.last else { return place }
    return place + max(last.end - play.player.position, .zero)
  }

  /// The current thumbnail for a time, without waiting; starts making a missing one.
  package func thumbnail(at time: MediaTime) -> SmallPicture? {
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

extension PlayedClip {
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
