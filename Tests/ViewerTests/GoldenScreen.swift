import Encode
import Foundation
import Frames
import GPU
import Overlay
import Render
import Support
import Testing

/// A view to draw over, and the pictures that were looked at once: `BENCH360_REWRITE_GOLDEN=1` draws them anew, to be looked at again,
/// and `BENCH360_LETTERS=FOLDER` with letters.
final class GoldenScreen {
  let renderer: ViewRenderer
  let painter: CanvasPainter
  private let frame = TestPictures.smooth(
    size: PictureSize(width: 64, height: 32), color: ColorDescription(matrix: .bt709, range: .limited))

  init(_ size: PictureSize) throws {
    let device = try TestDevice.device()
    renderer = try ViewRenderer(
      device: device, geometry: PictureGeometry(projection: .equirectangular), targetSize: size, shading: .fragment)
    painter = try CanvasPainter(device: device, texts: TextCache(renderer: try TextRenderer()))
  }

  func drawn(_ canvas: Canvas) throws -> [UInt8] {
    _ = try renderer.render(frame, camera: Camera(pan: 30), layer: painter.paint(canvas), wantsPixels: true)
    return try #require(try renderer.drain().last?.pixels)
  }

  /// Whether a canvas looks as it did.
  ///
  /// - Parameters:
  ///   - canvas: as this machine's fonts measure it.
  ///   - measured: as every machine does: it is drawn with bars.
  func isGolden(_ name: String, _ canvas: @autoclosure () -> Canvas, measured: Canvas) throws -> Bool {
    let (size, environment) = (renderer.targetSize, ProcessInfo.processInfo.environment)
    if let folder = environment["BENCH360_LETTERS"] {
      try writePNG(rgba: try drawn(canvas()), size: size, to: "\(folder)/\(name).png")
    }
    let pixels = try drawn(measured.withBars)
    let file = TestFolders.repository + "/Tests/ViewerTests/Golden/\(name).png"
    if environment["BENCH360_REWRITE_GOLDEN"] == "1" { try writePNG(rgba: pixels, size: size, to: file) }
    let golden = try CommandOutput.of(
      "ffmpeg", ["-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "rgba", "-"])
    try #require(golden.output.count == pixels.count, "\(golden.errors)")
    return pixels.largestDifference(from: [UInt8](golden.output)) <= 2
  }
}

extension Canvas {
  var texts: Set<String> {
    Set(items.compactMap { if case .text(let text, _, _, _, _) = $0 { text } else { nil } })
  }

  /// The same with a bar for each line of letters.
  var withBars: Canvas {
    var canvas = Canvas()
    for item in items {
      guard case .text(let text, let style, let place, let color, let alignment) = item else {
        canvas.add(item)
        continue
      }
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let width = Double(ControlStage.measure(String(line), style).width)
        let left = alignment == .center ? place.x - width / 2 : alignment == .right ? place.x - width : place.x
        canvas.rectangle(
          Canvas.Box(
            left: left, top: place.y + (Double(number) + 0.25) * style.height, width: width, height: style.height / 2),
          color)
      }
    }
    return canvas
  }
}
