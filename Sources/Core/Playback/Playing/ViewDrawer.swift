import Frames
import GPU
import Render

/// What draws the views of a session: `ViewRenderer`, or one whose time a test counts. One thread at a time.
///
/// Each function is as `ViewRenderer` has it.
public protocol ViewDrawer: AnyObject {
  var framesInFlight: Int { get }
  /// A view was prepared, and neither shown nor discarded.
  var hasPrepared: Bool { get }
  func render(
    _ frame: VideoFrame, camera: Camera, layer: QuadLayer?, wantsPixels: Bool, on swapchain: Swapchain?,
    onFinished: (FrameRing.Finished) -> Void
  ) throws(Failure)
  func prepare(
    _ frame: VideoFrame, camera: Camera, wantsPixels: Bool, onFinished: (FrameRing.Finished) -> Void
  ) throws(Failure)
  func showPrepared(layer: QuadLayer?, on swapchain: Swapchain?) throws(Failure)
  /// Waits for everything submitted.
  func drain(onFinished: (FrameRing.Finished) -> Void) throws(Failure)
}

extension ViewRenderer: ViewDrawer {}
