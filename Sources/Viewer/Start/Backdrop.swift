import Frames
import GPU
import Overlay
import Render

/// What a window shows while no clip does: nothing but what is drawn over it. The main thread's.
final class Backdrop {
  let renderer: ViewRenderer
  private let frame: VideoFrame

  /// Of the smallest picture that there is; what is drawn over it hides it.
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
