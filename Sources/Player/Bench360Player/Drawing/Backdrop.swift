import Frames
import GPU
import Overlay
import Render

/// A window without a clip: shows only the canvas drawn over it. Main thread only.
final class Backdrop {
  let renderer: ViewRenderer
  private let frame: VideoFrame

  /// The smallest possible picture; the canvas covers it.
  private static let size = PictureSize(width: 2, height: 2)

  init(_ pipelines: ViewPipelines, targetSize: PictureSize) throws(Failure) {
    renderer = try ViewRenderer(
      pipelines: pipelines, geometry: PictureGeometry(projection: .flat), targetSize: targetSize)
    let format = PictureFormat.yuv420p
    frame = VideoFrame(
      index: 0, presentationTime: .zero, duration: .zero, format: format, size: Self.size,
      color: ColorDescription(matrix: .bt709, range: .limited),
      picture: HostPicture(format: format, size: Self.size))
  }

  func draw(_ layer: QuadLayer, on swapchain: Swapchain) throws(Failure) {
    try renderer.render(frame, camera: Camera(), layer: layer, wantsPixels: false, on: swapchain) { _ in }
    try renderer.drain { _ in }
  }
}
