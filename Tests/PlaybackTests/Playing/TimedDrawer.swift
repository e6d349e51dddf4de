import Frames
import GPU
import Playback
import Render

/// A renderer whose views take as long as a test says, by the clock of a display that is advanced by hand: the GPU draws one
/// after the other, and time passes for the caller where it waits for it.
final class TimedDrawer: ViewDrawer {
  private let renderer: ViewRenderer
  private let link: ManualDisplayLink
  /// In seconds, by view.
  private let cost: (Int) -> Double
  private var views = 0
  private var busyUntil = MonotonicTime(nanoseconds: 0)
  private var preparedCamera: Camera?
  /// Views that were begun before their refresh; those of them that were shown.
  private(set) var prepared = 0
  private(set) var shownPrepared = 0
  /// Where the last view that was shown looks.
  private(set) var lastCamera: Camera?

  init(_ renderer: ViewRenderer, _ link: ManualDisplayLink, cost: @escaping (Int) -> Double) {
    (self.renderer, self.link, self.cost) = (renderer, link, cost)
  }

  var framesInFlight: Int { renderer.framesInFlight }
  var hasPrepared: Bool { renderer.hasPrepared }

  func render(
    _ frame: VideoFrame, camera: Camera, layer: QuadLayer?, wantsPixels: Bool, on swapchain: Swapchain?,
    onFinished: (FrameRing.Finished) -> Void
  ) throws(Failure) {
    try renderer.render(
      frame, camera: camera, layer: layer, wantsPixels: wantsPixels, on: swapchain, onFinished: onFinished)
    lastCamera = camera
    draw()
  }

  func prepare(
    _ frame: VideoFrame, camera: Camera, wantsPixels: Bool, onFinished: (FrameRing.Finished) -> Void
  ) throws(Failure) {
    try renderer.prepare(frame, camera: camera, wantsPixels: wantsPixels, onFinished: onFinished)
    preparedCamera = camera
    prepared += 1
    draw()
  }

  func showPrepared(layer: QuadLayer?, on swapchain: Swapchain?) throws(Failure) {
    try renderer.showPrepared(layer: layer, on: swapchain)
    lastCamera = preparedCamera
    shownPrepared += 1
  }

  func drain(onFinished: (FrameRing.Finished) -> Void) throws(Failure) {
    let left = busyUntil.nanoseconds - link.now.nanoseconds
    if left > 0 { link.pass(MediaTime(nanoseconds: left)) }
    try renderer.drain(onFinished: onFinished)
  }

  private func draw() {
    let begin = max(busyUntil, link.now)
    busyUntil = MonotonicTime(nanoseconds: begin.nanoseconds + MediaTime(seconds: cost(views)).nanoseconds)
    views += 1
  }
}
