import Frames
import GPU
import Render

/// Draws the views of a play session, each at its refresh or ahead of it, and tells when they were ready. One thread.
final class PlayDrawing {
  private let renderer: any ViewDrawer
  private let options: PlaySession.Options
  private let link: any DisplayLink
  /// New frames that were shown.
  private var count = 0
  /// The view that comes next, which the GPU may still be drawing.
  private var ahead: (view: Preparation, taken: MonotonicTime)?
  /// Where it would have looked at the refresh before.
  private var lastCamera: Camera?
  /// The next view is read back.
  var captures = false
  /// GPU time of the last view; nil where the device has no timestamps.
  private(set) var renderMilliseconds: Double?

  /// A view, what it shows, and when it was begun and ready.
  struct Drawn {
    var taken: MonotonicTime
    var ready: MonotonicTime
    var moment: MediaTime
    var view: FrameRing.Finished?
  }

  init(_ renderer: any ViewDrawer, _ options: PlaySession.Options, _ link: any DisplayLink) {
    (self.renderer, self.options, self.link) = (renderer, options, link)
  }

  /// Draws a frame offscreen as often as frames are in flight: memory is touched and shaders are finished before the clock
  /// runs. Then its view is begun: the first refresh has nothing to wait for.
  func preroll(_ place: PacedFrame, _ frame: VideoFrame, at position: MediaTime) throws(Failure) {
    for _ in 0..<renderer.framesInFlight {
      try renderer.render(
        frame, camera: options.camera(position), layer: nil, wantsPixels: options.readbackInterval > 0, on: nil
      ) { _ in }
    }
    try renderer.drain { _ in }
    lastCamera = options.camera(position)
    try prepare(place, frame, at: position, step: .zero, isNew: true, rests: true)
  }

  /// Begins the view of a refresh to come, unless it has begun; does not wait for the GPU.
  ///
  /// A view that follows a hand is only made while the hand rests: one that shows where it was would be drawn for nothing, and
  /// the next would have to wait for it.
  ///
  /// - Parameters:
  ///   - step: from one refresh to the next, on the timeline.
  ///   - isNew: no view of the frame was shown before.
  ///   - rests: the refresh that was just decided did not draw its view anew.
  func prepare(
    _ place: PacedFrame, _ frame: VideoFrame, at moment: MediaTime, step: MediaTime, isNew: Bool, rests: Bool
  ) throws(Failure) {
    let (taken, camera) = (link.now, options.camera(moment))
    let isStill = rests && camera == lastCamera
    lastCamera = camera
    guard options.cameraMoves || isStill, canPrepare else { return }
    guard !has(place, at: moment, step, camera) else { return }
    ahead = nil
    try renderer.prepare(frame, camera: camera, wantsPixels: isSample(isNew: isNew)) { _ in }
    ahead = (Preparation(frame: place.index, moment: moment, camera: camera), taken)
  }

  /// Whether the view that was made ahead is one of this frame, at this moment.
  private func has(_ place: PacedFrame, at moment: MediaTime, _ step: MediaTime, _ camera: Camera) -> Bool {
    guard let ahead, renderer.hasPrepared else { return false }
    let view: Preparation.View = options.cameraMoves ? .followsTime : .followsHand(camera)
    return ahead.view.verdict(frame: place.index, moment: moment, step: step, view: view) == .show
  }

  /// Offscreen a layer cannot be drawn later, and a captured view has none.
  private var canPrepare: Bool { !captures && (options.screen != nil || options.layer == nil) }

  /// Shows the view made ahead where it fits this refresh, else draws one now. In the window where there is one; waits
  /// for the GPU.
  ///
  /// - Parameters:
  ///   - step: from one refresh to the next, on the timeline.
  ///   - isNew: no view of the frame was shown before.
  ///   - isStale: it is to be drawn now in any case.
  func show(
    _ place: PacedFrame, _ frame: VideoFrame, at moment: MediaTime, step: MediaTime, isNew: Bool, isStale: Bool
  ) throws(Failure) -> Drawn {
    let (taken, camera) = (link.now, options.camera(moment))
    defer { ahead = nil }
    if let ahead, !isStale, canPrepare, has(place, at: moment, step, camera) {
      try renderer.showPrepared(layer: options.layer?(), on: options.screen?.swapchain)
      return try finish(taken: ahead.taken, moment: ahead.view.moment, isNew: isNew)
    }
    let wantsPixels = captures || isSample(isNew: isNew)
    try renderer.render(
      frame, camera: camera, layer: captures ? nil : options.layer?(), wantsPixels: wantsPixels,
      on: options.screen?.swapchain
    ) { _ in }
    captures = false
    return try finish(taken: taken, moment: moment, isNew: isNew)
  }

  /// Waits for the GPU; the view is the one that was submitted last.
  private func finish(taken: MonotonicTime, moment: MediaTime, isNew: Bool) throws(Failure) -> Drawn {
    var finished: FrameRing.Finished?
    try renderer.drain { finished = $0 }
    if isNew { count += 1 }
    renderMilliseconds = finished?.renderGPUMilliseconds
    if let present = finished?.present { options.screen?.onPresent(present) }
    let drawn = options.readsGPUClock ? finished?.drawn : nil
    return Drawn(taken: taken, ready: drawn ?? link.now, moment: moment, view: finished)
  }

  private func isSample(isNew: Bool) -> Bool {
    options.readbackInterval > 0 && isNew && count % options.readbackInterval == 0
  }
}

extension FrameRing.Finished {
  /// When it was ready by the GPU's clock; nil where the driver does not say how that and the CPU's agree.
  fileprivate var drawn: MonotonicTime? { instants.flatMap { $0.isCalibrated ? $0.end : nil } }
}

/// A view that is made before its refresh, so that decoding, uploading and drawing go on while the picture before it is shown.
/// Which view is made, and whether it still fits its refresh: pure functions.
public struct Preparation: Sendable, Hashable {
  /// The frame that it shows, by its number.
  public var frame: Int
  /// The moment of the timeline that it was made for.
  public var moment: MediaTime
  public var camera: Camera

  public init(frame: Int, moment: MediaTime, camera: Camera) {
    self.frame = frame
    self.moment = moment
    self.camera = camera
  }

  /// What the next refreshes will show, if nothing happens before.
  public struct Upcoming: Sendable, Hashable {
    public enum Picture: Sendable, Hashable {
      /// The frame at this place in the queue, for the first time.
      case queued(place: Int)
      /// The frame that is shown, as seen from elsewhere.
      case shown
    }

    public var picture: Picture
    /// The refresh, and the moment of the timeline that it shows.
    public var target: MonotonicTime
    public var moment: MediaTime

    public init(_ picture: Picture, target: MonotonicTime, moment: MediaTime) {
      self.picture = picture
      self.target = target
      self.moment = moment
    }
  }

  /// Where the camera of a session looks.
  public enum View: Sendable, Hashable {
    /// Where the moment says, at each refresh anew: it is known before.
    case followsTime
    /// Where a hand leaves it: the camera of the refresh says whether it is still there.
    case followsHand(Camera)
  }

  /// What to do with it at a refresh.
  public enum Verdict: Sendable, Hashable {
    case show
    /// The refresh shows another frame, or looks elsewhere: it is drawn anew, as if nothing had been made.
    case discard
  }

  /// - Parameters:
  ///   - frame: the number of the frame that the refresh shows.
  ///   - moment: that it shows.
  ///   - step: from one refresh to the next, on the timeline. A display's refreshes lie where they were expected but for a part
  ///     of it: up to a sixteenth, as for the pacer, is the same refresh.
  public func verdict(frame: Int, moment: MediaTime, step: MediaTime, view: View) -> Verdict {
    guard frame == self.frame else { return .discard }
    switch view {
    case .followsTime:
      let difference = abs((moment - self.moment).nanoseconds)
      return difference <= step.nanoseconds / 16 ? .show : .discard
    case .followsHand(let camera): return camera == self.camera ? .show : .discard
    }
  }
}
