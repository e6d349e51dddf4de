import Frames
import GPU
import Render

/// Draws the views of a play session, each at its refresh or ahead of it, and tells when they were ready. One thread.
final class PlayDrawing {
  private let renderer: ViewRenderer
  private let options: PlaySession.Options
  private let link: any DisplayLink
  /// New frames that were drawn.
  private var count = 0
  /// A view of the frame that comes next.
  private var ahead: Ahead?
  /// The next view is read back.
  var captures = false
  /// What the GPU took for the last view; nil where it does not tell.
  private(set) var renderMilliseconds: Double?

  /// A view, and when it was begun and ready.
  struct Drawn {
    var taken: MonotonicTime
    var ready: MonotonicTime
    var view: FrameRing.Finished?
  }

  /// A view that the GPU may still be drawing.
  private struct Ahead {
    var index: Int
    var camera: Camera
    var taken: MonotonicTime
  }

  init(_ renderer: ViewRenderer, _ options: PlaySession.Options, _ link: any DisplayLink) {
    (self.renderer, self.options, self.link) = (renderer, options, link)
  }

  /// Draws a frame offscreen as often as frames are in flight: memory is touched and shaders are finished before the clock
  /// runs.
  func preroll(_ frame: VideoFrame, at position: MediaTime) throws(Failure) {
    for _ in 0..<renderer.framesInFlight {
      try renderer.render(frame, camera: options.camera(position), wantsPixels: options.readbackInterval > 0) { _ in }
    }
    try renderer.drain { _ in }
  }

  /// Begins the view of the frame that comes next, unless it has begun; does not wait for the GPU.
  func drawAhead(_ place: PacedFrame, _ frame: VideoFrame, at position: MediaTime) throws(Failure) {
    guard ahead?.index != place.index else { return }
    let (taken, camera) = (link.now, options.camera(position))
    try renderer.render(frame, camera: camera, wantsPixels: wantsPixels(isNew: true)) { _ in }
    ahead = Ahead(index: place.index, camera: camera, taken: taken)
  }

  /// What was drawn ahead, if that is what is to be seen now.
  func takeAhead(_ place: PacedFrame, at position: MediaTime) throws(Failure) -> Drawn? {
    defer { ahead = nil }
    guard let ahead, ahead.index == place.index, !captures, ahead.camera == options.camera(position) else { return nil }
    let view = try finished()
    return Drawn(taken: ahead.taken, ready: ready(view), view: view)
  }

  /// Draws a view, on the screen where there is one, and waits for the GPU.
  ///
  /// - Parameter isNew: no view of the frame was drawn before.
  func draw(_ frame: VideoFrame, at position: MediaTime, isNew: Bool) throws(Failure) -> Drawn {
    ahead = nil
    let (taken, camera) = (link.now, options.camera(position))
    let layer = captures ? nil : options.layer()
    try renderer.render(
      frame, camera: camera, layer: layer, wantsPixels: wantsPixels(isNew: isNew), on: options.screen?.swapchain
    ) { _ in }
    let view = try finished()
    renderMilliseconds = view?.renderGPUMilliseconds
    if let present = view?.present { options.screen?.onPresent(present) }
    return Drawn(taken: taken, ready: ready(view), view: view)
  }

  /// Waits for the GPU; the view that was submitted last.
  private func finished() throws(Failure) -> FrameRing.Finished? {
    var finished: FrameRing.Finished?
    try renderer.drain { finished = $0 }
    return finished
  }

  private func ready(_ view: FrameRing.Finished?) -> MonotonicTime {
    (options.readsGPUClock ? view?.drawn : nil) ?? link.now
  }

  private func wantsPixels(isNew: Bool) -> Bool {
    let isSample = options.readbackInterval > 0 && isNew && count % options.readbackInterval == 0
    defer { captures = false }
    if isNew { count += 1 }
    return isSample || captures
  }
}

extension FrameRing.Finished {
  /// When the GPU had drawn it; nil where the driver does not say how its clock and the CPU's agree.
  fileprivate var drawn: MonotonicTime? { instants.flatMap { $0.isCalibrated ? $0.render.end : nil } }
}
