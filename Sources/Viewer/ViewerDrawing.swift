import Frames
import GPU
import Overlay
import Playback
import Session

/// What everything in a window is drawn with: the device, the swapchain, what paints text and controls. The main thread's.
final class ViewerDrawing {
  /// Opened at once, beside everything else; nil once it is closed.
  private var opened: DeviceOpening?
  private var swapchain: Swapchain?
  /// Made when something is drawn over the view for the first time: looking for fonts takes a while.
  private var painter: CanvasPainter?
  private var lacksPainter = false
  private var backdrop: Backdrop?

  init(_ session: RenderSession.Options) { opened = DeviceOpening(session) }

  /// What all clips are drawn with.
  var device: DeviceOpening {
    guard let opened else { preconditionFailure("the window is closed") }
    return opened
  }

  /// - Parameter size: of the window, where there is none yet.
  func swapchain(size: PictureSize) throws(Failure) -> Swapchain {
    if let swapchain { return swapchain }
    let made = try Swapchain(device: device.device(), size: size)
    swapchain = made
    return made
  }

  func resize(width: Int, height: Int) { swapchain?.resize(width: width, height: height) }

  /// Nil without fonts: the view matters more than what is written over it.
  ///
  /// - Parameter onFailure: told once why there is none.
  func painter(on device: GPUDevice, onFailure: (Failure) -> Void) -> CanvasPainter? {
    if let painter { return painter }
    guard !lacksPainter else { return nil }
    do throws(Failure) {
      painter = try CanvasPainter(device: device, texts: TextCache(renderer: try TextRenderer()))
    } catch {
      lacksPainter = true
      onFailure(error)
    }
    return painter
  }

  /// Shows a canvas in a window without a clip.
  func show(_ layer: QuadLayer, size: PictureSize) throws(Failure) {
    let made: Backdrop
    if let backdrop { made = backdrop } else { made = try Backdrop(device.pipelines().0, targetSize: size) }
    backdrop = made
    made.renderer.targetSize = size
    try made.draw(layer, on: swapchain(size: size))
  }

  /// What draws goes before what it draws in. Opened clips must have gone.
  func close() {
    backdrop = nil
    painter = nil
    swapchain = nil
    opened = nil
  }

  /// The device was lost: another one in its place.
  func reopen(_ session: RenderSession.Options) {
    close()
    opened = DeviceOpening(session)
  }
}
