import Frames
import GPU
import Overlay
import Playback
import Render
import Session

/// The drawing objects of a surface: device, swapchain, painters of text and controls. One thread.
package final class SurfaceDrawing {
  /// Opened at once, in parallel with other work; nil once it is closed.
  private var opened: DeviceOpening?
  private var swapchain: Swapchain?
  /// Made when the first overlay is drawn: looking for fonts takes a while.
  private var painter: CanvasPainter?
  private var lacksPainter = false
  private var backdrop: Backdrop?

  package init(_ session: RenderSession.Options) { opened = DeviceOpening(session) }

  /// The resources shared by all clips.
  package var device: DeviceOpening {
    guard let opened else { preconditionFailure("the surface is closed") }
    return opened
  }

  /// Waits for the device; throws why there is none.
  package func checkDevice() throws(Failure) { _ = try device.device() }

  /// - Parameter size: used if there is no swapchain yet.
  package func swapchain(size: PictureSize) throws(Failure) -> Swapchain {
    if let swapchain { return swapchain }
    let made = try Swapchain(device: device.device(), size: size)
    swapchain = made
    return made
  }

  package func resize(width: Int, height: Int) { swapchain?.resize(width: width, height: height) }

  /// Nil without a device, and without fonts: the view is shown without text.
  ///
  /// - Parameter onFailure: called once with the reason.
  package func painter(onFailure: (Failure) -> Void) -> CanvasPainter? {
    if let painter { return painter }
    guard !lacksPainter, let device = try? device.device() else { return nil }
    do throws(Failure) {
      painter = try CanvasPainter(device: device, texts: TextCache(renderer: try TextRenderer()))
    } catch {
      lacksPainter = true
      onFailure(error)
    }
    return painter
  }

  /// Shows a canvas on a surface without a clip.
  package func show(_ layer: QuadLayer, size: PictureSize) throws(Failure) {
    let made: Backdrop
    if let backdrop { made = backdrop } else { made = try Backdrop(device.pipelines().0, targetSize: size) }
    backdrop = made
    made.renderer.targetSize = size
    try made.draw(layer, on: swapchain(size: size))
  }

  /// A whole frame as it was decoded, as RGBA; nil where it has no pixels.
  package func pixels(of frame: VideoFrame) throws(Failure) -> [UInt8]? {
    let renderer = try ViewRenderer(
      pipelines: device.pipelines().0, geometry: PictureGeometry(projection: .flat), targetSize: frame.size,
      framesInFlight: 1, format: frame.format, color: frame.color)
    var views = try renderer.render(frame, camera: Camera(), wantsPixels: true)
    views += try renderer.drain()
    return views.first?.pixels
  }

  /// Frees drawing objects before their targets. Opened clips must be freed first.
  package func close() {
    backdrop = nil
    painter = nil
    swapchain = nil
    opened = nil
  }

  /// The device was lost: opens another one.
  package func reopen(_ session: RenderSession.Options) {
    close()
    opened = DeviceOpening(session)
  }
}
