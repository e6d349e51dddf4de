import Frames
import GPU
import Render

/// Draws nothing: a session with it plays frames that no person sees. One thread at a time.
public final class UndrawnViews: ViewDrawer {
  public init() {}

  public var framesInFlight: Int { 1 }
  public var hasPrepared: Bool { false }

  public func render(
    _ frame: VideoFrame, camera: Camera, layer: QuadLayer?, wantsPixels: Bool, on swapchain: Swapchain?,
    onFinished: (FrameRing.Finished) -> Void
  ) throws(Failure) {}

  public func prepare(
    _ frame: VideoFrame, camera: Camera, wantsPixels: Bool, onFinished: (FrameRing.Finished) -> Void
  ) throws(Failure) {}

  public func showPrepared(layer: QuadLayer?, on swapchain: Swapchain?) throws(Failure) {}

  public func drain(onFinished: (FrameRing.Finished) -> Void) throws(Failure) {}
}
