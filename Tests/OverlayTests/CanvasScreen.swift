import Frames
import GPU
import Overlay
import Render
import Support
import Testing

/// A view to draw canvases over, and the painter that does.
final class CanvasScreen {
  let renderer: ViewRenderer
  let painter: CanvasPainter
  let texts: TextRenderer
  private let frame = TestPictures.smooth(
    size: PictureSize(width: 64, height: 32), color: ColorDescription(matrix: .bt709, range: .limited))

  init(
    _ size: PictureSize, _ shading: Shading = .fragment, eye: PictureGeometry.Eye = .left, atlasSide: Int = 512
  ) throws {
    let device = try TestDevice.device()
    renderer = try ViewRenderer(
      device: device, geometry: PictureGeometry(projection: .equirectangular, stereo: .topBottom, eye: eye),
      targetSize: size, shading: shading)
    texts = try TextRenderer()
    painter = try CanvasPainter(device: device, texts: TextCache(renderer: texts), atlasSide: atlasSide)
  }

  func drawn(_ canvas: Canvas?) throws -> [UInt8] {
    _ = try renderer.render(frame, camera: Camera(pan: 30), layer: canvas.map(painter.paint), wantsPixels: true)
    return try #require(try renderer.drain().last?.pixels)
  }

  /// Not waited for.
  func submit(_ canvas: Canvas, onFinished: (FrameRing.Finished) -> Void) throws {
    try renderer.render(
      frame, camera: Camera(pan: 30), layer: painter.paint(canvas), wantsPixels: true, onFinished: onFinished)
  }

  /// The twin's picture of the same view.
  func expected(_ canvas: Canvas, over view: [UInt8]) -> [UInt8] {
    var twin = CanvasTwin(size: renderer.targetSize, pixels: view, texts: texts)
    twin.draw(canvas)
    return twin.pixels
  }
}

func largestDifference(_ one: [UInt8], _ other: [UInt8]) -> Int {
  guard one.count == other.count else { return 256 }
  return zip(one, other).map { abs(Int($0) - Int($1)) }.max() ?? 0
}

/// Columns and rows in which two views differ.
func changedArea(
  _ one: [UInt8], _ other: [UInt8], width: Int
) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
  let changed = (0..<one.count / 4).filter { one[$0 * 4..<$0 * 4 + 3] != other[$0 * 4..<$0 * 4 + 3] }
  guard let top = changed.first, let bottom = changed.last else { return nil }
  let columns = changed.map { $0 % width }
  guard let left = columns.min(), let right = columns.max() else { return nil }
  return (left...right, top / width...bottom / width)
}
